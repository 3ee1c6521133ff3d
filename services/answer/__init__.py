"""The answer stage: writes from evidence, cites, checks, proposes what to ask next."""
