"""A run can be used: on its own held-out items it says what it said, and on new inputs something; and not on others."""

from pathlib import Path

import numpy as np
import pytest
import torch

from toy import toy_dataset
from votewise.datasets import Dataset, load_dataset
from votewise.errors import VotewiseError
from votewise.training import Recipe, Run, fit
from votewise.votes import Votes


def features(items: int = 60) -> Dataset:
    draw = np.random.default_rng(3)
    votes = Votes.from_counts(draw.multinomial(5, [0.5, 0.3, 0.2], size=items), classes=["a", "b<", "c,d"])
    return Dataset(name="features", inputs=draw.normal(5, 3, (items, 4)).astype(np.float32), votes=votes)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Dataset, Run]]:
    store = tmp_path_factory.mktemp("store")
    some = {"pictures": (toy_dataset(60), "digits"), "features": (features(), "mlp")}
    return {
        name: (data, fit(data, "soft", Recipe.preset("demo", model=model, epochs=2), store=store))
        for name, (data, model) in some.items()
    }


@pytest.mark.parametrize("name", ["pictures", "features"])
@pytest.mark.parametrize("checkpoint", ["best", "last"])
def test_it_says_of_held_out_items_what_was_scored(
    runs: dict[str, tuple[Dataset, Run]], name: str, checkpoint: str
) -> None:
    data, run = runs[name]
    held_out = np.flatnonzero(np.isin(data.votes.row, run.predictions.row))
    said = run.predict(data.inputs[held_out], checkpoint)  # type: ignore[arg-type]
    np.testing.assert_allclose(np.log(said), run.checkpoint(checkpoint).log_probabilities, atol=1e-4)
    np.testing.assert_allclose(run.predict(data, checkpoint)[held_out], said, atol=1e-5)  # type: ignore[arg-type]
    assert run.classes == [str(each) for each in data.votes.classes] == Run(str(run.folder)).classes
    assert run.predict(data.inputs[:0]).shape == (0, len(run.classes))


def test_tensors_of_any_kind_are_inputs(runs: dict[str, tuple[Dataset, Run]]) -> None:
    data, run = runs["features"]
    rows = np.round(data.inputs[:3])
    tensor = torch.from_numpy(rows)
    for inputs in (tensor.clone().requires_grad_(), tensor.bfloat16(), tensor.to_sparse(), list(tensor), rows.tolist()):
        np.testing.assert_array_equal(run.predict(inputs), run.predict(rows))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "inputs", "words"),
    [
        ("features", np.zeros((3, 5)), r"shape \(3, 5\) .* trained on features \[n, 4\]"),
        ("features", np.full((3, 4), np.nan), "NaN or infinite"),
        ("features", np.array([["a"] * 4]), "trained on features"),
        ("features", [[1.0, 2.0], [3.0]], "trained on features"),
        ("features", torch.zeros(3, 4, device="meta"), "trained on features"),
        ("pictures", np.zeros((3, 10, 10, 1)), r"float64, but the run was trained on images \(uint8\)"),
    ],
)
def test_inputs_of_another_form_are_refused(
    runs: dict[str, tuple[Dataset, Run]], name: str, inputs: np.ndarray, words: str
) -> None:
    with pytest.raises(VotewiseError, match=words):
        runs[name][1].predict(inputs)


@pytest.mark.parametrize("name", ["pictures", "features"])
@pytest.mark.parametrize("checkpoint", ["best", "last"])
def test_its_model_takes_normalised_inputs_and_gives_the_logits_of_predict(
    runs: dict[str, tuple[Dataset, Run]], name: str, checkpoint: str
) -> None:
    data, run = runs[name]
    net, model = run.summary["net"], run.model(checkpoint)  # type: ignore[arg-type]
    values = data.inputs / 255 if data.images else data.inputs
    values = torch.tensor((values - net["mean"]) / net["std"], dtype=torch.float32)
    with torch.no_grad():
        logits = model(values.permute(0, 3, 1, 2) if data.images else values)
    assert not model.training
    np.testing.assert_allclose(logits.softmax(1), run.predict(data, checkpoint), atol=1e-5)  # type: ignore[arg-type]


def test_the_history_has_a_line_for_each_epoch(runs: dict[str, tuple[Dataset, Run]]) -> None:
    history = runs["features"][1].history
    assert [line["epoch"] for line in history] == [0, 1]
    assert set(history[0]) == {"epoch", "lr", "train_loss", "soft_nll", "majority_nll", "accuracy"}
    assert [key for key in history[0] if key not in (Run.history.__doc__ or "")] == []


def test_a_checkpoint_that_there_is_not(runs: dict[str, tuple[Dataset, Run]]) -> None:
    with pytest.raises(VotewiseError, match="choose best or last"):
        runs["features"][1].predict(np.zeros((1, 4)), "../best")  # type: ignore[arg-type]
    with pytest.raises(VotewiseError, match="choose best or last"):
        runs["features"][1].model("../best")  # type: ignore[arg-type]


def test_a_run_of_before_says_that_it_cannot(tmp_path: Path) -> None:
    (tmp_path / "scores.json").write_text("{}")
    with pytest.raises(VotewiseError, match="train it again"):
        Run(tmp_path).predict(load_dataset("digits"))
