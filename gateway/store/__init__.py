"""Storage for conversations, questions between the two phases, and answers for retries."""
