"""What the servicers of the stages and of the gateway share."""
