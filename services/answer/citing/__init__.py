"""An answer before it is sent: sentences with their quotations, and how these are cited."""
