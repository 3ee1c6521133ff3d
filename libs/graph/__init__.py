"""What everybody who touches a graph of sub-queries agrees on: its order, `#id`, the names of its functions."""
