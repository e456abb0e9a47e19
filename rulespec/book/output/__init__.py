"""Output: pages made lighter, kept, printed, and put in the place of an old site.

In: pages of HTML. Out: files. It knows nothing of what a page says. Order of the files: `sheet`, `sharing`,
`lighter`, `search`, `page_cache`, `making`, `swapping`, `aside`, `pdf`.
"""
