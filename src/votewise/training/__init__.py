"""Training one model: method, recipe, training loop, and the run that stores the result and can be reproduced to the bit.

Modules that need torch are imported on first use, so that plans, stores and reports work without torch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from votewise.importing import on_first_use
from votewise.training.config import Config, Split, Subsample, configure
from votewise.training.environment import Engine
from votewise.training.method import METHODS, Method, method
from votewise.training.recipe import Recipe, model_for, preset_for, presets
from votewise.training.run import Run
from votewise.training.run_results import CHECKPOINTS, Checkpoint, Interpolation, Predictions, check_checkpoint

if TYPE_CHECKING:
    from votewise.training.checkpoint import description, load_model
    from votewise.training.completing import complete, scores_of
    from votewise.training.fitting import fit
    from votewise.training.image_inputs import Clean, Normaliser
    from votewise.training.loop import Progress, Trained, learning_rate, measured, train
    from votewise.training.models import Net, build
    from votewise.training.problem import Problem
    from votewise.training.text_inputs import CleanTexts

__all__ = [
    "CHECKPOINTS", "METHODS", "Checkpoint", "Clean", "CleanTexts", "Config", "Engine", "Interpolation", "Method", "Net", "Normaliser", "Predictions",
    "Problem", "Progress", "Recipe", "Run", "Split", "Subsample", "Trained",
    "build", "check_checkpoint", "complete", "configure", "description", "fit", "learning_rate", "load_model", "measured", "method", "model_for", "preset_for", "presets", "scores_of", "train",
]  # fmt: skip

_WITH_TORCH = ("problem", "fitting", "completing", "image_inputs", "text_inputs", "models", "loop", "checkpoint")
__getattr__ = on_first_use(__name__, __all__, _WITH_TORCH)
