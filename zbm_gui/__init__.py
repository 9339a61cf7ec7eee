"""The window. Qt only here; it talks to zbm_core.engine alone."""

from zbm_gui.singletons import keep_singletons

keep_singletons()
