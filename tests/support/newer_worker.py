"""A reading child of a later version of the program: ``newer_worker.py '{"pdf": 1, "chunker": 1}'`` adds to versions."""

from __future__ import annotations

import json
import sys

from zbm_core.documents import stamps, worker

if __name__ == "__main__":
    for name, more in json.loads(sys.argv[1]).items():
        if name == "chunker":
            stamps.CHUNKER_VERSION += more
        else:
            stamps.EXTRACTOR_VERSIONS[name] += more
    worker.main()
