"""Train on the votes, not the verdict."""
