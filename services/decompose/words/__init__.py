"""Linguistic knowledge of the rules: function words, phrases, names, places, and domain words of a language."""
