"""`python -m rulespec`: the command line."""

import sys

from rulespec.cli import main

if __name__ == "__main__":
    sys.exit(main())
