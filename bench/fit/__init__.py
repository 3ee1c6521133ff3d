"""Scripts that fit what the suite ships as data, each from named sources and judged on what it wasn't fitted to."""
