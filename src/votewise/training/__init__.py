"""One model at a time: method, recipe, the loop, and a run that is exact to the bit."""

from votewise.training.config import Config, Split, Subsample
from votewise.training.environment import Engine
from votewise.training.fitting import fit, suited
from votewise.training.folder import finished
from votewise.training.loop import Progress, Trained, train
from votewise.training.method import METHODS, Method, method
from votewise.training.problem import Problem
from votewise.training.recipe import Recipe, preset
from votewise.training.run import Run, complete, configure

__all__ = [
    "METHODS", "Config", "Engine", "Method", "Problem", "Progress", "Recipe", "Run", "Split", "Subsample", "Trained",
    "complete", "configure", "finished", "fit", "method", "preset", "suited", "train",
]  # fmt: skip
