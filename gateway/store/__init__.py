"""Storage for conversations, questions between their phases (understanding, answering), and answers for retries."""
