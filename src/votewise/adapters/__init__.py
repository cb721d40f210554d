"""Use deliveries and scores inside other frameworks.

This module imports no framework. The adapters are separate modules, imported by name, each with an extra:

    votewise.adapters.torch          cross_entropy: classes and distributions, in any precision
    votewise.adapters.huggingface    VotesTrainer: a Trainer that trains on a delivery and evaluates against votes
    votewise.adapters.lightning      VotesCallback
    votewise.adapters.keras          VotesDataset, for the torch and the JAX backend
    votewise.adapters.skorch         VotesNet
    votewise.adapters.sklearn        VotesClassifier, and `one_row_per_vote` for any classifier with sample weights
    votewise.adapters.hf_datasets    converts columns of a Hugging Face dataset to votes and back
    votewise.adapters.crowdkit, votewise.adapters.cleanlab    convert their frames to votes and back

JAX needs no adapter: `fn, tables = delivery.jax()` works inside `jit`.
"""

from votewise.adapters.check import check_adapter
from votewise.adapters.metrics import SoftScores
from votewise.adapters.targets import Targets
from votewise.delivery import require_fit

__all__ = ["SoftScores", "Targets", "check_adapter", "require_fit"]
