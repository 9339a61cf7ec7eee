"""PDFs: lines, columns, paragraphs, headings and tables of pages, from what PyMuPDF tells of their characters."""
