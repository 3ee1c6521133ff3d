"""Checks of what a language model wrote, sentence by sentence, against the passages in its prompt."""
