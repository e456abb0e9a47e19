"""Functions in a subset of Python as functions in the form.

In come syntax trees with annotated types, out goes one module. The text of a ruleset never comes here.

Order of files: `units` (sources of functions and the shapes of what they take), `expressions`, `translator`
(statements, and functions translated when they are first called).
"""
