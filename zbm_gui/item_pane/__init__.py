"""The pane at the right: everything about what is selected in the list.

- `ItemPane`: the widget. `show_item(library, key)`, `show_items(library, keys)`,
  `show_passages(library, passages)`, `show_scope(name, counts)`, `set_passages(passages)`,
  `set_passages_loading()`, `set_notes(texts)`, `set_library(library)`, `save_state()`,
  `restore_state(state)`.
"""

from zbm_gui.item_pane.pane import ItemPane

__all__ = ["ItemPane"]
