"""Examples: fenced blocks in Markdown, found, run and rendered.

In: Markdown files. Out: the runs with their faults (`fences`), and HTML of them (`render`, `markdown`). It
knows no rulebooks. Order of the files: `scan`, `fences`, `render`, `markdown`.
"""
