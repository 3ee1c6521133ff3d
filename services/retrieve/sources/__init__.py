"""Evidence from outside the corpus: the web, and the choice of where to search for a question."""
