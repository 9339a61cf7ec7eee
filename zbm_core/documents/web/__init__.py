"""Web pages and snapshots: the tree, what of it is the article, figures, and archives of pages."""
