"""The list of items and of what was found: rows, matches, columns, selection.

- `ItemTree`: the widget. `set_library`, `show_items(keys)`, `show_results(result)`,
  `set_passages(item, passages)`, `clear_results()`, `selected() -> Selection`, `select(key)`,
  `save_state()`, `restore_state(state)`.
- `Row`, `RowKind`, `Selection`: what signals and menus speak of.
- `wording`: how passages, items and types are said in words.
"""

from zbm_gui.item_tree.rows import Row, RowKind, Selection
from zbm_gui.item_tree.tree import ItemTree

__all__ = ["ItemTree", "Row", "RowKind", "Selection"]
