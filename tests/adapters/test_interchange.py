"""Votes in the frames of crowd-kit and cleanlab and in Hugging Face datasets, and back, through the real packages."""

from __future__ import annotations

import numpy as np
import pytest
from datasets import ClassLabel, Dataset, Features, List, Value

from votewise import DroppedVotes, Votes, VotewiseError
from votewise.adapters.cleanlab import from_cleanlab, to_cleanlab
from votewise.adapters.crowdkit import from_crowdkit, from_crowdkit_probabilities, to_crowdkit
from votewise.adapters.hf_datasets import from_dataset, to_dataset


def annotated(items: int = 40, annotators: int = 8) -> Votes:
    rng = np.random.default_rng(0)
    item, who = (a.ravel() for a in np.meshgrid(np.arange(items), np.arange(annotators), indexing="ij"))
    kept = rng.random(len(item)) < 0.6
    kept |= who == item % annotators
    label = np.array(["no", "maybe", "yes"])[np.minimum(rng.poisson(item % 3), 2)]
    names = [f"item-{i}" for i in item[kept]]
    return Votes.from_long(names, label[kept].tolist(), [f"ann-{w}" for w in who[kept]], classes=["no", "maybe", "yes"])


VOTES = annotated()


@pytest.mark.filterwarnings("ignore:The (inplace|copy) keyword:DeprecationWarning")  # crowd-kit 1.4 on pandas 3.1
def test_crowd_kit_takes_the_frame_and_gives_it_back() -> None:
    from crowdkit.aggregation import DawidSkene, MajorityVote

    frame = to_crowdkit(VOTES)
    assert list(frame.columns) == ["task", "worker", "label"]
    assert from_crowdkit(frame.sample(frac=1, random_state=0), VOTES.classes) == VOTES
    shares = from_crowdkit_probabilities(MajorityVote().fit_predict_proba(frame), VOTES)
    np.testing.assert_allclose(shares.probabilities(), VOTES.probabilities(), atol=1e-12)
    assert shares.items.tolist() == VOTES.items.tolist()
    skilled = from_crowdkit_probabilities(DawidSkene(n_iter=20).fit_predict_proba(frame), VOTES)
    assert skilled.classes == VOTES.classes


def test_cleanlab_takes_the_table_and_gives_it_back() -> None:
    from cleanlab.multiannotator import get_label_quality_multiannotator, get_majority_vote_label

    table = to_cleanlab(VOTES)
    assert from_cleanlab(table.iloc[:, ::-1], VOTES.classes) == VOTES
    majority = get_majority_vote_label(table.reset_index(drop=True))
    alone = ~VOTES.tied()
    np.testing.assert_array_equal(majority[alone], VOTES.majority()[alone])
    predicted = 0.9 * VOTES.probabilities() + 0.1 / 3
    quality = get_label_quality_multiannotator(table.reset_index(drop=True), predicted, verbose=False)
    assert quality["label_quality"]["num_annotations"].tolist() == VOTES.votes_per_item.tolist()


def test_a_dataset_takes_the_votes_and_gives_them_back() -> None:
    dataset = to_dataset(VOTES)
    assert dataset.features["labels"].feature.names == ["no", "maybe", "yes"]
    assert from_dataset(dataset, labels="labels", annotators="annotators", item="item") == VOTES
    assert (
        from_dataset(dataset, counts="counts", item="item", classes=VOTES.classes).counts().tolist()
        == VOTES.counts().tolist()
    )
    long = Dataset.from_polars(VOTES.to_polars())
    assert Votes.from_frame(long.to_polars(), classes=VOTES.classes) == VOTES


def test_rows_of_a_dataset_keep_their_order_and_may_be_empty() -> None:
    rows = {"id": ["b", "a", "c"], "said": [["yes", "no"], [], ["yes"]], "share": [[0.5, 0.5], [0.1, 0.9], [1.0, 0.0]]}
    dataset = Dataset.from_dict(rows)
    votes = from_dataset(dataset, labels="said", item="id")
    assert votes.items.tolist() == ["b", "a", "c"]
    assert votes.counts().tolist() == [[1, 1], [0, 0], [0, 1]]
    assert from_dataset(dataset, probabilities="share").probabilities()[1].tolist() == [0.1, 0.9]


def coded(*rows: list[int | None], names: list[str] | None = None) -> Dataset:
    features = Features({"labels": List(Value("int64") if names is None else ClassLabel(names=names))})
    return Dataset.from_dict({"labels": list(rows)}, features=features)


def test_missing_labels_of_a_dataset_are_dropped_and_reported() -> None:
    with pytest.warns(DroppedVotes, match="dropped 2: no label"):
        votes = from_dataset(coded([0, -1], [1, None, 1], names=["a", "b", "c"]), labels="labels")
    assert votes.counts().tolist() == [[1, 0, 0], [0, 2, 0]]


def test_class_numbers_are_only_read_if_they_cannot_be_names() -> None:
    ratings = coded([1, 2], [3, 3])
    with pytest.raises(VotewiseError, match="label 1 could be a class number or the name of a class"):
        from_dataset(ratings, labels="labels", classes=list("12345"))
    assert from_dataset(ratings, labels="labels", classes=list("0123")).counts().tolist() == [
        [0, 1, 1, 0],
        [0, 0, 0, 2],
    ]
    stars = from_dataset(coded([0, 1], names=["1", "2"]), labels="labels")
    assert stars.counts().tolist() == [[1, 1]]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: to_crowdkit(Votes.from_counts([[1, 2]])), "needs the annotator of every vote"),
        (lambda: to_cleanlab(Votes.from_counts([[1, 2]])), "needs the annotator of every vote"),
        (lambda: from_cleanlab(to_cleanlab(VOTES), ["no", "maybe"]), "class number 2 has no name"),
        (lambda: from_dataset(to_dataset(VOTES)), "one of labels="),
        (lambda: from_dataset(coded([0, 3]), labels="labels", classes=["a", "b"]), "label 3 is not a class number"),
        (
            lambda: from_dataset(
                Dataset.from_dict({"labels": [["a", "b"], ["a"]], "who": [["x"], ["y", "z"]]}),
                labels="labels",
                annotators="who",
            ),
            "row 0 has 2 labels and 1 annotator",
        ),
        (lambda: from_dataset(to_dataset(VOTES), labels="votes"), "column 'votes' is missing; the columns are 'item'"),
    ],
)
def test_what_is_not_there_is_named(call, sentence: str) -> None:
    with pytest.raises(VotewiseError, match=sentence):
        call()
