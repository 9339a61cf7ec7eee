"""EPUBs: the package, its content files in order, and what their style sheets say."""
