"""Output: pages compressed, cached, printed, and swapped in for an old site.

In: pages of HTML. Out: files. It knows nothing of the contents of a page. Order of the files: `sheet`,
`sharing`, `lighter`, `search`, `page_cache`, `making`, `swapping`, `aside`, `pdf`.
"""
