"""Understanding by a language model, and the checks of what it says."""
