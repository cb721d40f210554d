"""What the numbers of the probes are, in a line each. The first pattern that fits a name explains it."""

from __future__ import annotations

from fnmatch import fnmatchcase

MEANINGS = {
    # curvature: _full on all held-out items, _high on the tenth of them that people disagree on most
    "lambda_max_*_residual": "an eigenvalue lies within this of lambda_max",
    "lambda_max_*": "largest eigenvalue of the Hessian (full: all items, high: the disputed tenth); larger is sharper",
    "lambda_min_*_residual": "an eigenvalue lies within this of lambda_min",
    "lambda_min_*": "smallest eigenvalue of the Hessian; well below 0 is a saddle",
    "lambda_power_*": "the eigenvalue of largest modulus, by power iteration",
    "trace_hutchinson_*_se": "standard error of that estimate",
    "trace_hutchinson_*": "trace of the Hessian by Hutchinson's estimate",
    "trace_*_se": "standard error of the trace",
    "trace_*": "trace of the Hessian, the sum of its eigenvalues; larger is sharper",
    "sharpness_*": "largest eigenvalue when weights are measured in units of themselves; larger is sharper",
    "weight_norm": "Euclidean norm of all trainable weights",
    "spectrum_mean": "mean eigenvalue of the Hessian, from the density of its spectrum",
    # barrier
    "barrier_reestimated": "the barrier with batch-norm statistics of each point's own",
    "barrier": "the most that the loss rises above the straight line between the ends; 0 is one valley",
    "loss_first": "soft NLL at the first end",
    "loss_second": "soft NLL at the second end",
    # representation
    "cka_debiased": "CKA without the bias of few items",
    "cka": "likeness of the penultimate layers (linear CKA); 1 is the same but for a rotation",
    "gradcam_correlation*": "correlation of the places where both look; 1 is the same place",
    "gradcam_overlap*": "share of the hottest pixels that both have; 1 is the same place",
    "gradcam_distance*": "pixels between the centres of where both look; 0 is the same place",
    "empty_maps": "items without a place to compare",
    "items_agreed": "items on which both name the majority",
    "items_high": "those of the items that people disagree on most",
    "items": "items that were compared",
    # noise
    "noise_correlation_sampled": "the same with the variance of drawn labels",
    "noise_correlation_disputed": "the same without unanimous items",
    "noise_correlation": "rank correlation of disagreement and gradient variance; 1 is noise where people disagree",
    "noise_share_high": "share of the variance on the tenth that people disagree on most; 0.1 if it were even",
    "noise_agreement": "rank correlation of the variance in closed form and the drawn one; near 1 where draws are enough",
    # dynamics
    "epoch_95": "first epoch within 5 % of the best soft NLL, counted from 0; lower is quicker",
    "best_epoch": "epoch of the lowest soft NLL, counted from 0",
    "soft_nll_end": "soft NLL of the last epoch",
    "epochs": "epochs of training",
    # ood: set and detector are in the name
    "auroc_*": "probability that an input of the set scores as stranger than a held-out one; 0.5 is a coin, 1 is best",
    "fpr95_*": "share of the set that passes where 95 % of the held-out inputs do; lower is better",
    "aupr_*": "average precision of finding the set among both; higher is better",
    "n_*": "inputs in the set",
    # reliability
    "smooth_ece": "how far confidence is from what comes true; lower is better",
    "diagonal_distance": "mean distance of the reliability curve from the diagonal; lower is better",
    # spread
    "entropy_pearson": "correlation of the entropies of predictions and votes; higher is better",
    "entropy_gap_high": "mean gap of the two entropies on the tenth that people disagree on most; lower is better",
    "peak_gap_high": "largest probability minus largest share of votes there; above 0 is too sure",
    "kl_low_third": "mean KL from the votes on the third that people agree on most; lower is better",
    "kl_high_third": "mean KL from the votes on the third that people disagree on most; lower is better",
    "vote_entropy_first_decile": "entropy of the votes that a tenth of the items are below; 0 unanimous, 1 evenly split",
    "vote_entropy_median": "entropy of the votes that half of the items are below",
    "vote_entropy_last_decile": "entropy of the votes that nine tenths of the items are below",
    "largest_class": "accuracy of always naming the commonest class",
    "constant_loss": "soft NLL of always giving the mean of the votes",
    "own_best_epoch": "epoch of the lowest validation loss of the run's own kind, counted from 0",
    "own_rise": "rise of that loss from there to the end, as a share",
    # same-winner
    "kl_gain_agreed": "median KL from the votes, first minus second, where both name the majority; above 0 the second is closer",
    # diagnosis: js_ and l1_ are distances of few votes from all; train_ is on items trained on
    "*_correlation_high": "the same on the tenth that people disagree on most",
    "*_correlation_partial": "the same with entropy held fixed",
    "*_correlation_disputed": "the same without unanimous items",
    "*_correlation": "rank correlation of the target's error and what hard delivery improves; above 0 it helps there",
    "*_lowest": "what hard delivery improves where targets are best, in nats",
    "*_highest": "what hard delivery improves where targets are poorest, in nats",
    "*_highest_high": "the same on the tenth that people disagree on most",
    "*_others_high": "what it improves on the rest of that tenth",
}


def meaning(name: str) -> str:
    """What the number called `name` is; nothing where nobody said.

    >>> meaning("auroc_near_energy").partition(";")[0]
    'probability that an input of the set scores as stranger than a held-out one'
    """
    return next((what for pattern, what in MEANINGS.items() if fnmatchcase(name, pattern)), "")
