"""Questions about rows: reads whole tables, maps a question to a function over their rows, and computes it."""
