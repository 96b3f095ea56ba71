"""The pages, in the order of an evening."""
