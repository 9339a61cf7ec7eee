"""The reader of EPUBs, snapshots and plain texts: sections of flowing text."""
