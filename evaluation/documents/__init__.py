"""Questions over real documents, asked in conversations and scored by the facts that an answer must contain."""
