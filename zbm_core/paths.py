"""Where the product keeps its own files. Nothing here is ever inside a Zotero data directory."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

APP_NAME = "zotero-best-match"


@dataclass(frozen=True, slots=True)
class AppPaths:
    """Folders of one installation; each is made when first used.

    `data` holds what takes long to rebuild (indexes and document packs), `cache` what may vanish
    at any time (the private library snapshot), `config` the settings, `logs` the log files.
    """

    data: Path
    cache: Path
    config: Path
    logs: Path

    @classmethod
    def default(cls) -> AppPaths:
        """The platform's folders, or all under ``$ZBM_HOME`` when that is set (tests, portable use)."""
        home = os.environ.get("ZBM_HOME")
        if home:
            return cls.under(Path(home))
        import platformdirs

        dirs = platformdirs.PlatformDirs(APP_NAME, appauthor=False)
        return cls(
            Path(dirs.user_data_dir),
            Path(dirs.user_cache_dir),
            Path(dirs.user_config_dir),
            Path(dirs.user_log_dir),
        )

    @classmethod
    def under(cls, root: Path) -> AppPaths:
        root = Path(root)
        return cls(root / "data", root / "cache", root / "config", root / "logs")
