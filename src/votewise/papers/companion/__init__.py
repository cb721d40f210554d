"""Soft-Label Training Preserves Epistemic Uncertainty (Singh, Tiwari, Hasanbeig and Gupta)."""
