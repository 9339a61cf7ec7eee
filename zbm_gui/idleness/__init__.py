"""Whether someone is at the computer: an index that nobody waits beside may use all cores."""

from zbm_gui.idleness.watch import IDLE_AFTER, IdleWatch

__all__ = ["IDLE_AFTER", "IdleWatch"]
