"""The other engines, each in one process, built as its documentation says: a module each, whose `build` makes it.

Hybrid retrieval of their own, a rewriting step, a streamed answer.
"""
