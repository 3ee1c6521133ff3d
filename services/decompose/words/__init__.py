"""What the rules know of English questions: function words, phrases, names, places, and the words of a domain."""
