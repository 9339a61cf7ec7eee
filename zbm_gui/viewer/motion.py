"""Whether and how long things move in the reader."""

from __future__ import annotations

from zbm_gui.style import reduced_motion

PULSE_MS = 200
# Tests and people who want stillness set this, whatever the system asks for.
ANIMATE = True


def reduced() -> bool:
    return not ANIMATE or reduced_motion()
