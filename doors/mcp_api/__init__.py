"""A server of the Model Context Protocol over the gateway's RPCs, for agents."""
