"""Settings before the first import: Keras uses torch instead of TensorFlow, and Hugging Face does not use the network."""

import os

os.environ.setdefault("KERAS_BACKEND", "torch")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
