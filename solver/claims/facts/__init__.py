"""Facts read off the rules: what depends on what, what only grows, what a ply can change, what deals share.

Most are read off the text alone, some are shown by an engine once. Deciders build on them.
"""
