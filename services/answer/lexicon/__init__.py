"""Word knowledge of the answer stage: stems, inflected forms, related words, and vague words."""
