"""Encyclopedias, manuals, articles of journals, laws."""

from __future__ import annotations

from tests.support.page_texts import Maker
from tests.support.pages.making import document, footer, onetrust, related, web_page


def _wiki_body(m: Maker) -> str:
    sections = "".join(
        f"<h2><span class='mw-headline' id='s{n}'>{m.title()}</span><span class='mw-editsection'><span>[</span><a href='/edit{n}'>edit</a>"
        f"<span>]</span></span></h2>{m.paragraphs(3)}"
        for n in range(4)
    )
    references = "".join(
        f"<li id='cite{n}'><b><a href='#ref{n}'>^</a></b> <cite>{m.mine(f'Person, B. ({1990 + n}). A study of the estuary, volume {n}.')}</cite></li>"
        for n in range(5)
    )
    toc = (
        "<div id='toc' class='toc'><h2>Contents</h2><ul>"
        + "".join(f"<li><a href='#s{n}'>{n} part</a></li>" for n in range(4))
        + "</ul></div>"
    )
    box = f"<table class='infobox'><tr><th>{m.mine('Population of herons')}</th><td>{m.mine('4,310 pairs (2019)')}</td></tr></table>"
    return (
        f"{box}{m.paragraphs(3)}{toc}{sections}<h2>{m.mine('See also these')}</h2><ul><li><a href='/w'>{m.mine('Estuaries of the north')}</a></li>"
        f"<li><a href='/w2'>{m.mine('Salt trade')}</a></li></ul><h2>{m.mine('References cited')}</h2><ol class='references'>{references}</ol>"
        f"<div role='navigation' class='navbox'>{m.links(20, '<a href=/n{n}>{label}</a> · ')}</div>"
    )


@web_page()
def wikipedia_legacy(m: Maker) -> str:
    return document(
        f"<div id='content' class='mw-body' role='main'><h1 id='firstHeading'>{m.title()}</h1><div id='bodyContent'><div id='mw-content-text'>{_wiki_body(m)}</div>"
        f"<div id='catlinks' class='catlinks'>{m.links(6, '<a href=/c{n}>{label}</a> | ')}</div></div></div><div id='mw-navigation'><h2>Navigation menu</h2>"
        f"<div id='mw-head'><div role='navigation'>{m.menu(5)}</div></div><div id='mw-panel'><div class='portal' role='navigation'><h3>{m.label()}</h3>"
        f"{m.menu(14)}</div></div></div><div id='footer' role='contentinfo'><ul><li>{m.other('This page was last modified on 3 May at 10:12, text is available under a licence.')}</li></ul>{m.menu(4)}</div>"
    )


@web_page()
def wikipedia_2022(m: Maker) -> str:
    return document(
        f"<div class='vector-header-container'><header class='vector-header'><nav>{m.menu(6)}</nav></header></div><div class='mw-page-container'>"
        f"<nav class='vector-toc-landmark'><ul><li><a href='#s0'>{m.other('(Top) of contents')}</a></li></ul></nav><main id='content' class='mw-body'>"
        f"<header><h1>{m.title()}</h1><div class='vector-dropdown'>{m.links(30, '<li class=interlanguage-link><a href=/{n}>{label}</a></li>')}</div></header>"
        f"<div id='bodyContent'><div class='mw-parser-output'><style data-x>.hatnote{{font-style:italic}}</style>{_wiki_body(m)}</div></div></main></div>"
        f"<footer id='footer' class='mw-footer'>{m.menu(8)}</footer>"
    )


@web_page()
def sphinx_docs(m: Maker) -> str:
    return document(
        f"<div class='wy-grid-for-nav'><nav class='wy-nav-side'>{m.menu(25)}</nav><section class='wy-nav-content-wrap'><div role='navigation' aria-label='Page navigation'>"
        f"<ul class='wy-breadcrumbs'>{m.links(2)}</ul></div><div role='main'><h1>{m.title()}<a class='headerlink' href='#x'>¶</a></h1>{m.paragraphs(2)}"
        f"<div class='highlight'><pre>{m.mine('def read(path): return path.read_bytes()')}</pre></div><dl><dt>{m.mine('read(path, limit=None)')}</dt><dd><p>{m.paragraph(1)}</p></dd></dl>"
        f"<table><tr><th>{m.mine('Option name')}</th><td>{m.mine('what it is for')}</td></tr></table><h2>{m.title()}</h2>{m.paragraphs(3)}</div>"
        f"<footer><div class='rst-footer-buttons'>{m.links(2, '<a href=/{n}>{label}</a>')}</div></footer></section></div>"
    )


@web_page()
def code_hosting_readme(m: Maker) -> str:
    files = "".join(
        f"<tr><td><a href='/f{n}'>{m.label()}</a></td><td>{n} days ago</td></tr>" for n in range(12)
    )
    return document(
        f"<div class='AppHeader'>{m.links(9, '<a href=/{n}>{label}</a>')}</div><main><div class='repo-content'><table aria-labelledby='files'>{files}</table>"
        f"<article class='markdown-body'><h1>{m.title()}</h1>{m.paragraphs(3)}<pre>{m.mine('pip install estuary-tools')}</pre><ul>"
        f"<li><a href='https://a.example'>{m.mine('A guide for beginners')}</a> - {m.mine('what to read first about tides')}</li></ul>{m.paragraphs(2)}</article></div></main>"
        f"<footer>{m.menu(9)}</footer>"
    )


@web_page()
def journal_article(m: Maker) -> str:
    references = "".join(
        f"<li class='c-article-references__item'><p>{m.mine(f'{n}. Author, C. & Other, D. On salt and paper. J. Hist. {n}, 11–2{n} (2003).')}</p><ul><li><a href='/g'>Google Scholar</a></li></ul></li>"
        for n in range(1, 9)
    )
    return document(
        f"<header class='c-header'>{m.menu(8)}</header><nav aria-label='breadcrumbs'><ol>{m.links(3)}</ol></nav><div class='u-container'><main><article><h1>{m.title()}</h1>"
        f"<ul class='c-article-author-list'><li>{m.mine('Anna Person')}</li><li>{m.mine('Bela Someone')}</li></ul><section aria-labelledby='Abs1'><h2>{m.mine('Abstract of this')}</h2><p>{m.paragraph(5)}</p></section>"
        f"<section><h2>{m.mine('Main results')}</h2>{m.paragraphs(6)}<figure><figcaption>{m.mine('Fig. 1: rainfall in the estuary, in millimetres.')}</figcaption></figure>"
        f"<table><tr><td>{m.mine('site one')}</td><td>{m.mine('12.5 mm')}</td></tr></table></section><section><h2>{m.mine('References list')}</h2><ol>{references}</ol></section></article></main>"
        f"<aside class='c-article-extras'>{related(m, 'c-reading-companion')}</aside></div>{footer(m)}{onetrust(m)}"
    )


@web_page()
def preprint_abstract(m: Maker) -> str:
    return document(
        f"<div class='flex-wrap-footer'><header><div class='search-block'>{m.links(3, '<a href=/{n}>{label}</a>')}</div></header><main><div id='abs-outer'><div class='leftcolumn'>"
        f"<h1 class='title'>{m.title()}</h1><div class='authors'>{m.mine('Anna Person, Bela Someone, Cyril Third')}</div><blockquote class='abstract'>{m.paragraph(7)}</blockquote>"
        f"<table summary='meta'><tr><td>{m.mine('Comments by authors')}</td><td>{m.mine('14 pages, 3 figures')}</td></tr></table></div><div class='extra-services'>{m.menu(10)}</div></div></main>"
        f"<footer>{m.menu(5)}</footer></div>"
    )


@web_page()
def latexml_article(m: Maker) -> str:
    return document(
        f"<nav class='ltx_page_navbar'><nav class='ltx_TOC'><ol><li><a href='#S1'>{m.other('1 The contents once more')}</a></li></ol></nav></nav><div class='ltx_page_main'><article class='ltx_document'>"
        f"<h1>{m.title()}</h1><div class='ltx_abstract'><p>{m.paragraph(4)}</p></div><section id='S1'><h2>{m.title()}</h2><div class='ltx_para'><p>{m.paragraph(3)} <math><mi>x</mi><mo>=</mo><mn>2</mn></math></p></div>"
        f"{m.paragraphs(5)}</section><section class='ltx_bibliography'><h2>{m.mine('Works cited here')}</h2><ul><li class='ltx_bibitem'>{m.mine('Person (2001) On the tides. Harbour Press.')}</li></ul></section></article></div>"
    )


@web_page()
def law_text(m: Maker) -> str:
    articles = "".join(
        f"<p class='ti-art'>{m.mine(f'Article {n}')}</p><p class='normal'>{m.paragraph(2)}</p><table><tr><td><p>({n}a)</p></td><td><p>{m.paragraph(1)}</p></td></tr></table>"
        for n in range(1, 9)
    )
    return document(
        f"<div id='header'>{m.menu(7)}</div><div id='PP4Contents'><div id='text'><p class='doc-ti'>{m.title()}</p>{articles}</div></div><div class='footer'>{m.menu(5)}</div>"
    )


@web_page()
def glossary(m: Maker) -> str:
    entries = "".join(
        f"<dt id='t{n}'>{m.mine(f'Term of trade {n}')}</dt><dd>{m.paragraph(1)}</dd>" for n in range(15)
    )
    return document(f"<nav>{m.menu(5)}</nav><h1>{m.title()}</h1><dl>{entries}</dl>{footer(m)}")


@web_page()
def statistics_table(m: Maker) -> str:
    rows = "".join(
        f"<tr><td>{m.mine(f'District {n}')}</td><td>{m.mine(f'{n * 37}.{n} mm')}</td><td>{m.mine(f'{n * 91} pairs')}</td></tr>"
        for n in range(40)
    )
    return document(
        f"<header><nav>{m.menu(6)}</nav></header><main><h1>{m.title()}</h1><p>{m.paragraph(1)}</p><table>{rows}</table></main>{footer(m)}"
    )


@web_page()
def footnoted_essay(m: Maker) -> str:
    notes = "".join(
        f"<li id='fn{n}'><p>{m.mine(f'See the letters of {1800 + n}, where the matter is treated at length.')} <a href='#r{n}'>↩</a></p></li>"
        for n in range(6)
    )
    return document(
        f"<div class='publication'><div class='main-menu'>{m.links(3, '<a href=/{n}>{label}</a>')}</div><article><h1>{m.title()}</h1><div class='available-content'>{m.paragraphs(8)}<div class='subscription-widget-wrap'>"
        f"<p>{m.other('Thanks for reading! Subscribe for free to receive new posts.')}</p><form><input><button>Subscribe</button></form></div>{m.paragraphs(4)}"
        f"<footer class='footnotes'><ol>{notes}</ol></footer></div></article></div>"
    )


# -- talk -----------------------------------------------------------------------------------------
