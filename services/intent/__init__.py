"""The intent stage: refuses a question, asks back, or grounds it in time, place and names."""
