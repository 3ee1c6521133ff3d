"""Measurements: speed, memory, quality."""
