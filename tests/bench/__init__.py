"""`python -m tests.bench`: how quick, how small and how light the house is, told and never asserted."""
