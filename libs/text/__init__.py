"""Sentences, tokens, numbers and dates: plain functions over strings.

Nothing here does I/O. Offsets are half-open, in code points of the given text, and a returned `text` is always exactly
`source[start:end]`.
"""
