"""States packed into rows of few words, for exploration and search.

In comes the code of a game, out go the layout of its rows, functions that pack and unpack them, and tables
for their images under symmetries. The kernels that use them are in `rulespec.kernels`.

Order of files: `fields` (where everything lies), `functions`, `images`.
"""
