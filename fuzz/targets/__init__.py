"""What is tested: one module per target, each with its `TARGET`."""
