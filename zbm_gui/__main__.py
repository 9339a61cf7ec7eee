"""``python -m zbm_gui``: the window."""

import sys

from zbm_gui.app import main

sys.exit(main())
