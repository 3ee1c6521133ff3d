"""Evidence retrieval: the corpus, its two engines, fusion and ranking, and the models behind them."""
