"""What a question asks for, the values that a text has for it, and the short answer to a sub-question."""
