"""One model at a time: method, recipe, the loop, and a run that is exact to the bit."""

from votewise.training.checkpoint import CHECKPOINTS, check_checkpoint, load_model
from votewise.training.complete import complete, scores_of
from votewise.training.config import Config, Split, Subsample, configure
from votewise.training.environment import Engine
from votewise.training.fitting import fit
from votewise.training.image_inputs import Clean, Normaliser
from votewise.training.loop import Progress, Trained, train
from votewise.training.method import METHODS, Method, method
from votewise.training.models import Net, build
from votewise.training.problem import Problem
from votewise.training.recipe import Recipe, model_for, preset_for, presets
from votewise.training.run import Run
from votewise.training.run_results import Checkpoint, Interpolation, Predictions
from votewise.training.text_inputs import CleanTexts

__all__ = [
    "CHECKPOINTS", "METHODS", "Checkpoint", "Clean", "CleanTexts", "Config", "Engine", "Interpolation", "Method", "Net", "Normaliser", "Predictions",
    "Problem", "Progress", "Recipe", "Run", "Split", "Subsample", "Trained",
    "build", "check_checkpoint", "complete", "configure", "fit", "load_model", "method", "model_for", "preset_for", "presets", "scores_of", "train",
]  # fmt: skip
