"""Mathematics and procedures that hold for any model. They are proven by tests of the library, which run with every change."""

from __future__ import annotations

from collections.abc import Iterable

from votewise.papers.basins.claims.shared import BASINS
from votewise.papers.claims import Verdict
from votewise.papers.claims.claim import Decide

claim = BASINS.section("Mathematics and procedure")

PROPOSITION, DELIVERIES, VOTES = "delivery/test_proposition.py", "delivery/test_deliveries.py", "votes/test_votes.py"
TWICE = ("equations_4_to_6_and_8_by_enumeration", "equations_4_to_8_by_sampling_the_labels_that_sls_delivers")


IDENTITIES = (  # id, statement, place, how it is shown, what is published, tests that prove it
    ("M1", "The expected hard-label loss under labels drawn from p is the soft cross-entropy H(p, q).", "Prop. 1, eq. 4",
     "The identity is checked by enumeration and by sampling.", "an identity", PROPOSITION, TWICE),
    ("M2", "The expected logit gradient of the sampled loss is q − p.", "eq. 5",
     "The identity is checked against automatic differentiation.", "an identity", PROPOSITION, TWICE),
    ("M3", "The covariance of that gradient is Diag(p) − ppᵀ and does not depend on q.", "eq. 6",
     "The identity is checked by enumeration and by sampling.", "an identity", PROPOSITION, TWICE),
    ("M4", "In parameter space the covariance is Jᵀ(Diag(p) − ppᵀ)J, with J the Jacobian of the logits.", "eq. 7",
     "The identity is checked on a small network.", "an identity", PROPOSITION, ("equation_7_on_a_small_net_with_its_jacobian",)),
    ("M5", "The expected squared norm of q − e_y is ‖q − p‖² + 1 − ‖p‖².", "eq. 8",
     "The identity is checked by enumeration and by sampling.", "an identity", PROPOSITION, TWICE),
    ("M6", "The extra term 1 − ‖p‖² is zero only for one-hot targets and grows with disagreement.", "text after eq. 8",
     "The term is zero if and only if p is one-hot, and never becomes smaller if p is averaged with a permutation of itself.", "no number; our calculation of its rank correlation with entropy over the CIFAR-10H counts: 0.999", PROPOSITION, ("the_extra_variance_is_zero_for_one_hot_targets_alone_and_grows_with_disagreement",)),
    ("M7", "At fixed weights the expectation of the SLS objective over a dataset is the soft-label objective.", "sections 1, 3",
     "The mean SLS loss over many epochs is within four standard errors of the soft loss.", "an identity", PROPOSITION, ("over_a_data_set_the_sls_loss_has_the_soft_loss_as_its_expectation",)),
)  # fmt: skip
PROCEDURES = (
    ("P1", "For an item with m votes, multipass delivers every vote once in each cycle of m epochs, in an order that is shuffled once.", "sections 3, A.1",
     "A property test of the delivery.", "", DELIVERIES, ("multipass_gives_each_vote_exactly_once_in_every_cycle", "the_order_of_multipass_on_a_subsample_is_uniform_given_its_content")),
    ("P2", "Deterministic control is multipass with an offset of 1000 in the shuffle seed, and has no random draws.", "sections 3, A.1",
     "The delivered labels are equal.", "an offset of 1000", DELIVERIES, ("deterministic_control_is_multipass_at_the_seed_plus_1000",)),
    ("P3", "Shuffled SLS permutes the distributions of the training items once: the distributions stay the same, but belong to other items.", "sections 3, A.1",
     "The sorted distributions are equal, and evaluation targets are unchanged.", "", DELIVERIES, ("shuffled_sls_keeps_the_distributions_and_breaks_the_pairing", "shuffled_sls_gives_training_no_vote_of_an_item_outside_it")),
    ("P4", "SLS draws one label per item from its votes at the start of each epoch; with an interval of R, it keeps the label for R epochs.", "sections 3, 5.1",
     "The frequencies of the labels match the votes, and labels are constant within blocks of R epochs.", "", DELIVERIES, ("sls_draws_each_label_as_often_as_people_chose_it", "resampling_every_r_epochs_keeps_the_label_of_a_block")),
    ("P5", "Sub-sampled counts are independent multinomial draws that sum to K; counts for different K are not nested.", "sections 4, A.1",
     "A property test of the sub-samples.", "K = 5, 10, 25, 50", VOTES, ("resampled_counts_sum_to_k_and_stay_in_the_support", "resampling_draws_from_the_distribution_and_is_not_nested")),
)  # fmt: skip


def _proven(file: str, tests: Iterable[str]) -> Decide:
    named = ", ".join(f"tests/{file}::test_{test}" for test in tests)
    return lambda _: Verdict(outcome="reproduced", reason=f"proven by {named}")


for kind, rows in (("arithmetic", IDENTITIES), ("procedure", PROCEDURES)):
    for id, statement, where, how, published, file, tests in rows:
        claim(id, statement, _proven(file, tests), kind=kind, where=where, how=how, published=published)
