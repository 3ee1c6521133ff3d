"""Where else evidence comes from than from the corpus: the web, and which question is looked for where."""
