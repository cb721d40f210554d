"""Benchmarks that measure ratios side by side in one run; `make bench` writes them to benchmarks/results.json with the machine."""
