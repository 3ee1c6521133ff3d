"""A language model behind any OpenAI-compatible endpoint: text, streams, structured results, usage, prompts."""
