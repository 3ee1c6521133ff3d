"""Where the gateway keeps conversations, questions between the two phases, and answers for retries."""
