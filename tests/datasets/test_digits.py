"""The embedded digits: what they are once, they are for good."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from scipy import stats

from votewise.datasets import load_dataset
from votewise.datasets.digits import answers, rounded


@pytest.fixture(scope="module")
def digits():
    return load_dataset("digits")


def test_golden_fingerprints(digits) -> None:
    """A change here is a change of meaning: every run on the digits becomes another run."""
    assert digits.fingerprint == "d309035076447c30a7a16065531ff0c6cd1547746ee45e34602c89224015422e"
    assert digits.votes.fingerprint == "bd4fc9c9e793535d885d6c05e1fcdc2d36f9f4ccdd496c91e81ca46bf7a3e574"
    assert digits.truth.fingerprint == "3325a757f7896eaaa7488b510782caf616dcdd49a0a5c354e4ce62dde05d9aab"


def test_golden_inputs_out_of_distribution(digits) -> None:
    found = {name: hashlib.sha256(digits.ood[name].tobytes()).hexdigest() for name in digits.ood}
    assert found == {
        "near": "13a95d8bb08880ea3ec2a36fd9bfb0dd08d8a399af2e0d0c307751ba17bebe0b",
        "far": "1b7989996631891fdb6f4ee6aabe63075dae7dc33f5c82de729184e5ecb8e602",
    }


def test_shapes_and_statistics(digits) -> None:
    assert digits.inputs.shape == (3600, 10, 10, 1)
    assert digits.inputs.dtype == np.uint8
    assert (digits.votes.votes_per_item == 50).all()
    assert digits.augment == ()
    scaled = digits.inputs / 255
    assert digits.mean == pytest.approx((scaled.mean(),))
    assert digits.std == pytest.approx((scaled.std(),))
    assert load_dataset("digits") is digits


def test_probabilities_are_exact_multiples_and_sum_to_one(digits) -> None:
    grains = digits.truth.probability * 2**24
    assert (grains == np.rint(grains)).all()
    assert (digits.truth.probability.sum(axis=1) == 1).all()


def test_no_other_exp_could_round_a_probability_differently() -> None:
    """The last bits of exp() differ between machines, by some 1e-16: all values lie much further from the middle of two grains."""
    p = answers(np.arange(3600))
    beyond = p * 2**24 % 1
    assert np.abs(beyond - 0.5).min() > 1e-5
    assert 1e-5 > 1000 * 4e-16 * 2**24
    assert np.abs(rounded(p) - p).max() <= 5 * 2**-24


def test_people_disagree_by_0_89_nats_and_mostly_name_the_larger_digit(digits) -> None:
    entropy = digits.truth.entropy()
    assert entropy.mean() == pytest.approx(0.888, abs=0.001)
    assert (digits.truth.majority() != digits.labels).sum() <= 2  # two digits of nearly the same share
    assert (digits.truth.probability >= 0.04 * 0.05 - 2**-24).all()  # the least lapse, half of it over ten classes
    assert np.bincount(digits.labels, minlength=10).min() >= 340
    assert np.bincount(digits.labels, minlength=10).max() <= 386


def test_three_of_ten_items_show_one_digit(digits) -> None:
    """With one digit alone all other answers are chance, in the same proportions whatever the difficulty."""
    alone = np.zeros(3600, np.bool_)
    for label in range(10):
        item = np.flatnonzero(digits.labels == label)
        p = digits.truth.probability[item]
        others = np.delete(p, label, axis=1) / (1 - p[:, [label]])
        alone[item] = (
            np.abs(others - others[p[:, label].argmax()]).max(axis=1) < 1e-4
        )  # the surest item shows one digit
    assert alone.mean() == pytest.approx(0.3, abs=0.02)
    assert digits.truth.entropy()[alone].mean() < digits.truth.entropy()[~alone].mean()


def test_the_votes_are_draws_from_the_truth(digits) -> None:
    p, counts = digits.truth.probability, digits.votes.counts()
    chi2 = ((counts - 50 * p) ** 2 / (50 * p)).sum()
    degrees = 3600 * 9
    assert stats.chi2.sf(chi2, degrees) > 0.001
    assert stats.chi2.cdf(chi2, degrees) > 0.001
    assert digits.votes.entropy().mean() < digits.truth.entropy().mean()  # few votes look surer than people are


def test_drawing_again_gives_other_votes(digits) -> None:
    """The votes have a stream of their own: to resample with any seed does not find the same bits again."""
    for seed in range(3):
        again = digits.votes.resample(50, seed).counts()
        changed = np.abs(again - digits.votes.counts()).sum(axis=1)
        assert changed.mean() > 5


def test_a_simple_reader_sees_the_digits(digits) -> None:
    """The images show what the labels say: nearest neighbours find the class of two thirds and more of the unseen items."""
    from sklearn.neighbors import KNeighborsClassifier

    x = digits.inputs.reshape(3600, -1) / 255
    easy = digits.truth.entropy() < 0.6
    model = KNeighborsClassifier(3).fit(x[:3000][easy[:3000]], digits.labels[:3000][easy[:3000]])
    assert model.score(x[3000:][easy[3000:]], digits.labels[3000:][easy[3000:]]) > 0.66


def test_near_and_far_are_of_another_kind(digits) -> None:
    near, far = digits.ood["near"], digits.ood["far"]
    assert list(digits.ood) == ["near", "far"]
    assert near.shape == far.shape == (1000, 10, 10, 1)
    assert near.dtype == far.dtype == np.uint8
    assert not near.flags.writeable
    assert digits.ood["near"] is near
    static, boards = far[:500], far[500:]
    levels = np.bincount(static.ravel(), minlength=256)
    assert stats.chisquare(levels).pvalue > 0.001
    assert all(len(np.unique(board)) == 2 for board in boards)
    known = {image.tobytes() for image in digits.inputs}
    assert not any(image.tobytes() in known for image in np.concatenate([near, far]))
    assert not any(np.ascontiguousarray(np.rot90(image, -1)).tobytes() in known for image in near[:500])
