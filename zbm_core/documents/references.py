"""Headings of reference lists, in the languages of the literature."""

from __future__ import annotations

import re

_HEADINGS = (
    # English, French, Spanish, Portuguese, Italian, Catalan, Romanian
    "references|reference list|list of references|references cited|cited references|literature|"
    "literature cited|cited literature|works cited|bibliography|selected bibliography|sources cited|"
    "references and notes|notes and references|further reading|bibliographie|références|"
    "références bibliographiques|ouvrages cités|bibliografía|referencias|referencias bibliográficas|"
    "obras citadas|referências|referências bibliográficas|bibliografia|riferimenti|"
    "riferimenti bibliografici|opere citate|referències|referințe|bibliografie|"
    # German, Dutch, Scandinavian, Finnish
    "literatur|literaturverzeichnis|literaturangaben|quellenverzeichnis|quellen- und literaturverzeichnis|"
    "referenzen|quellen|literatuur|literatuurlijst|referenties|bronnen|referenser|referencer|referanser|"
    "litteratur|litteraturlista|litteraturliste|källförteckning|lähteet|kirjallisuus|viitteet|"
    # Slavic, Hungarian, Greek, Turkish, Baltic
    "literatura|piśmiennictwo|bibliografia|spis literatury|literatúra|reference|seznam literatury|"
    "список литературы|литература|библиография|источники|список использованных источников|"
    "список використаних джерел|література|литература и источници|irodalom|irodalomjegyzék|hivatkozások|"
    "βιβλιογραφία|αναφορές|kaynakça|kaynaklar|referanslar|literatūra|literatūros sąrašas|kirjandus|"
    # East and South-East Asian
    "参考文献|參考文獻|引用文献|引用文獻|文献|文獻|参考资料|參考資料|참고문헌|참고 문헌|인용문헌|"
    "tài liệu tham khảo|daftar pustaka|daftar rujukan|เอกสารอ้างอิง|บรรณานุกรม|"
    # Right-to-left and Indic
    "المراجع|المصادر|المصادر والمراجع|قائمة المراجع|منابع|مراجع|فهرست منابع|کتابنامه|"
    "ביבליוגרפיה|מקורות|רשימת מקורות|संदर्भ|संदर्भ सूची|ग्रन्थसूची"
)
_HEADING = re.compile(
    rf"(?:(?:\d{{1,2}}|[ivx]{{1,5}}|[一二三四五六七八九十]+)[.、:)]?\s*)?(?:{_HEADINGS})\s*[.:：]?",
    re.IGNORECASE,
)


def is_reference_heading(text: str) -> bool:
    """Whether *text* is the heading of a reference list and nothing else."""
    folded = " ".join(text.split())
    if len(folded) > 60:
        return False
    if _HEADING.fullmatch(folded):
        return True
    # Spaced out for looks: "R E F E R E N C E S", "参 考 文 献".
    return " " in folded and _HEADING.fullmatch(folded.replace(" ", "")) is not None
