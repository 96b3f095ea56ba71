"""The settings of the house, with an empty page beside its own, and its pages made anew below /cold/."""

from scorekeeper.settings import *  # noqa: F403
from scorekeeper.settings import MIDDLEWARE as OURS

ROOT_URLCONF = "tests.bench.urls"
MIDDLEWARE = ["tests.bench.cold.answer", *OURS]
