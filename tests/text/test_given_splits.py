"""Given splits: by a column or by files, for every kind of input; the best epoch is chosen on validation, the result is on test."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import votewise as vw
from votewise.errors import VotewiseError
from votewise.training import Problem, configure, method

TRAIN = "id,annotator,label,text\n1,ann,a,one\n1,bob,b,one\n2,ann,b,two\n3,ann,a,three\n4,bob,b,four\n"
DEV = "id,annotator,label,text\n5,cid,a,five\n6,ann,b,six\n"
TEST = "id,annotator,label,text\n7,ann,c,seven\n8,bob,b,one\n"


def files(folder: Path, **changed: str) -> dict[str, Path]:
    content = {"votes": TRAIN, "validation": DEV, "test": TEST} | changed
    for name, text in content.items():
        (folder / f"{name}.csv").write_text(text)
    return {name: folder / f"{name}.csv" for name in content}


def problem(data: vw.Dataset, **split: object) -> Problem:
    return Problem(
        data, configure(data, method("soft"), vw.Recipe.for_dataset(data, model="linear"), split=vw.Split(**split))
    )  # type: ignore[arg-type]


def test_files_are_the_parts_and_what_they_do_not_share_is_reported(tmp_path: Path) -> None:
    data = vw.Dataset.from_files(text="text", **files(tmp_path))  # type: ignore[arg-type]
    assert data.inputs.ravel().tolist() == ["one", "two", "three", "four", "five", "six", "seven", "one"]
    assert data.votes.classes == ("a", "b", "c")
    assert data.votes.counts()[[0, 6]].tolist() == [[1, 1, 0], [0, 0, 1]]
    assert data.parts is not None
    assert data.parts.tolist() == [0, 0, 0, 0, 1, 1, 2, 2]
    sizes, *rest = data.remarks
    assert sizes == "4 train, 2 validation, 2 test items"
    assert [line.split(":")[0] for line in rest] == [
        "1 of 2 annotators in validation and not in training",
        "1 class in test and not in training",
        "1 input of test is also in training",
    ]


def features(folder: Path, **changed: str) -> vw.Dataset:
    np.savez(folder / "x.npz", inputs=np.arange(16.0).reshape(8, 2), items=np.array([str(n) for n in range(1, 9)]))
    return vw.Dataset.from_files(folder / "x.npz", **files(folder, **changed))  # type: ignore[arg-type]


def test_features_take_the_same_files_and_roles(tmp_path: Path) -> None:
    data = features(tmp_path)
    task = problem(data)
    assert (task.training.tolist(), task.selection.tolist(), task.evaluation.tolist()) == ([0, 1, 2, 3], [4, 5], [6, 7])


def test_images_take_a_column(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.zeros((3, 4, 4, 1), np.uint8))
    (tmp_path / "votes.csv").write_text("id,label,split\n0,a,train\n1,b,dev\n2,a,train\n")
    data = vw.Dataset.from_files(tmp_path / "x.npy", tmp_path / "votes.csv", split="split")
    task = problem(data)
    assert (task.training.tolist(), task.selection.tolist(), task.evaluation.tolist()) == ([0, 2], [1], [1])


def test_a_given_split_can_be_ignored_and_is_part_of_the_identity(tmp_path: Path) -> None:
    data = features(tmp_path, test=TEST.replace(",c,", ",a,"))
    bare = vw.Dataset(data.inputs, data.votes)
    assert data.fingerprint != bare.fingerprint
    assert len(problem(data, given=False, fraction=0.25, seed=1).evaluation) == 2
    plain = configure(bare, method("soft")).identity
    assert "split" not in plain
    assert plain["schema"] == 1


def test_without_validation_a_share_of_training_may_choose(tmp_path: Path) -> None:
    data = features(tmp_path)
    parts = np.where(data.parts == 2, 2, 0)  # type: ignore[operator]
    some = vw.Dataset(data.inputs, data.votes, parts=parts)
    task = problem(some, selection=0.34)
    assert task.evaluation.tolist() == [6, 7]
    assert len(task.selection) == 2
    assert sorted([*task.training.tolist(), *task.selection.tolist()]) == [0, 1, 2, 3, 4, 5]
    with pytest.raises(VotewiseError, match="2 validation items"):
        problem(data, selection=0.2)


def test_the_checkpoint_is_chosen_on_validation_and_scored_on_test(tmp_path: Path) -> None:
    data = features(tmp_path)
    run = vw.fit(data, "soft", vw.Recipe.for_dataset(data, model="linear", epochs=6, lr=0.5), store=tmp_path / "store")
    by_validation = [line["selection_nll"] for line in run.history]
    assert run.best.epoch == int(np.argmin(by_validation))
    assert run.predictions.items is not None
    assert run.predictions.items.tolist() == ["7", "8"]
    assert run.best.scores["soft_nll"] == pytest.approx(run.history[run.best.epoch]["soft_nll"], rel=1e-5)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda d: vw.Dataset.from_files(text="text", split="x", **files(d)), "by files and by a column"),
        (lambda d: features(d, test=TEST.replace("7,", "1,")), "1 items are in two parts"),
        (
            lambda d: vw.Dataset([[1.0], [2.0]], vw.example_votes()[[0, 1]], parts=["train", "holdout"]),
            "unknown part 'holdout'",
        ),
        (
            lambda d: vw.Dataset([[1.0], [2.0]], vw.example_votes()[[0, 1]], parts=["train", "train"]),
            "all 2 items are for training",
        ),
    ],
)
def test_an_impossible_split_is_refused(make, said: str, tmp_path: Path) -> None:
    with pytest.raises(VotewiseError, match=said):
        make(tmp_path)


def test_ids_that_occur_in_two_files_of_texts_get_their_part_in_front(tmp_path: Path) -> None:
    data = vw.Dataset.from_files(text="text", **files(tmp_path, test=TEST.replace("7,", "1,")))  # type: ignore[arg-type]
    assert data.votes.items is not None
    assert data.votes.items.tolist()[0::6] == ["train/1", "test/1"]
