"""Facts read off the text of the rules: what plies move between lists, what deals have in common."""
