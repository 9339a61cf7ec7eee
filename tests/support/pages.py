"""Web pages of many kinds, each with the text of its article and the text around it, to measure what is kept.

The forms are those of real sites: what their makers call things, how deep they nest, where they put the banner.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from tests.support.page_texts import Maker


class WebPage(NamedTuple):
    """A generated page."""

    name: str
    html: str
    article: tuple[str, ...]  # texts that must be kept
    around: tuple[str, ...]  # texts that should not


_KINDS: dict[str, tuple[Callable[[Maker], str], str]] = {}


def _page(language: str = "en") -> Callable[[Callable[[Maker], str]], Callable[[Maker], str]]:
    def register(function: Callable[[Maker], str]) -> Callable[[Maker], str]:
        _KINDS[function.__name__.strip("_")] = function, language
        return function

    return register


def all_pages() -> list[WebPage]:
    pages = []
    for name, (function, language) in _KINDS.items():
        make = Maker(name, language)
        html = function(make).replace("<title>A page</title>", f"<title>{make.heading} | Example</title>")
        pages.append(WebPage(name, html, tuple(make.article), tuple(make.around)))
    return pages


def without_meaning(html: str) -> str:
    """The same page in plain divisions, without roles."""
    html = re.sub(r"<(/?)(main|nav|header|footer|aside|article|section)\b", r"<\1div", html)
    return re.sub(r" role='[^']*'", "", html)


def without_names(html: str) -> str:
    """The same page without classes, ids and labels."""
    return re.sub(r" (class|id|aria-label)=('[^']*'|[^\s>]+)", "", html)


def _document(body: str, head: str = "", language: str = "en", attributes: str = "") -> str:
    return (
        f"<!DOCTYPE html>\n<html lang='{language}'><head><meta charset='utf-8'><title>A page</title>{head}</head>"
        f"<body{attributes}>{body}</body></html>"
    )


# -- parts that many sites share ------------------------------------------------------------------


def _onetrust(m: Maker) -> str:
    return (
        "<div id='onetrust-consent-sdk'><div id='onetrust-banner-sdk' role='region' style='bottom:0;position:fixed'>"
        f"<div class='ot-sdk-row'><p id='onetrust-policy-text'>{m.other('We and our 842 partners store cookies on your device to measure, personalise and improve what you see here; you can change your choice at any time in the settings.')} "
        f"<a href='/privacy'>{m.other('Privacy statement of partners')}</a></p><button>Accept all</button>"
        "<button>Reject all</button></div></div></div>"
    )


def _cookie_bar(m: Maker) -> str:
    return (
        "<div class='cc-window cc-banner' aria-label='cookieconsent' role='dialog'><span class='cc-message'>"
        f"{m.other('This website uses cookies to ensure you get the best experience on our website.')} "
        f"<a href='/c'>{m.other('Learn more about these')}</a></span><div><a class='cc-btn' href='#'>Got it!</a></div></div>"
    )


def _share(m: Maker) -> str:
    return (
        "<div class='social-share'><span>" + m.other("Share this story with friends") + "</span><ul>"
        + "".join(f"<li><a href='https://{s}.example/share'>{m.other('Send to ' + s)}</a></li>"
                  for s in ("facebook", "twitter", "whatsapp", "linkedin")) + "</ul></div>"
    )  # fmt: skip


def _related(m: Maker, name: str = "related-articles") -> str:
    cards = "".join(
        f"<li class='card'><a href='/r{n}'><img src='x.jpg' alt=''><h4>{m.other(m.text(1))}</h4></a></li>"
        for n in range(4)
    )
    return (
        f"<section class='{name}'><h3>{m.other('More stories you may like')}</h3><ul>{cards}</ul></section>"
    )


def _newsletter(m: Maker) -> str:
    return (
        f"<div class='newsletter-signup'><h3>{m.other('Get our morning letter')}</h3>"
        f"<p>{m.other('The stories that matter, in your inbox every weekday before breakfast, chosen by our editors.')}</p>"
        "<form><input type='email'><button>Sign up</button></form></div>"
    )


def _comment_form(m: Maker) -> str:
    return (
        f"<div id='respond' class='comment-respond'><h3>{m.other('Leave a reply to us')}</h3><form>"
        f"<p class='comment-notes'>{m.other('Your email address will not be published. Required fields are marked *')}</p>"
        f"<p><label>{m.other('Your comment here')}</label><textarea></textarea></p><input type='submit'></form></div>"
    )


def _footer(m: Maker) -> str:
    return (
        f"<footer class='site-footer'><div>{m.menu(10)}</div><div>{m.menu(6)}</div>"
        f"<p>{m.other('© 2026 Example Media Group Ltd. All rights reserved. Registered in Somewhere, number 1234.')}</p></footer>"
    )


def _sidebar(m: Maker) -> str:
    return (
        f"<aside class='sidebar'><div class='widget'><h3>{m.other('Most read this week')}</h3><ol>"
        + "".join(f"<li><a href='/m{n}'>{m.other(m.text(1))}</a></li>" for n in range(5))
        + f"</ol></div><div class='widget'><h3>{m.other('Our topics')}</h3>{m.menu(6)}</div></aside>"
    )


# -- news and blogs -------------------------------------------------------------------------------


@_page()
def news_semantic(m: Maker) -> str:
    return _document(
        f"<a class='skip-link' href='#main'>{m.other('Skip to the content')}</a><header><nav>{m.menu(12)}</nav></header>"
        f"<main id='main'><article><header><h1>{m.title()}</h1><p class='standfirst'>{m.paragraph(1)}</p></header>{_share(m)}"
        f"<figure><img src='a.jpg'><figcaption>{m.mine('Fishing boats in the harbour. Photograph: A. Person')}</figcaption></figure>"
        f"{m.paragraphs(6)}<h2>{m.title()}</h2>{m.paragraphs(5)}{_newsletter(m)}{m.paragraphs(3)}</article></main>"
        f"{_related(m)}{_footer(m)}{_onetrust(m)}"
    )


@_page()
def news_divs(m: Maker) -> str:
    ad = "<div class='ad-slot'><span>" + m.other("Advertisement of a sponsor") + "</span></div>"
    return _document(
        f"<div id='header'><div class='topnav'>{m.menu(9)}</div></div><div class='breadcrumbs'><a href='/'>{m.label()}</a> &gt; "
        f"<a href='/w'>{m.label()}</a></div><div id='content'><div class='story'><h1>{m.title()}</h1>"
        f"<div class='byline'>{m.mine('By Jane Doe, correspondent in the north')}</div>{m.paragraphs(4)}{ad}{m.paragraphs(4)}"
        f"</div>{_sidebar(m)}</div>{_related(m, 'recommended-stories')}<div id='footer'>{m.links(12, '<a href=/{n}>{label}</a> | ')}"
        f"</div>{_cookie_bar(m)}"
    )


@_page()
def wordpress_blog(m: Maker) -> str:
    comments = "".join(
        f"<li class='comment'><div class='comment-content'><p>{m.paragraph(2)}</p></div></li>"
        for _ in range(3)
    )
    return _document(
        f"<div id='page' class='hfeed site'><header id='masthead' class='site-header'><p class='site-title'><a href='/'>"
        f"{m.label()}</a></p><nav id='site-navigation' class='main-navigation'>{m.menu(7)}</nav></header>"
        f"<div id='primary' class='content-area'><article class='post hentry'><header class='entry-header'><h1 class='entry-title'>"
        f"{m.title()}</h1></header><div class='entry-content'>{m.paragraphs(5)}<blockquote><p>{m.paragraph(2)}</p></blockquote>"
        f"<ul><li>{m.mine('A first point that is made shortly')}</li><li>{m.mine('A second one')}</li></ul>"
        f"<pre><code>{m.mine('for row in table: print(row.name)')}</code></pre>"
        f"<div class='sharedaddy sd-sharing-enabled'><h3>{m.other('Share this:')}</h3>{m.menu(3)}</div></div>"
        f"<footer class='entry-footer'><span class='tags-links'>{m.links(4, '<a rel=tag href=/t{n}>{label}</a>, ')}</span></footer>"
        f"</article><nav class='post-navigation'><a href='/p'>{m.other('Previous: an older post of mine')}</a></nav>"
        f"<div id='comments'><h2>{m.mine('3 thoughts on this')}</h2><ol>{comments}</ol>{_comment_form(m)}</div></div>"
        f"<div id='secondary' class='widget-area'>{_sidebar(m)}</div><footer id='colophon'>{m.links(4)}</footer></div>"
    )


@_page()
def hashed_class_names(m: Maker) -> str:
    return _document(
        f"<div id='root'><div class='css-1q2w3e'><div class='css-9xk2'>{m.links(8, '<a class=css-a href=/{n}>{label}</a>')}</div>"
        f"<div class='css-77aa'><div class='css-0'><h1 class='css-h'>{m.title()}</h1>"
        + "".join(f"<div class='css-p1'><div>{m.paragraph()}</div></div>" for _ in range(9))
        + f"</div></div><div class='css-55ff'>{''.join(f'<div class=css-c><a href=/x{n}><div>{m.other(m.text(1))}</div></a></div>' for n in range(5))}"
        f"</div><div class='css-f00'>{m.links(14, '<div><a href=/{n}>{label}</a></div>')}</div></div></div><script>window.__S__={{}}</script>"
    )


@_page()
def medium_like(m: Maker) -> str:
    return _document(
        f"<div id='root'><div class='a b c'><div class='d'><a href='/'>{m.label()}</a><button>Sign in</button><a href='/w'>{m.label()}</a></div>"
        f"<div><article><div class='ab ca'><h1>{m.title()}</h1><div><a href='/@x'>{m.other('Follow the author here')}</a></div>"
        f"{m.paragraphs(8)}<figure><figcaption>{m.mine('A drawing of the estuary by the author')}</figcaption></figure>{m.paragraphs(3)}</div></article></div>"
        f"<div class='h k'>{m.links(5, '<div><a href=/tag{n}>{label}</a></div>')}</div><div><h2>{m.other('Recommended from the site')}</h2>"
        + "".join(
            f"<div><a href='/r{n}'><h2>{m.other(m.text(1))}</h2></a><div><a href='/r{n}'><p>{m.other(m.text(1))}</p></a></div></div>"
            for n in range(4)
        )
        + f"</div><div>{m.links(9, '<a href=/{n}><p>{label}</p></a>')}</div></div></div>"
    )


@_page()
def cookie_wall(m: Maker) -> str:
    return _document(
        f"<div id='app' aria-hidden='true'><header><nav>{m.menu(6)}</nav></header><main><h1>{m.title()}</h1>{m.paragraphs(9)}</main>{_footer(m)}</div>"
        f"<div class='fc-consent-root' role='dialog' aria-modal='true'><div class='fc-dialog'><h2>{m.other('Your privacy, your choice')}</h2>"
        f"<p>{m.other('If you agree, we and selected third parties use cookies and process personal data such as your address to show personalised advertising, to count visits and to develop our services further.')}</p>"
        f"<p>{m.other('You may withdraw this consent to cookies whenever you like by way of the link at the end of each page.')}</p><button>Consent</button></div></div>"
    )


@_page()
def caught_before_script(m: Maker) -> str:
    return _document(
        f"<div class='bar'>{m.links(5, '<a href=/{n}>{label}</a>')}</div><div class='rich_media_content' id='js_content' "
        f"style='visibility: hidden; opacity: 0'><h1>{m.title()}</h1>{m.paragraphs(8)}</div>"
    )


@_page()
def singlefile_hidden(m: Maker) -> str:
    return _document(
        f"<div class='modal sf-hidden'>{m.other('Log in to read on and to save this for later, or create an account.')}</div>"
        f"<div style='display:none'>{m.other('Preloaded: the next story in this section, which you do not see yet.')}</div>"
        f"<div class=page><nav class='drop sf-hidden'>{m.menu(9)}</nav><div class=text><h1>{m.title()}</h1>{m.paragraphs(7)}</div></div>"
        f"<img src=data:image/png;base64,{'A' * 5000}><div hidden>{m.other('A template of a card nobody sees')}</div>",
        "<style>.sf-hidden{display:none!important}@media print{.page{display:none}}</style>",
    )


@_page()
def live_blog(m: Maker) -> str:
    posts = "".join(
        f"<div class='live-post'><time>{m.mine(f'1{n}:05')}</time><h3>{m.title()}</h3><p>{m.paragraph(2)}</p>{_share(m)}</div>"
        for n in range(6)
    )
    return _document(
        f"<header class='site-header'>{m.menu(8)}</header><div class='live'><h1>{m.title()}</h1>{posts}</div>{_footer(m)}"
    )


@_page()
def blogspot(m: Maker) -> str:
    archive = "".join(
        f"<li class='archivedate'><a href='/a{n}'>{m.label()}</a> <span>({n})</span></li>" for n in range(9)
    )
    return _document(
        f"<div class='content-outer'><div class='header-outer'><h1 class='title'>{m.mine('Notes of a naturalist by the sea')}</h1></div><div class='main-outer'>"
        f"<div class='post-outer'><h3 class='post-title'>{m.title()}</h3><div class='post-body'>{m.paragraph()}<br><br>{m.paragraph()}<br><br>"
        f"{m.paragraph()}</div><div class='post-footer'>{m.links(3, '<a href=/l{n}>{label}</a> ')}</div></div></div>"
        f"<div class='column-right-outer'><div class='widget BlogArchive'><h2>{m.other('Archive of the blog')}</h2><ul>{archive}</ul></div></div></div>"
    )


# -- references, documentation, scholarship -------------------------------------------------------


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


@_page()
def wikipedia_legacy(m: Maker) -> str:
    return _document(
        f"<div id='content' class='mw-body' role='main'><h1 id='firstHeading'>{m.title()}</h1><div id='bodyContent'><div id='mw-content-text'>{_wiki_body(m)}</div>"
        f"<div id='catlinks' class='catlinks'>{m.links(6, '<a href=/c{n}>{label}</a> | ')}</div></div></div><div id='mw-navigation'><h2>Navigation menu</h2>"
        f"<div id='mw-head'><div role='navigation'>{m.menu(5)}</div></div><div id='mw-panel'><div class='portal' role='navigation'><h3>{m.label()}</h3>"
        f"{m.menu(14)}</div></div></div><div id='footer' role='contentinfo'><ul><li>{m.other('This page was last modified on 3 May at 10:12, text is available under a licence.')}</li></ul>{m.menu(4)}</div>"
    )


@_page()
def wikipedia_2022(m: Maker) -> str:
    return _document(
        f"<div class='vector-header-container'><header class='vector-header'><nav>{m.menu(6)}</nav></header></div><div class='mw-page-container'>"
        f"<nav class='vector-toc-landmark'><ul><li><a href='#s0'>{m.other('(Top) of contents')}</a></li></ul></nav><main id='content' class='mw-body'>"
        f"<header><h1>{m.title()}</h1><div class='vector-dropdown'>{m.links(30, '<li class=interlanguage-link><a href=/{n}>{label}</a></li>')}</div></header>"
        f"<div id='bodyContent'><div class='mw-parser-output'><style data-x>.hatnote{{font-style:italic}}</style>{_wiki_body(m)}</div></div></main></div>"
        f"<footer id='footer' class='mw-footer'>{m.menu(8)}</footer>"
    )


@_page()
def sphinx_docs(m: Maker) -> str:
    return _document(
        f"<div class='wy-grid-for-nav'><nav class='wy-nav-side'>{m.menu(25)}</nav><section class='wy-nav-content-wrap'><div role='navigation' aria-label='Page navigation'>"
        f"<ul class='wy-breadcrumbs'>{m.links(2)}</ul></div><div role='main'><h1>{m.title()}<a class='headerlink' href='#x'>¶</a></h1>{m.paragraphs(2)}"
        f"<div class='highlight'><pre>{m.mine('def read(path): return path.read_bytes()')}</pre></div><dl><dt>{m.mine('read(path, limit=None)')}</dt><dd><p>{m.paragraph(1)}</p></dd></dl>"
        f"<table><tr><th>{m.mine('Option name')}</th><td>{m.mine('what it is for')}</td></tr></table><h2>{m.title()}</h2>{m.paragraphs(3)}</div>"
        f"<footer><div class='rst-footer-buttons'>{m.links(2, '<a href=/{n}>{label}</a>')}</div></footer></section></div>"
    )


@_page()
def code_hosting_readme(m: Maker) -> str:
    files = "".join(
        f"<tr><td><a href='/f{n}'>{m.label()}</a></td><td>{n} days ago</td></tr>" for n in range(12)
    )
    return _document(
        f"<div class='AppHeader'>{m.links(9, '<a href=/{n}>{label}</a>')}</div><main><div class='repo-content'><table aria-labelledby='files'>{files}</table>"
        f"<article class='markdown-body'><h1>{m.title()}</h1>{m.paragraphs(3)}<pre>{m.mine('pip install estuary-tools')}</pre><ul>"
        f"<li><a href='https://a.example'>{m.mine('A guide for beginners')}</a> - {m.mine('what to read first about tides')}</li></ul>{m.paragraphs(2)}</article></div></main>"
        f"<footer>{m.menu(9)}</footer>"
    )


@_page()
def journal_article(m: Maker) -> str:
    references = "".join(
        f"<li class='c-article-references__item'><p>{m.mine(f'{n}. Author, C. & Other, D. On salt and paper. J. Hist. {n}, 11–2{n} (2003).')}</p><ul><li><a href='/g'>Google Scholar</a></li></ul></li>"
        for n in range(1, 9)
    )
    return _document(
        f"<header class='c-header'>{m.menu(8)}</header><nav aria-label='breadcrumbs'><ol>{m.links(3)}</ol></nav><div class='u-container'><main><article><h1>{m.title()}</h1>"
        f"<ul class='c-article-author-list'><li>{m.mine('Anna Person')}</li><li>{m.mine('Bela Someone')}</li></ul><section aria-labelledby='Abs1'><h2>{m.mine('Abstract of this')}</h2><p>{m.paragraph(5)}</p></section>"
        f"<section><h2>{m.mine('Main results')}</h2>{m.paragraphs(6)}<figure><figcaption>{m.mine('Fig. 1: rainfall in the estuary, in millimetres.')}</figcaption></figure>"
        f"<table><tr><td>{m.mine('site one')}</td><td>{m.mine('12.5 mm')}</td></tr></table></section><section><h2>{m.mine('References list')}</h2><ol>{references}</ol></section></article></main>"
        f"<aside class='c-article-extras'>{_related(m, 'c-reading-companion')}</aside></div>{_footer(m)}{_onetrust(m)}"
    )


@_page()
def preprint_abstract(m: Maker) -> str:
    return _document(
        f"<div class='flex-wrap-footer'><header><div class='search-block'>{m.links(3, '<a href=/{n}>{label}</a>')}</div></header><main><div id='abs-outer'><div class='leftcolumn'>"
        f"<h1 class='title'>{m.title()}</h1><div class='authors'>{m.mine('Anna Person, Bela Someone, Cyril Third')}</div><blockquote class='abstract'>{m.paragraph(7)}</blockquote>"
        f"<table summary='meta'><tr><td>{m.mine('Comments by authors')}</td><td>{m.mine('14 pages, 3 figures')}</td></tr></table></div><div class='extra-services'>{m.menu(10)}</div></div></main>"
        f"<footer>{m.menu(5)}</footer></div>"
    )


@_page()
def latexml_article(m: Maker) -> str:
    return _document(
        f"<nav class='ltx_page_navbar'><nav class='ltx_TOC'><ol><li><a href='#S1'>{m.other('1 The contents once more')}</a></li></ol></nav></nav><div class='ltx_page_main'><article class='ltx_document'>"
        f"<h1>{m.title()}</h1><div class='ltx_abstract'><p>{m.paragraph(4)}</p></div><section id='S1'><h2>{m.title()}</h2><div class='ltx_para'><p>{m.paragraph(3)} <math><mi>x</mi><mo>=</mo><mn>2</mn></math></p></div>"
        f"{m.paragraphs(5)}</section><section class='ltx_bibliography'><h2>{m.mine('Works cited here')}</h2><ul><li class='ltx_bibitem'>{m.mine('Person (2001) On the tides. Harbour Press.')}</li></ul></section></article></div>"
    )


@_page()
def law_text(m: Maker) -> str:
    articles = "".join(
        f"<p class='ti-art'>{m.mine(f'Article {n}')}</p><p class='normal'>{m.paragraph(2)}</p><table><tr><td><p>({n}a)</p></td><td><p>{m.paragraph(1)}</p></td></tr></table>"
        for n in range(1, 9)
    )
    return _document(
        f"<div id='header'>{m.menu(7)}</div><div id='PP4Contents'><div id='text'><p class='doc-ti'>{m.title()}</p>{articles}</div></div><div class='footer'>{m.menu(5)}</div>"
    )


@_page()
def glossary(m: Maker) -> str:
    entries = "".join(
        f"<dt id='t{n}'>{m.mine(f'Term of trade {n}')}</dt><dd>{m.paragraph(1)}</dd>" for n in range(15)
    )
    return _document(f"<nav>{m.menu(5)}</nav><h1>{m.title()}</h1><dl>{entries}</dl>{_footer(m)}")


@_page()
def statistics_table(m: Maker) -> str:
    rows = "".join(
        f"<tr><td>{m.mine(f'District {n}')}</td><td>{m.mine(f'{n * 37}.{n} mm')}</td><td>{m.mine(f'{n * 91} pairs')}</td></tr>"
        for n in range(40)
    )
    return _document(
        f"<header><nav>{m.menu(6)}</nav></header><main><h1>{m.title()}</h1><p>{m.paragraph(1)}</p><table>{rows}</table></main>{_footer(m)}"
    )


@_page()
def footnoted_essay(m: Maker) -> str:
    notes = "".join(
        f"<li id='fn{n}'><p>{m.mine(f'See the letters of {1800 + n}, where the matter is treated at length.')} <a href='#r{n}'>↩</a></p></li>"
        for n in range(6)
    )
    return _document(
        f"<div class='publication'><div class='main-menu'>{m.links(3, '<a href=/{n}>{label}</a>')}</div><article><h1>{m.title()}</h1><div class='available-content'>{m.paragraphs(8)}<div class='subscription-widget-wrap'>"
        f"<p>{m.other('Thanks for reading! Subscribe for free to receive new posts.')}</p><form><input><button>Subscribe</button></form></div>{m.paragraphs(4)}"
        f"<footer class='footnotes'><ol>{notes}</ol></footer></div></article></div>"
    )


# -- talk -----------------------------------------------------------------------------------------


@_page()
def forum_phpbb(m: Maker) -> str:
    posts = "".join(
        f"<div class='post'><dl class='postprofile'><dt><a href='/u{n}'>{m.mine(f'user_{n}x')}</a></dt></dl><div class='postbody'><h3>{m.mine(f'Re: question {n}')}</h3><div class='content'>{m.paragraph(2)}</div></div></div>"
        for n in range(7)
    )
    return _document(
        f"<div id='wrap'><div id='page-header'><ul class='linklist navlinks'>{m.links(5)}</ul></div><div id='page-body'><h2>{m.title()}</h2>{posts}<div class='pagination'>{m.links(5, '<a href=/p{n}>{label}</a>')}</div></div>"
        f"<div id='page-footer'><div class='navbar'>{m.menu(4)}</div></div></div>"
    )


@_page()
def question_and_answers(m: Maker) -> str:
    answers = "".join(
        f"<div class='answer'><div class='votecell'>{n}</div><div class='s-prose'><p>{m.paragraph(3)}</p><pre><code>{m.mine(f'value_{n} = read({n})')}</code></pre></div><ul class='comments-list'><li><span class='comment-copy'>{m.paragraph(1)}</span></li></ul></div>"
        for n in range(4)
    )
    return _document(
        f"<header class='s-topbar'>{m.menu(5)}</header><div id='left-sidebar'><nav>{m.menu(7)}</nav></div><div id='content'><h1><a href='/q'>{m.title()}</a></h1><div class='question'><div class='s-prose'>{m.paragraphs(2)}</div>"
        f"<div class='post-taglist'>{m.links(4, '<a href=/t{n}>{label}</a>')}</div></div><div id='answers'>{answers}</div></div><div id='sidebar'>{_related(m, 'sidebar-related')}</div>{_footer(m)}"
    )


@_page()
def link_forum_table(m: Maker) -> str:
    comments = "".join(
        f"<tr class='athing comtr'><td><table><tr><td class='ind' width='{n * 40}'></td><td class='default'><span class='comhead'><a href='/u'>{m.mine(f'person{n}a')}</a></span><div class='comment'><span class='commtext'>{m.paragraph(2)}<p>{m.paragraph(1)}</p></span></div></td></tr></table></td></tr>"
        for n in range(9)
    )
    return _document(
        f"<center><table id='hnmain'><tr><td bgcolor='#ff6600'><table><tr><td><span class='pagetop'>{m.links(6, '<a href=/{n}>{label}</a> | ')}</span></td></tr></table></td></tr><tr><td><table class='fatitem'><tr><td class='title'><a href='/s'>{m.title()}</a></td></tr></table>"
        f"<table class='comment-tree'>{comments}</table></td></tr><tr><td><center><span class='yclinks'>{m.links(6, '<a href=/{n}>{label}</a> | ')}</span></center></td></tr></table></center>"
    )


@_page()
def mailing_list(m: Maker) -> str:
    return _document(
        f"<h1>{m.title()}</h1><b>{m.mine('Anna Person')}</b><ul><li>{m.links(3, '<a href=/{n}>{label}</a> ')}</li></ul><hr><pre>{m.paragraph(3)}\n\n&gt; {m.paragraph(1)}\n\n{m.paragraph(3)}</pre><hr><ul><li>{m.links(3, '<a href=/{n}>{label}</a> ')}</li></ul>"
    )


@_page()
def interview(m: Maker) -> str:
    lines = "".join(
        f"<p><b>{m.mine('Q' + str(n) + ':')}</b> {m.mine('And why was that so?' + ' ' * 0 + str(n))}</p><p>{m.mine(f'Because of number {n}.')}</p>"
        for n in range(25)
    )
    return _document(
        f"<header><nav>{m.menu(5)}</nav></header><div class='wrap'><h1>{m.title()}</h1>{lines}</div>{_footer(m)}"
    )


# -- old and odd ----------------------------------------------------------------------------------


@_page()
def table_layout(m: Maker) -> str:
    return (
        f"<HTML><HEAD><TITLE>x</TITLE></HEAD><BODY BGCOLOR=white><TABLE WIDTH=800><TR><TD COLSPAN=3><FONT SIZE=1>{m.links(7, '<A HREF=/{n}>{label}</A> | ')}</FONT></TD></TR><TR><TD WIDTH=120 VALIGN=top>"
        f"{m.links(14, '<A HREF=/{n}>{label}</A><BR>')}</TD><TD><FONT FACE=Arial><B>{m.title()}</B><BR><BR>{m.paragraph()}<BR><BR>{m.paragraph()}<P>{m.paragraph()}<P>{m.paragraph()}</FONT></TD><TD WIDTH=140>"
        f"<FONT SIZE=1>{m.links(5, '<A HREF=/{n}>{label}</A><BR>')}</FONT></TD></TR><TR><TD COLSPAN=3 ALIGN=center><FONT SIZE=1>{m.links(6, '<A HREF=/{n}>{label}</A> - ')}</FONT></TD></TR></TABLE></BODY></HTML>"
    )


@_page()
def book_without_wrapper(m: Maker) -> str:
    chapters = "".join(f"<h2>{m.mine(f'CHAPTER {n}')}</h2>{m.paragraphs(40)}" for n in range(1, 7))
    toc = "".join(f"<a href='#c{n}'>part {n}</a><br>" for n in range(1, 7))
    return _document(f"<h1>{m.title()}</h1><p>{toc}</p>{chapters}")


@_page()
def text_in_pre(m: Maker) -> str:
    return _document(f"<pre>{m.paragraph(2)}\n\n{m.paragraph(6)}\n\n{m.paragraph(6)}</pre>")


@_page()
def bare_fragment(m: Maker) -> str:
    return f"{m.paragraph(2)}<p>{m.paragraph(3)}<p>{m.paragraph(2)}"


@_page()
def aspx_form_around_all(m: Maker) -> str:
    return _document(
        f"<form id='aspnetForm' method='post'><input type='hidden' value='x'><div class='top'>{m.menu(8)}</div><div class='search'><input type='text'><input type='submit'></div>"
        f"<div id='ctl00_Main'><h1>{m.title()}</h1>{m.paragraphs(6)}</div><div class='bottom'>{m.menu(8)}</div></form>"
    )


@_page()
def poem(m: Maker) -> str:
    verses = "".join(
        "<p>"
        + "<br>".join(
            m.mine(f"{w} the tide, line {n}{w[0]},") for w in ("Under", "Beyond", "Against", "Along")
        )
        + "</p>"
        for n in range(6)
    )
    return _document(
        f"<header><nav>{m.menu(6)}</nav></header><div class='o-poem'><h1>{m.title()}</h1>{verses}</div><footer>{m.menu(9)}</footer>"
    )


@_page()
def accordion_faq(m: Maker) -> str:
    items = "".join(
        f"<div class='accordion-item'><h3><button>{'Question'}</button></h3><div class='panel collapse'><p>{m.paragraph(2)}</p></div></div>"
        for n in range(8)
    )
    return _document(
        f"<nav class='navbar'>{m.menu(6)}</nav><div class='container'><h1>{m.title()}</h1>{items}</div><footer>{m.menu(5)}</footer>",
        "<style>.collapse{display:none}.collapse.show{display:block}.d-none{display:none}</style>",
    )


@_page()
def amp_page(m: Maker) -> str:
    return _document(
        f"<header class='amp-wp-header'><a href='/'>{m.label()}</a></header><amp-sidebar id='sb' layout='nodisplay' hidden>{m.menu(10)}</amp-sidebar><article class='amp-wp-article'><h1>{m.title()}</h1><div class='amp-wp-article-content'>{m.paragraphs(6)}</div></article><amp-consent class='amp-consent' style='position:fixed'><div>{m.other('We use cookies to keep this site free for all readers.')}<button>Accept</button></div></amp-consent><footer class='amp-wp-footer'>{m.menu(3)}</footer>"
    )


@_page()
def printed_version(m: Maker) -> str:
    return _document(
        f"<p><b>{m.title()}</b></p>{m.paragraphs(5)}<p><a href='/full'>{m.other('Back to the normal view')}</a></p>"
    )


@_page()
def recipe(m: Maker) -> str:
    ingredients = "".join(
        f"<li class='ingredient'>{m.mine(f'{n}00 g of flour kind {n}')}</li>" for n in range(1, 9)
    )
    steps = "".join(
        f"<li><p>{m.mine(f'Step {n}: stir the butter and sugar for {n} minutes, then bake the cookies.')}</p></li>"
        for n in range(1, 7)
    )
    return _document(
        f"<header class='header'><nav>{m.menu(10)}</nav></header><div class='recipe-page'><h1>{m.title()}</h1>{_share(m)}<p>{m.paragraph(2)}</p><div class='ad'><p>{m.other('Advertisement: pans at half price')}</p></div><h2>{m.mine('Ingredients needed')}</h2><ul>{ingredients}</ul>"
        f"<h2>{m.mine('Method of baking')}</h2><ol>{steps}</ol></div>{_related(m, 'recommended-recipes')}{_newsletter(m)}{_footer(m)}{_cookie_bar(m)}"
    )


@_page()
def product_page(m: Maker) -> str:
    specs = "".join(
        f"<tr><th>{m.mine(f'Property {n}')}</th><td>{m.mine(f'value of {n} units')}</td></tr>"
        for n in range(8)
    )
    return _document(
        f"<header>{m.menu(9)}</header><main><h1>{m.title()}</h1><div class='description'>{m.paragraphs(3)}</div><table>{specs}</table></main>{_related(m, 'recommended-products')}{_footer(m)}"
    )


@_page()
def report_with_details(m: Maker) -> str:
    parts = "".join(
        f"<details><summary>{m.mine(f'Annex {n}')}</summary>{m.paragraphs(2)}</details>" for n in range(4)
    )
    return _document(
        f"<header><nav>{m.menu(6)}</nav></header><main><h1>{m.title()}</h1>{m.paragraphs(3)}<aside class='pullquote'><p>{m.paragraph(1)}</p></aside>{parts}</main>{_footer(m)}"
    )


# -- links that are the content -------------------------------------------------------------------


@_page()
def list_of_links(m: Maker) -> str:
    items = "".join(
        f"<li><a href='https://site{n}.example/'>{m.mine(f'Archive of harbour number {n}')}</a></li>"
        for n in range(60)
    )
    return _document(f"<h1>{m.title()}</h1><ul>{items}</ul>")


@_page()
def annotated_links(m: Maker) -> str:
    items = "".join(
        f"<li><a href='https://p{n}.example/'>{m.mine(f'estuary-tool-{n}')}</a> - {m.mine(f'Reads the gauges of station {n}.')}</li>"
        for n in range(50)
    )
    return _document(
        f"<header><nav>{m.menu(6)}</nav></header><main><h1>{m.title()}</h1><p>{m.paragraph(1)}</p><h2>{m.mine('Tools listed')}</h2><ul>{items}</ul></main><footer>{m.menu(5)}</footer>"
    )


@_page()
def journal_contents(m: Maker) -> str:
    items = "".join(
        f"<div class='issue-item'><h5><a href='/doi/{n}'>{m.mine(f'On the measurement of tides, part {n}')}</a></h5><div class='authors'>{m.mine(f'A. Person and {n} others')}</div><a href='/pdf{n}'>PDF</a></div>"
        for n in range(25)
    )
    return _document(
        f"<header>{m.menu(8)}</header><div class='table-of-content'><h1>{m.title()}</h1>{items}</div>{_footer(m)}"
    )


@_page()
def search_results(m: Maker) -> str:
    items = "".join(
        f"<div class='g'><a href='/u{n}'><h3>{m.mine(f'Result {n} about herons')}</h3></a><div class='VwiC3b'>{m.paragraph(1)}</div></div>"
        for n in range(10)
    )
    return _document(
        f"<div role='navigation'>{m.menu(5)}</div><div id='rso'>{items}</div><div role='navigation'>{m.menu(9)}</div>"
    )


@_page()
def bibliography(m: Maker) -> str:
    items = "".join(
        f"<p>{m.mine(f'Person, A. ({1900 + n}). ')}<a href='/b{n}'><i>{m.mine(f'Collected papers on the coast, volume {n}')}</i></a>. {m.mine(f'Harbour Press, {n} pp.')}</p>"
        for n in range(40)
    )
    return _document(
        f"<div class='menu'>{m.links(5, '<a href=/{n}>{label}</a> ')}</div><h1>{m.title()}</h1>{items}"
    )


@_page()
def staff_directory(m: Maker) -> str:
    rows = "".join(
        f"<div class='person'><h3><a href='/p{n}'>{m.mine(f'Dr. Person Number{n}')}</a></h3><p>{m.mine(f'Room {n}0, tel. 555-{n}1')}</p></div>"
        for n in range(20)
    )
    return _document(
        f"<header><nav>{m.menu(7)}</nav></header><main><h1>{m.title()}</h1>{rows}</main>{_footer(m)}"
    )


# -- other languages ------------------------------------------------------------------------------


@_page("zh")
def chinese_news(m: Maker) -> str:
    return _document(
        f"<div class='top-nav'>{m.links(12, '<a href=/{n}>{label}</a>')}</div><div class='main'><div class='path'>{m.links(3, '<a href=/{n}>{label}</a> &gt; ')}</div><h1 class='main-title'>{m.title()}</h1><div class='article' id='artibody'>{m.paragraphs(8)}</div>"
        f"<div class='blk-related'><h3>{m.other('相关阅读推荐')}</h3>{m.menu(6)}</div></div><div class='footer'>{m.links(8, '<a href=/{n}>{label}</a> | ')}<p>{m.other('版权所有 新闻网站 京ICP证000000号')}</p></div>",
        language="zh-CN",
    )


@_page("zh")
def chinese_question_site(m: Maker) -> str:
    answers = "".join(
        f"<div class='List-item'><div class='ContentItem'><div class='AuthorInfo'>{m.mine(f'用户{n}号')}</div><div class='RichContent-inner'><span>{m.paragraphs(3)}</span></div></div></div>"
        for n in range(3)
    )
    return _document(
        f"<div id='root'><header role='banner'><nav>{m.menu(5)}</nav></header><main role='main'><h1>{m.title()}</h1>{answers}</main><div class='Question-sideColumn'>{m.menu(8)}</div></div>",
        language="zh",
    )


@_page("ja")
def japanese_news(m: Maker) -> str:
    return _document(
        f"<div id='header'><ul class='gnav'>{m.links(10)}</ul></div><div id='contents'><div class='article-body'><h1>{m.title()}</h1>{m.paragraphs(7)}</div><div class='sns'>{m.menu(4)}</div><div class='ranking'><h2>{m.other('アクセスランキング一覧')}</h2><ol>{m.links(6)}</ol></div></div><div id='footer'>{m.menu(7)}</div>",
        language="ja",
    )


@_page("ja")
def japanese_old_table(m: Maker) -> str:
    return f"<html><head><title>x</title></head><body><table width=900><tr><td width=150>{m.links(10, '<a href=/{n}>{label}</a><br>')}</td><td><font size=5>{m.title()}</font><br><br>　{m.paragraph(3)}<br>　{m.paragraph(3)}<br>　{m.paragraph(3)}</td></tr></table></body></html>"


@_page("ar")
def arabic_news(m: Maker) -> str:
    return _document(
        f"<header class='site-header'><nav>{m.menu(9)}</nav></header><main><article><h1>{m.title()}</h1>{_share(m)}<div class='wysiwyg'>{m.paragraphs(7)}</div></article></main><aside class='trending'><ol>{m.links(5)}</ol></aside><footer>{m.menu(8)}</footer>",
        language="ar", attributes=" dir='rtl'",
    )  # fmt: skip


@_page("ru")
def russian_blog(m: Maker) -> str:
    return _document(
        f"<div class='tm-header'>{m.links(6, '<a href=/{n}>{label}</a>')}</div><div class='tm-page'><article><h1>{m.title()}</h1><div class='article-formatted-body'>{m.paragraphs(7)}</div><div class='tm-tags'>{m.links(4, '<a href=/{n}>{label}</a>, ')}</div></article></div><div class='tm-footer'>{m.menu(8)}</div>",
        language="ru",
    )


@_page("ko")
def korean_news(m: Maker) -> str:
    return _document(
        f"<div class='Nlnb'>{m.menu(9)}</div><div id='ct' role='main'><h2 id='title_area'>{m.title()}</h2><div id='newsct_article'><article id='dic_area'>{m.paragraph()}<br><br>{m.paragraph()}<br><br>{m.paragraph()}</article></div><div class='ofhe_menu'>{m.menu(4)}</div></div><div role='contentinfo' class='footer'>{m.menu(6)}</div>",
        language="ko",
    )
