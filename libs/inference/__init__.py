"""What the stages share that ask another process's models: the client, and the scale of a model's cosines."""
