"""Readers of annotation exports: one file per format, one table of them, detection by score."""
