"""The long runs: ``python -m tests.prove [deals] [seed]``."""

import sys

from . import play

if __name__ == "__main__":
    play.main(*map(int, sys.argv[1:]))
