"""Keras looks for TensorFlow unless it is told otherwise, and Hugging Face for the network; both before they are imported."""

import os

os.environ.setdefault("KERAS_BACKEND", "torch")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
