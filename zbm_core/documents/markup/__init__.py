"""What EPUBs and web pages have in common: elements become blocks, and places in the text are named."""
