"""Which languages the library can be read in, for the filter: asked of the engine when documents were read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Set
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QObject, QTimer

from zbm_core.library.records import ItemKey

if TYPE_CHECKING:
    from zbm_gui.engine_thread import EngineThread
    from zbm_gui.widgets.search_bar import SearchBar


#: Every record is asked: after an edit what it changed is shown and searched first.
SETTLED_MS = 1_000


class LanguageFilter(QObject):
    """Keeps the bar's choice of languages, and answers for the list without a query."""

    def __init__(self, engine: EngineThread, bar: SearchBar, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._engine, self._bar = engine, bar
        self._known: dict[ItemKey, frozenset[str]] = {}
        self._settled = QTimer(self, singleShot=True, interval=SETTLED_MS)
        self._settled.timeout.connect(self._ask)
        engine.library_opened.connect(self._ask)
        for changed in (engine.library_changed, engine.run_finished):
            changed.connect(self._settled.start)

    def of(self, item: ItemKey) -> Set[str]:
        """ISO 639-1 codes of what *item* can be read in; from memory."""
        return self._known.get(item, frozenset())

    def _ask(self, *_news: object) -> None:
        self._engine.ask("languages", lambda engine, _token: engine.languages(), self._on_known)

    def _on_known(self, known: dict[ItemKey, frozenset[str]]) -> None:
        self._known = known
        counts = Counter(code for codes in known.values() for code in codes)
        self._bar.set_languages({code: language_name(code) for code, _ in counts.most_common()}, counts)


def language_name(code: str) -> str:
    """The English name of a language by its ISO 639-1 code; the code itself where there is none."""
    language = QLocale.codeToLanguage(code)
    return code if language == QLocale.Language.AnyLanguage else QLocale.languageToString(language)
