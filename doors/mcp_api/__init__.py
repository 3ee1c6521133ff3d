"""A door for agents: a server of the Model Context Protocol over the gateway's RPCs."""
