"""The player in the page: everything that a page needs to play a game by itself, without Python.

In comes a game with its settings, out goes a bundle: the module of WebAssembly that Python runs, and plain
JSON that describes its interface. The scripts in `js` are the other end. This room translates no rule.
"""
