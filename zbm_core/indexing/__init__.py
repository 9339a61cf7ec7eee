"""Indexing: the only writer of the indexes."""
