"""Pictures, and texts about pictures, as vectors of one space (CLIP, Radford et al. 2021)."""
