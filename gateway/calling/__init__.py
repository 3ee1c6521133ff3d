"""How the gateway reaches the stages: their calls over the network or in this process, relays and status."""
