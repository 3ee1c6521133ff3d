"""Image placement: decides which pictures of the cited documents illustrate which paragraphs."""
