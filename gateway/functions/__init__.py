"""The functions that a node of a graph may call, over short answers in words."""
