"""``python -m tests.benchmarks NAME [--json] [--quick]``: measure one claim of the product.

Each module beside this one offers ``run(options) -> Iterator[Figure]``. A figure that falls short
does not fail the command; a benchmark that cannot run does.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys
from pathlib import Path

HELPERS = {"figures", "__main__"}


def names() -> list[str]:
    return sorted(
        module.name
        for module in pkgutil.iter_modules([str(Path(__file__).parent)])
        if module.name not in HELPERS and not module.name.startswith("_")
    )


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("name", choices=[*names(), "all"])
    parser.add_argument("--json", action="store_true", help="one JSON line a figure")
    parser.add_argument("--quick", action="store_true", help="smaller sizes, for trying the benchmark itself")
    parser.add_argument(
        "--only", default="", help="part of the benchmark, where it has parts (comma separated)"
    )
    parser.add_argument("--home", default="", help="keep indexes here between runs, where that saves hours")
    parser.add_argument(
        "--trials", default="", help="FIRST-LAST, of a benchmark made of many: the rest is done another time"
    )
    options = parser.parse_args(argv)
    for name in names() if options.name == "all" else [options.name]:
        module = importlib.import_module(f"tests.benchmarks.{name}")
        for figure in module.run(options):
            print(figure.json() if options.json else figure, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
