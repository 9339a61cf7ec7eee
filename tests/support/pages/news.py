"""Newspapers, blogs and what their builders make of them."""

from __future__ import annotations

from tests.support.page_texts import Maker
from tests.support.pages.making import (
    comment_form,
    cookie_bar,
    document,
    footer,
    newsletter,
    onetrust,
    related,
    share,
    sidebar,
    web_page,
)


@web_page()
def news_semantic(m: Maker) -> str:
    return document(
        f"<a class='skip-link' href='#main'>{m.other('Skip to the content')}</a><header><nav>{m.menu(12)}</nav></header>"
        f"<main id='main'><article><header><h1>{m.title()}</h1><p class='standfirst'>{m.paragraph(1)}</p></header>{share(m)}"
        f"<figure><img src='a.jpg'><figcaption>{m.mine('Fishing boats in the harbour. Photograph: A. Person')}</figcaption></figure>"
        f"{m.paragraphs(6)}<h2>{m.title()}</h2>{m.paragraphs(5)}{newsletter(m)}{m.paragraphs(3)}</article></main>"
        f"{related(m)}{footer(m)}{onetrust(m)}"
    )


@web_page()
def news_divs(m: Maker) -> str:
    ad = "<div class='ad-slot'><span>" + m.other("Advertisement of a sponsor") + "</span></div>"
    return document(
        f"<div id='header'><div class='topnav'>{m.menu(9)}</div></div><div class='breadcrumbs'><a href='/'>{m.label()}</a> &gt; "
        f"<a href='/w'>{m.label()}</a></div><div id='content'><div class='story'><h1>{m.title()}</h1>"
        f"<div class='byline'>{m.mine('By Jane Doe, correspondent in the north')}</div>{m.paragraphs(4)}{ad}{m.paragraphs(4)}"
        f"</div>{sidebar(m)}</div>{related(m, 'recommended-stories')}<div id='footer'>{m.links(12, '<a href=/{n}>{label}</a> | ')}"
        f"</div>{cookie_bar(m)}"
    )


@web_page()
def wordpress_blog(m: Maker) -> str:
    comments = "".join(
        f"<li class='comment'><div class='comment-content'><p>{m.paragraph(2)}</p></div></li>"
        for _ in range(3)
    )
    return document(
        f"<div id='page' class='hfeed site'><header id='masthead' class='site-header'><p class='site-title'><a href='/'>"
        f"{m.label()}</a></p><nav id='site-navigation' class='main-navigation'>{m.menu(7)}</nav></header>"
        f"<div id='primary' class='content-area'><article class='post hentry'><header class='entry-header'><h1 class='entry-title'>"
        f"{m.title()}</h1></header><div class='entry-content'>{m.paragraphs(5)}<blockquote><p>{m.paragraph(2)}</p></blockquote>"
        f"<ul><li>{m.mine('A first point that is made shortly')}</li><li>{m.mine('A second one')}</li></ul>"
        f"<pre><code>{m.mine('for row in table: print(row.name)')}</code></pre>"
        f"<div class='sharedaddy sd-sharing-enabled'><h3>{m.other('Share this:')}</h3>{m.menu(3)}</div></div>"
        f"<footer class='entry-footer'><span class='tags-links'>{m.links(4, '<a rel=tag href=/t{n}>{label}</a>, ')}</span></footer>"
        f"</article><nav class='post-navigation'><a href='/p'>{m.other('Previous: an older post of mine')}</a></nav>"
        f"<div id='comments'><h2>{m.mine('3 thoughts on this')}</h2><ol>{comments}</ol>{comment_form(m)}</div></div>"
        f"<div id='secondary' class='widget-area'>{sidebar(m)}</div><footer id='colophon'>{m.links(4)}</footer></div>"
    )


@web_page()
def hashed_class_names(m: Maker) -> str:
    return document(
        f"<div id='root'><div class='css-1q2w3e'><div class='css-9xk2'>{m.links(8, '<a class=css-a href=/{n}>{label}</a>')}</div>"
        f"<div class='css-77aa'><div class='css-0'><h1 class='css-h'>{m.title()}</h1>"
        + "".join(f"<div class='css-p1'><div>{m.paragraph()}</div></div>" for _ in range(9))
        + f"</div></div><div class='css-55ff'>{''.join(f'<div class=css-c><a href=/x{n}><div>{m.other(m.text(1))}</div></a></div>' for n in range(5))}"
        f"</div><div class='css-f00'>{m.links(14, '<div><a href=/{n}>{label}</a></div>')}</div></div></div><script>window.__S__={{}}</script>"
    )


@web_page()
def medium_like(m: Maker) -> str:
    return document(
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


@web_page()
def cookie_wall(m: Maker) -> str:
    return document(
        f"<div id='app' aria-hidden='true'><header><nav>{m.menu(6)}</nav></header><main><h1>{m.title()}</h1>{m.paragraphs(9)}</main>{footer(m)}</div>"
        f"<div class='fc-consent-root' role='dialog' aria-modal='true'><div class='fc-dialog'><h2>{m.other('Your privacy, your choice')}</h2>"
        f"<p>{m.other('If you agree, we and selected third parties use cookies and process personal data such as your address to show personalised advertising, to count visits and to develop our services further.')}</p>"
        f"<p>{m.other('You may withdraw this consent to cookies whenever you like by way of the link at the end of each page.')}</p><button>Consent</button></div></div>"
    )


@web_page()
def caught_before_script(m: Maker) -> str:
    return document(
        f"<div class='bar'>{m.links(5, '<a href=/{n}>{label}</a>')}</div><div class='rich_media_content' id='js_content' "
        f"style='visibility: hidden; opacity: 0'><h1>{m.title()}</h1>{m.paragraphs(8)}</div>"
    )


@web_page()
def singlefile_hidden(m: Maker) -> str:
    return document(
        f"<div class='modal sf-hidden'>{m.other('Log in to read on and to save this for later, or create an account.')}</div>"
        f"<div style='display:none'>{m.other('Preloaded: the next story in this section, which you do not see yet.')}</div>"
        f"<div class=page><nav class='drop sf-hidden'>{m.menu(9)}</nav><div class=text><h1>{m.title()}</h1>{m.paragraphs(7)}</div></div>"
        f"<img src=data:image/png;base64,{'A' * 5000}><div hidden>{m.other('A template of a card nobody sees')}</div>",
        "<style>.sf-hidden{display:none!important}@media print{.page{display:none}}</style>",
    )


@web_page()
def live_blog(m: Maker) -> str:
    posts = "".join(
        f"<div class='live-post'><time>{m.mine(f'1{n}:05')}</time><h3>{m.title()}</h3><p>{m.paragraph(2)}</p>{share(m)}</div>"
        for n in range(6)
    )
    return document(
        f"<header class='site-header'>{m.menu(8)}</header><div class='live'><h1>{m.title()}</h1>{posts}</div>{footer(m)}"
    )


@web_page()
def blogspot(m: Maker) -> str:
    archive = "".join(
        f"<li class='archivedate'><a href='/a{n}'>{m.label()}</a> <span>({n})</span></li>" for n in range(9)
    )
    return document(
        f"<div class='content-outer'><div class='header-outer'><h1 class='title'>{m.mine('Notes of a naturalist by the sea')}</h1></div><div class='main-outer'>"
        f"<div class='post-outer'><h3 class='post-title'>{m.title()}</h3><div class='post-body'>{m.paragraph()}<br><br>{m.paragraph()}<br><br>"
        f"{m.paragraph()}</div><div class='post-footer'>{m.links(3, '<a href=/l{n}>{label}</a> ')}</div></div></div>"
        f"<div class='column-right-outer'><div class='widget BlogArchive'><h2>{m.other('Archive of the blog')}</h2><ul>{archive}</ul></div></div></div>"
    )


# -- references, documentation, scholarship -------------------------------------------------------
