"""The probes of stored runs by name. The registry, the documentation and the help of `votewise probe` share this list. This module imports nothing."""

SUMMARIES = {
    "curvature": "how sharp the minimum is: extreme eigenvalues and trace of the Hessian",
    "spectrum": "the density of the Hessian's eigenvalues",
    "barrier": "how far the loss rises on the straight line between two runs",
    "representation": "how similar the features and Grad-CAM maps of two runs are",
    "noise": "whether gradients are noisy where annotators disagree",
    "dynamics": "when a run comes close to its best epoch",
    "ood": "how well a run detects out-of-distribution inputs",
    "reliability": "whether the confidence of a run matches its accuracy",
    "diagnosis": "whether hard labels beat soft labels where few votes mislead",
    "spread": "whether predictions are as spread out as the votes",
    "same-winner": "which of two runs is closer to the votes where both are right",
    "examples": "votes and the predictions of two runs for a few items",
}

CHUNK = 256  # default number of examples at a time, which limits the memory of a probe
