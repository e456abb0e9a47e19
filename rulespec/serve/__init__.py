"""A process that stays: it keeps modules, tables and results in memory and runs commands in forked children.

In: a function that runs a command line, and a memory of results worth keeping. Out: a server on a Unix domain
socket that only the user can reach (`server`), and the client that hands it a command (`client`). Between
them go lines of JSON, and open files (`protocol`). Knows nothing about games.

The server itself reads no file of a user. A command runs in a child, with the client's streams, folder and
environment; the child may crash, hang or be killed, which harms no other. `client`, `identity` and `protocol`
are imported by every command, so they import little.
"""
