"""Language data and analysis: detection, stop words, stemming, and Parley's own phrases; words are data files."""
