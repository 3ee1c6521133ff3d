"""What may be asked: a policy's phrases, matched in a question."""
