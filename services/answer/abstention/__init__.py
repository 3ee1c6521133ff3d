"""When it is better to say nothing: how a question is put, what the evidence has of it, and the score made of both."""
