"""Sentences, tokens, numbers and dates: plain functions over strings.

Nothing here reads or writes anything. Offsets are code points into the given text, half-open, and what is returned as
`text` is always exactly `source[start:end]`.
"""
