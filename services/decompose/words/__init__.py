"""Linguistic knowledge of the rules for English: function words, phrases, names, places, and domain words."""
