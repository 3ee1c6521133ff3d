"""Fits the weights that the suite ships as data, each judged on what it wasn't fitted to: `python -m bench.fit`."""
