"""The answer stage: write from evidence, cite it, verify the citations and recommend follow-ups."""
