"""The window. Qt only here; it talks to zbm_core.engine alone."""
