"""The sidebar: libraries with their collections, groups, and what was read recently."""

from zbm_gui.library_pane.pane import LibraryPane
from zbm_gui.library_pane.tree import Node, NodeKind

__all__ = ["LibraryPane", "Node", "NodeKind"]
