"""Mathematics and procedure: what holds whatever is trained. Tests of the library prove it; they run with every change."""

from __future__ import annotations

from votewise.papers.basins.claims.paper import BASINS, proven
from votewise.papers.claims import Verdict, View

claim = BASINS.section("Mathematics and procedure")

PROPOSITION = "tests/delivery/test_proposition.py"
DELIVERIES = "tests/delivery/test_deliveries.py"
VOTES = "tests/votes/test_votes.py"
ENUMERATED = f"{PROPOSITION}::test_equations_4_to_6_and_8_by_enumeration"
SAMPLED = f"{PROPOSITION}::test_equations_4_to_8_by_sampling_the_labels_that_sls_delivers"


@claim(
    "M1", "The expected hard-label loss under labels drawn from p is the soft cross-entropy H(p, q).",
    kind="arithmetic", where="Prop. 1, eq. 4", how="Identity: by enumeration and by sampling.", published="an identity",
)  # fmt: skip
def m1(r: View) -> Verdict:
    return proven(ENUMERATED, SAMPLED)


@claim(
    "M2", "The expected logit gradient of the sampled loss is q − p.",
    kind="arithmetic", where="eq. 5", how="Identity: against automatic differentiation.", published="an identity",
)  # fmt: skip
def m2(r: View) -> Verdict:
    return proven(ENUMERATED, SAMPLED)


@claim(
    "M3", "The covariance of that gradient is Diag(p) − ppᵀ and does not depend on q.",
    kind="arithmetic", where="eq. 6", how="Identity: by enumeration and by sampling.", published="an identity",
)  # fmt: skip
def m3(r: View) -> Verdict:
    return proven(ENUMERATED, SAMPLED)


@claim(
    "M4", "In parameter space the covariance is Jᵀ(Diag(p) − ppᵀ)J, with J the Jacobian of the logits.",
    kind="arithmetic", where="eq. 7", how="Identity: on a small network.", published="an identity",
)  # fmt: skip
def m4(r: View) -> Verdict:
    return proven(f"{PROPOSITION}::test_equation_7_on_a_small_net_with_its_jacobian")


@claim(
    "M5", "The expected squared norm of q − e_y is ‖q − p‖² + 1 − ‖p‖².",
    kind="arithmetic", where="eq. 8", how="Identity: by enumeration and by sampling.", published="an identity",
)  # fmt: skip
def m5(r: View) -> Verdict:
    return proven(ENUMERATED, SAMPLED)


@claim(
    "M6", "The extra term 1 − ‖p‖² is zero only for one-hot targets and grows with disagreement.",
    kind="arithmetic", where="text after eq. 8",
    how="Identity: zero if and only if p is one-hot; never smaller after p is averaged with a permutation of itself.",
    published="no number; over the CIFAR-10H counts its rank correlation with entropy is 0.999 (ours)",
)  # fmt: skip
def m6(r: View) -> Verdict:
    return proven(
        f"{PROPOSITION}::test_the_extra_variance_is_zero_for_one_hot_targets_alone_and_grows_with_disagreement"
    )


@claim(
    "M7", "At fixed weights the expectation of the SLS objective over a dataset is the soft-label objective.",
    kind="arithmetic", where="sections 1, 3",
    how="Identity: the mean SLS loss over many epochs lies within four standard errors of the soft loss.", published="an identity",
)  # fmt: skip
def m7(r: View) -> Verdict:
    return proven(f"{PROPOSITION}::test_over_a_data_set_the_sls_loss_has_the_soft_loss_as_its_expectation")


@claim(
    "P1", "Multipass delivers every vote of an item once in each cycle of as many epochs as it has votes, in an order shuffled once.",
    kind="procedure", where="sections 3, A.1", how="Property test of the delivery.",
)  # fmt: skip
def p1(r: View) -> Verdict:
    return proven(
        f"{DELIVERIES}::test_multipass_gives_each_vote_exactly_once_in_every_cycle",
        f"{DELIVERIES}::test_the_order_of_multipass_on_a_subsample_is_uniform_given_its_content",
    )


@claim(
    "P2", "Deterministic control is multipass with the shuffle seed moved by 1000, and draws nothing.",
    kind="procedure", where="sections 3, A.1", how="Equality of the labels it delivers.", published="an offset of 1000",
)  # fmt: skip
def p2(r: View) -> Verdict:
    return proven(f"{DELIVERIES}::test_deterministic_control_is_multipass_at_the_seed_plus_1000")


@claim(
    "P3", "Shuffled SLS permutes the distributions of the training items once: the same distributions, on other items.",
    kind="procedure", where="sections 3, A.1", how="Equality of the sorted distributions; evaluation targets are untouched.",
)  # fmt: skip
def p3(r: View) -> Verdict:
    return proven(
        f"{DELIVERIES}::test_shuffled_sls_keeps_the_distributions_and_breaks_the_pairing",
        f"{DELIVERIES}::test_shuffled_sls_gives_training_no_vote_of_an_item_outside_it",
    )


@claim(
    "P4", "SLS draws one label per item at the start of each epoch from its votes; with interval R it keeps the label for R epochs.",
    kind="procedure", where="sections 3, 5.1", how="Frequencies of the labels against the votes; constancy inside blocks of R epochs.",
)  # fmt: skip
def p4(r: View) -> Verdict:
    return proven(
        f"{DELIVERIES}::test_sls_draws_each_label_as_often_as_people_chose_it",
        f"{DELIVERIES}::test_resampling_every_r_epochs_keeps_the_label_of_a_block",
    )


@claim(
    "P5", "Sub-sampled counts are independent multinomial draws that sum to K; those of two K are not nested.",
    kind="procedure", where="sections 4, A.1", how="Property test of the sub-samples.", published="K = 5, 10, 25, 50",
)  # fmt: skip
def p5(r: View) -> Verdict:
    return proven(
        f"{VOTES}::test_resampled_counts_sum_to_k_and_stay_in_the_support",
        f"{VOTES}::test_resampling_draws_from_the_distribution_and_is_not_nested",
    )
