"""Facts read off the text of the rules: what depends on what, what only grows, what deals have in common."""
