"""Yardsticks: the same games written by hand in C++, and what they say of ours.

In: the sources beside this file, compiled by g++ when they are asked for. Out: tables of ratios. Each source
plays one game by the rules of the shipped ruleset under its usual readings: tests compare counts of
sequences, and the lengths and winners of random games. Where nothing compiles them, the tables are left out
with a word.

`library` compiles and calls them, `random_games` and `best_play` measure.
"""
