"""On a real Ray cluster of two nodes, one of which is killed during the study: it completes, and nothing comes out differently."""

from __future__ import annotations

from pathlib import Path

import pytest

from toy_study import bits, toy_plan, write_data
from votewise.errors import VotewiseError
from votewise.studies import Training
from votewise.training import Engine, complete

ray = pytest.importorskip("ray", reason="Ray is not installed: pip install 'votewise[ray]'")

pytestmark = pytest.mark.filterwarnings("ignore")  # Ray's own


class Guest:
    """Somebody else's actor: as long as it lives, it keeps a core of its node busy."""


def test_a_node_is_killed_during_the_study(tmp_path: Path) -> None:
    from ray.cluster_utils import Cluster

    from votewise.studies.on_ray import OnRay

    plan, store = toy_plan(write_data(tmp_path), epochs=40), tmp_path / "store"
    dataset = plan.dataset.load()
    configs, outcomes = plan.configs(dataset), []
    head = {"num_cpus": 1, "resources": {"head": 1}, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    try:
        doomed = cluster.add_node(num_cpus=1)
        cluster.wait_for_nodes()
        ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
        guest = ray.remote(num_cpus=1, resources={"head": 1})(Guest).remote()
        ray.wait([guest.__ray_ready__.remote()])  # from here on there is room on the doomed node alone
        executor, work = OnRay(), Training(plan.dataset, store, Engine(checkpoint_seconds=0.0))
        assert executor.connect(threads=1) == 2
        for outcome in executor.execute(configs, work, lambda *_: None):
            outcomes.append(outcome)
            if len(outcomes) == 1:
                while not list(store.glob("runs/*/state.*")):
                    pass  # until the next run is in the middle of its epochs
                cluster.remove_node(doomed, allow_graceful=False)
                ray.kill(guest)
        elsewhere = configs[0].model_copy(update={"dataset": "0" * 64})
        with pytest.raises(VotewiseError, match="another dataset"):  # what is wrong for all of them stops it
            list(executor.execute([elsewhere], work, lambda *_: None))
    finally:
        ray.shutdown()
        cluster.shutdown()
    assert [outcome.kind for outcome in outcomes] == ["finished"] * 4
    assert {outcome.id for outcome in outcomes} == {config.id for config in configs}
    for config in configs:
        complete(dataset, config, tmp_path / "here")
    assert bits(store) == bits(tmp_path / "here")


def test_a_cluster_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from votewise.studies.on_ray import OnRay

    monkeypatch.setenv("RAY_ADDRESS", "127.0.0.1:9")
    with pytest.raises(VotewiseError, match=r"cannot reach a Ray cluster .*refused") as told:
        OnRay().connect(threads=1)
    assert told.value.where == "RAY_ADDRESS=127.0.0.1:9"
