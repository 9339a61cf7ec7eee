"""Documents opened to be read: sections as harmless HTML, places found again, through a child process."""
