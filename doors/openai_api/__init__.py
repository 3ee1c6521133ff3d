"""A door in the shape of OpenAI's chat completions, for the programs that speak it."""
