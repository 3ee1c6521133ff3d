"""OpenAI's chat completions API, for the programs that speak it."""
