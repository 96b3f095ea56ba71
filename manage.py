#!/usr/bin/env python3
"""Django's entry: `python manage.py serve`, `python manage.py migrate` and the rest."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db.utils import OperationalError

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scorekeeper.settings")
    try:
        execute_from_command_line(sys.argv)
    except (ImproperlyConfigured, OperationalError) as error:  # For the operator, in words: nothing is broken here.
        sys.exit(f"manage.py: {' '.join(str(error).split())}")
