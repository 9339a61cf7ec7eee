"""Plain text and Markdown."""
