"""Graphs of sub-queries: how their nodes are run, and the functions that a node may call over short answers."""
