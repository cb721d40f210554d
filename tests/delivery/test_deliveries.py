"""Each delivery says what the paper says it does, for any votes, in any order, in three frameworks."""

from __future__ import annotations

from collections import Counter

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from my_package import Alternating, plain
from strategies import seeds, votes
from votewise.delivery import (
    DELIVERIES,
    SLS,
    Delivery,
    Deterministic,
    LabelSmoothing,
    Majority,
    Multipass,
    ShuffledSLS,
    Soft,
    check_delivery,
    deliver,
    fingerprint,
    option_names,
    table,
)  # fmt: skip
from votewise.errors import VotewiseError
from votewise.votes import Distributions, Votes

NEEDS_VOTES = ("multipass", "deterministic")


def sources(name: str, v: Votes) -> list[Votes | Distributions]:
    return [v] if name in NEEDS_VOTES else [v, v.distributions()]


@pytest.mark.parametrize("name", DELIVERIES)
@settings(max_examples=25)
@given(votes(), seeds)
def test_every_delivery_keeps_the_contract(name: str, v: Votes, seed: int) -> None:
    for source in sources(name, v):
        check_delivery(deliver(name, source, seed=seed))


@pytest.mark.parametrize("name", DELIVERIES)
@settings(max_examples=15)
@given(votes(), st.integers(0, 5), st.integers(0, 10**6))
def test_votes_and_their_probabilities_deliver_the_same_in_three_frameworks(
    name: str, v: Votes, seed: int, epoch: int
) -> None:
    index = np.arange(len(v))[::-1].copy()
    expected = deliver(name, v, seed=seed).targets(index, epoch)
    for source in sources(name, v):
        delivery = deliver(name, source, seed=seed)
        assert np.array_equal(delivery.targets(index, epoch), expected)
        fn, tables = delivery.jax()
        for when in (epoch, np.full(len(v), epoch), np.array([[epoch], [epoch + 1]])):  # a number, one each, and a grid
            answer = delivery.targets(index, when)
            on_device = delivery._on_device(
                torch.from_numpy(index), when
            )  # with its tables on the CPU: the same arithmetic
            assert np.array_equal(on_device.numpy(), answer)
            compiled = fn(tables, jnp.asarray(index), jnp.asarray(when))
            assert np.array_equal(np.asarray(compiled), answer)
            if delivery.kind == "hard":
                assert (on_device.dtype, compiled.dtype) == (torch.int64, jnp.int32)


def test_jax_runs_inside_jit_with_a_traced_epoch_and_32_bit_integers() -> None:
    v = Votes.from_counts(np.random.default_rng(0).multinomial(20, [0.5, 0.3, 0.2], size=500))
    for name in DELIVERIES:
        delivery = deliver(name, v, seed=1)
        fn, tables = delivery.jax()
        jitted, index = jax.jit(fn), jnp.arange(500)
        for epoch in (0, 1, 77):
            assert np.array_equal(np.asarray(jitted(tables, index, epoch)), delivery.table(epoch))
        with pytest.raises(VotewiseError, match=r"delivery\.jax\(\)"):
            jax.jit(lambda i, d=delivery: d.targets(i, 0))(index)


@settings(max_examples=30)
@given(votes(), st.integers(0, 3), st.integers(0, 3))
def test_multipass_gives_each_vote_exactly_once_in_every_cycle(v: Votes, seed: int, cycle: int) -> None:
    delivery = Multipass(v, seed=seed)
    for i, m in enumerate(v.votes_per_item.tolist()):
        epochs = np.arange(cycle * m, (cycle + 1) * m)
        seen = delivery.targets(np.full(m, i), epochs)
        assert sorted(seen.tolist()) == v.label[v.indptr[i] : v.indptr[i + 1]].tolist()


@given(votes(), st.integers(-3, 3))
def test_deterministic_control_is_multipass_at_the_seed_plus_1000(v: Votes, seed: int) -> None:
    assert Deterministic(v, seed=seed).fingerprint(20) == Multipass(v, seed=seed + 1000).fingerprint(20)


def test_sls_draws_each_label_as_often_as_people_chose_it() -> None:
    counts = np.array([[5, 0, 3, 2], [1, 0, 0, 0], [0, 7, 7, 1], [0, 0, 0, 9]])
    for source in (Votes.from_counts(counts), Votes.from_counts(counts).distributions()):
        labels = np.array(list(SLS(source, seed=0).tape(6000)))
        for i, row in enumerate(counts):
            seen = np.bincount(labels[:, i], minlength=4)
            assert (seen[row == 0] == 0).all()
            if (row > 0).sum() > 1:
                assert chisquare(seen[row > 0], 6000 * row[row > 0] / row.sum()).pvalue > 0.001


@given(votes(), st.integers(2, 9))
def test_resampling_every_r_epochs_keeps_the_label_of_a_block(v: Votes, every: int) -> None:
    for kind in (SLS, ShuffledSLS):
        fresh, stale = kind(v), kind(v, resample_every=every)
        for epoch in (0, every - 1, every, 3 * every + 1):
            assert np.array_equal(stale.table(epoch), fresh.table(epoch // every))
    assert SLS(v, resample_every=1).fingerprint(9) == SLS(v).fingerprint(9)


@pytest.mark.parametrize("derangement", [False, True])
def test_shuffled_sls_keeps_the_distributions_and_breaks_the_pairing(derangement: bool) -> None:
    v = Votes.from_counts(np.random.default_rng(1).multinomial(9, [0.4, 0.3, 0.2, 0.1], size=2000))
    delivery = ShuffledSLS(v, seed=2, derangement=derangement)
    donor = delivery.donors()
    assert sorted(donor.tolist()) == list(range(2000))
    own = int((donor == np.arange(2000)).sum())
    assert own == 0 if derangement else own < 8  # Poisson with mean 1
    seen = np.stack([np.bincount(column, minlength=4) for column in np.array(list(delivery.tape(400))).T]) / 400
    assert np.abs(seen - v.probabilities()[donor]).mean() < 0.02
    backwards = v.select(np.arange(2000)[::-1])
    assert np.array_equal(ShuffledSLS(backwards, seed=2, derangement=derangement).table(3)[::-1], delivery.table(3))


@pytest.mark.parametrize("n", [2, 3, 4])
def test_no_item_of_a_few_keeps_its_own_distribution(n: int) -> None:
    v = Votes.from_counts(np.eye(n, dtype=int))
    for seed in range(9):
        donor = ShuffledSLS(v, seed=seed, derangement=True).donors()
        assert sorted(donor.tolist()) == list(range(n))
        assert (donor != np.arange(n)).all()


def test_shuffled_sls_gives_training_no_vote_of_an_item_outside_it() -> None:
    v = Votes.from_counts([[3, 0, 0], [0, 3, 0], [0, 0, 3], [0, 2, 1]])
    training = v.select([0, 1])
    assert set(np.concatenate(list(ShuffledSLS(training, seed=5).tape(50))).tolist()) <= {0, 1}


@given(votes(), st.data())
def test_labels_survive_selection_and_subsets(v: Votes, data) -> None:
    index = np.array(data.draw(st.lists(st.integers(0, len(v) - 1), unique=True, min_size=1)))
    for name in DELIVERIES:
        if name != "shuffled-sls":
            whole, part = deliver(name, v, seed=7), deliver(name, v.select(index), seed=7)
            assert np.array_equal(whole.targets(index, 4), part.targets(np.arange(len(index)), 4))


def test_soft_is_the_vote_share_in_float32() -> None:
    v = Votes.from_counts([[1, 2], [3, 0]])
    assert np.array_equal(Soft(v).targets([0, 1], 9), np.array([[1 / 3, 2 / 3], [1, 0]], dtype=np.float32))


def test_label_smoothing_is_the_formula_of_szegedy() -> None:
    v = Votes.from_counts([[3, 1, 0, 0]])
    assert LabelSmoothing(v).targets([0], 0)[0] == pytest.approx([0.925, 0.025, 0.025, 0.025])
    assert LabelSmoothing(v, spread="others").targets([0], 0)[0] == pytest.approx([0.9, 0.1 / 3, 0.1 / 3, 0.1 / 3])
    assert LabelSmoothing(v, on="votes", epsilon=0.2).targets([0], 0)[0] == pytest.approx([0.65, 0.25, 0.05, 0.05])
    target = torch.nn.functional.cross_entropy(torch.eye(4)[:1], torch.tensor([0]), label_smoothing=0.1)
    ours = torch.nn.functional.cross_entropy(torch.eye(4)[:1], LabelSmoothing(v).targets(torch.tensor([0]), 0))
    assert float(ours) == pytest.approx(float(target))


def test_majority_counts_its_ties() -> None:
    v = Votes.from_counts([[2, 2], [3, 0], [1, 1]])
    assert Majority(v).tied == 2
    assert Majority(v).targets([0, 1, 2], 0).tolist() == [0, 0, 0]


def test_a_custom_delivery_is_named_by_its_import_path_or_given_itself() -> None:
    votes = Votes.from_counts([[1, 4], [3, 2]])
    for custom in ("my_package:Alternating", Alternating):
        assert deliver(custom, votes, every=2).table(2).tolist() == [0, 1]
    assert deliver("my_package:plain", votes).targets(0, 0) == deliver(plain, votes).targets(0, 0) == 1


@pytest.mark.parametrize("name", DELIVERIES)
def test_a_target_has_the_kind_and_type_of_its_index(name: str) -> None:
    delivery = deliver(name, Votes.from_counts([[1, 2], [3, 0]]))
    hard = delivery.kind == "hard"
    assert delivery.targets([0, 1], 0).dtype == (np.intp if hard else np.float32)
    assert delivery.targets(torch.tensor([0, 1]), 0).dtype == (torch.int64 if hard else torch.float32)
    assert delivery.targets(jnp.array([0, 1]), 0).dtype == (jnp.int32 if hard else jnp.float32)
    assert delivery.targets(1, 0).shape == (() if hard else (2,))
    assert delivery.targets(torch.tensor(1), 0).shape == (() if hard else (2,))
    assert delivery.targets([[0, 1], [1, 0]], 0).shape[:2] == (2, 2)
    assert delivery.targets([], 0).shape[0] == 0
    assert delivery.targets(0, [0, 1, 2]).shape[0] == 3


@pytest.mark.parametrize("name", DELIVERIES)
def test_targets_on_a_device_are_those_of_the_host(name: str) -> None:
    delivery = deliver(name, Votes.from_counts([[1, 2], [3, 0], [2, 2]]))
    for epoch in (0, 1, 5):  # the second time, its tables are there
        assert np.array_equal(delivery._on_device(torch.arange(3), epoch).numpy(), delivery.table(epoch))


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        (SLS, {"resample_every": 3}),
        (ShuffledSLS, {"resample_every": 3, "derangement": True}),
        (Majority, {"ties": "random"}),
        (LabelSmoothing, {"epsilon": 0.4, "on": "votes", "spread": "others", "ties": "random"}),
    ],
)
def test_every_option_can_be_given_by_name_and_by_name_only(kind: type[Delivery], options: dict) -> None:
    v = Votes.from_counts([[2, 2, 0], [1, 1, 1], [0, 3, 1]])
    assert option_names(kind) == tuple(options)
    assert deliver(kind.name, v, seed=1, **options).fingerprint(9) == kind(v, seed=1, **options).fingerprint(9)
    with pytest.raises(TypeError):
        kind(v, next(iter(options.values())))


def test_an_option_of_a_type_that_is_not_imported_is_accepted() -> None:
    def custom(votes: Votes, seed: int = 0, how: Unknown = None):  # noqa: F821  # as with `if TYPE_CHECKING`
        return how

    assert deliver(custom, Votes.from_counts([[1, 2]]), how="so") == "so"


@pytest.mark.parametrize("missing", ["make_tables", "compute"])
def test_a_custom_delivery_defines_its_tables_and_its_targets(missing: str) -> None:
    methods = {name: getattr(Majority, name) for name in ("make_tables", "compute") if name != missing}
    half = type("Half", (Delivery,), {"name": "half", "kind": "hard", **methods})
    with pytest.raises(TypeError, match=missing):
        half(Votes.from_counts([[1, 2]]))


def test_a_delivery_is_equal_only_to_itself() -> None:
    v = Votes.from_counts([[1, 2], [3, 0]])
    for name in DELIVERIES:
        delivery = deliver(name, v)
        assert len({delivery, delivery, deliver(name, v)}) == 2


def test_a_callable_without_a_table_has_the_tape_of_its_targets() -> None:
    v = Votes.from_counts([[1, 4], [3, 2]])
    assert table(plain(v), 0).tolist() == plain(v).targets(np.arange(2), 0).tolist()
    assert fingerprint(Majority(v), 2) == Majority(v).fingerprint(2) == fingerprint(plain(v), 2)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda v: Multipass(v.distributions()), "multipass needs votes, but only probabilities are given; use sls"),
        (lambda v: Deterministic(v.distributions()), "use sls"),
        (
            lambda v: SLS(Votes.from_long(list("aab"), list("xyx"), weight=[1, 2, 1])),
            r"weights; use it on votes\.distributions\(\)",
        ),
        (
            lambda v: Multipass(Votes.from_long(list("aab"), list("xyx"), weight=[1, 2, 1])),
            r"weights; use sls on votes\.distributions\(\)",
        ),
        (lambda v: Soft(Votes.from_counts([[0, 0], [1, 0]])), r"1 of 2 items have no votes.*votes\.voted\(\)"),
        (lambda v: SLS(v, resample_every=0), "sls: resample_every must be 1 or more, got 0"),
        (lambda v: SLS(v, resample_every="2"), "sls: resample_every must be"),
        (lambda v: LabelSmoothing(v, epsilon=2), "label-smoothing: epsilon must be 1 or less, got 2"),
        (lambda v: Soft([[1, 2]]), "got list"),
        (lambda v: deliver("multi-pass", v), "unknown delivery 'multi-pass'; choose one of 'soft'"),
        (lambda v: deliver(v, "sls"), "the arguments are swapped"),
        (lambda v: deliver("math:pi", v), "'math:pi' cannot be called, it is of type float"),
        (lambda v: deliver("my_package:Alternating", v, each=2), "my_package:Alternating: unknown option 'each'"),
        (lambda v: deliver("soft", v, resample_every=2), "soft: unknown option 'resample_every'"),
        (lambda v: SLS(v).targets([0, 9], 0), r"index 9 is out of range for the 2 items.*with_index"),
        (lambda v: Soft(v).targets([0, 2], 0), r"index 2 is out of range for the 2 items"),
        (lambda v: SLS(v).targets([-1], 0), "must not be negative"),
        (lambda v: SLS(v).targets(torch.tensor([-1]), 0), "must not be negative"),
        (lambda v: SLS(v).targets([0], -1), "index and epoch must not be negative"),
        (lambda v: SLS(v).targets([0.5], 0), "must be integers"),
    ],
)
def test_what_cannot_be_delivered_is_told_in_one_sentence(make, message: str) -> None:
    with pytest.raises(VotewiseError, match=message) as caught:
        make(Votes.from_counts([[1, 2], [3, 0]]))
    assert caught.value.remedy or "must be" in str(caught.value)


def test_a_tape_is_a_stream_with_a_fingerprint() -> None:
    v = Votes.from_counts([[1, 2], [3, 1]])
    delivery = SLS(v, seed=0)
    tape = delivery.tape(3)
    assert np.array_equal(next(tape), delivery.table(0))
    prints = {deliver(name, v, seed=s).fingerprint(30) for name in ("sls", "multipass", "soft") for s in (0, 1)}
    assert len(prints) == 5  # soft labels are the same for both seeds
    assert Counter(map(len, prints)) == {64: 5}


@pytest.mark.parametrize("k", [3, 5])
def test_the_order_of_multipass_on_a_subsample_is_uniform_given_its_content(k: int) -> None:
    """Where one chosen vote differs from the others, it stands at every place of the order equally often."""
    chosen = Votes.from_counts(np.tile([10, 6, 4], (20_000, 1))).subsample(k, seed=20)
    counts = chosen.counts()
    labels = np.stack(list(Multipass(chosen, seed=20).tape(k)))  # [k, N]
    for alone in range(3):
        items = np.flatnonzero(counts[:, alone] == 1)
        places = (labels[:, items] == alone).argmax(axis=0)
        assert chisquare(np.bincount(places, minlength=k)).pvalue > 1e-4
    check_delivery(Multipass(chosen, seed=20), epochs=k)


def test_an_order_that_depends_on_the_subsample_is_found() -> None:
    class Coupled(Multipass):
        def make_tables(self):
            first = np.sort(self.votes.label.reshape(len(self.votes), -1))  # the lowest class first
            return {**super().make_tables(), "label": first.ravel()}

    chosen = Votes.from_counts(np.tile([10, 6, 4], (200, 1))).subsample(3, seed=20)
    with pytest.raises(VotewiseError, match="but the vote shares imply about"):
        check_delivery(Coupled(chosen, seed=20))
