"""Where documents come from: folders and the web."""
