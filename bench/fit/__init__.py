"""Fits the weights that are data of a package: `python -m bench.fit`."""
