"""Who calls the gateway: API keys and tokens (JWT), checked before a call's message is read."""
