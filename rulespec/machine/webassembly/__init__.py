"""Modules in the form as modules of WebAssembly.

In comes a module in the form, out go bytes, the end of its tables and the signatures of its entries. Nothing
here runs them: that is `runtime`.

Order of files: `binary` (the format), `if_conversion`, `instructions` (the
body of a function), `encoder` (the module).
"""
