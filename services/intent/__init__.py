"""The intent stage: refuse a question, ask back, or ground its times, places and names."""
