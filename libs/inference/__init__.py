"""Access to the models of another process: the client, and the scale of a model's cosines."""
