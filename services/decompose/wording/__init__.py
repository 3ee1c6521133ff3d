"""The stand-alone wording of a turn, without a language model.

A small network, fitted to questions that people rewrote, says which words of the history a turn needs, and whether it
needs any (`tagger`, from the word vectors of the embedding model: `inputs`). They are put in place of a pointing word
of the turn, or after it, as they stand in the history (`spans`).
"""
