"""Functions in a subset of Python as functions in the form.

In come syntax trees with annotated types, out goes one module. The text of a ruleset never comes here.

Order of files: `units` (sources of functions and the shapes of their parameters), `expressions`, `translator`
(statements, and functions, which are translated on their first call).
"""
