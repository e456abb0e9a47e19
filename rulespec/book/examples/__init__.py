"""Examples: fenced blocks in Markdown, found, run and rendered.

In: Markdown files. Out: what was run with its faults (`fences`), and HTML of it (`render`, `markdown`). It
knows no rulebooks. Order of the files: `scan`, `fences`, `render`, `markdown`.
"""
