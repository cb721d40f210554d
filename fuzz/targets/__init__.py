"""Test targets: one module per target, each with its `TARGET`."""
