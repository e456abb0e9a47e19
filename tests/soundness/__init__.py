"""Small random games, the truth about them by brute force, and every method held against it."""
