"""The five stages."""
