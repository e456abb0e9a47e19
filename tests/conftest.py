"""Settings of all tests: no example has a deadline, for nothing that is timed belongs in a test."""

from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
