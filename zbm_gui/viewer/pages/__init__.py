"""The reader of PDFs: pages laid out, drawn and pointed at."""
