"""The functions that a graph node may call, over short answers as text."""
