"""The answer cache: whole answers of this gateway, given again to the same question in the same circumstances."""
