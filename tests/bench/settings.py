"""The settings of the house, with an empty page beside its own."""

from scorekeeper.settings import *  # noqa: F403

ROOT_URLCONF = "tests.bench.urls"
