"""Package exports that load their module on first use.

The window must paint before anything heavy is imported, yet it names the records of every
room. So a room's ``__init__`` declares where each public name lives and nothing is imported
until the name is used (PEP 562).
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any


def lazy_exports(
    package: str, modules: Mapping[str, tuple[str, ...]]
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return ``(__getattr__, __dir__, __all__)`` for *package*.

    *modules* maps a submodule's name to the public names it offers.
    """
    home = {name: module for module, names in modules.items() for name in names}
    names = sorted(home)
    loaded: dict[str, ModuleType] = {}  # asking the import system costs 3 µs, which loops over records feel

    def getattr_(name: str) -> Any:
        module = loaded.get(name)
        if module is None:
            try:
                submodule = home[name]
            except KeyError:
                raise AttributeError(f"module {package!r} has no attribute {name!r}") from None
            module = loaded[name] = importlib.import_module(f"{package}.{submodule}")
        return getattr(module, name)

    return getattr_, lambda: names, names
