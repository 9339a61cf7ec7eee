"""Forums, essays, old and odd ways to build a page."""

from __future__ import annotations

from tests.support.page_texts import Maker
from tests.support.pages.making import document, footer, related, web_page


@web_page()
def forum_phpbb(m: Maker) -> str:
    posts = "".join(
        f"<div class='post'><dl class='postprofile'><dt><a href='/u{n}'>{m.mine(f'user_{n}x')}</a></dt></dl><div class='postbody'><h3>{m.mine(f'Re: question {n}')}</h3><div class='content'>{m.paragraph(2)}</div></div></div>"
        for n in range(7)
    )
    return document(
        f"<div id='wrap'><div id='page-header'><ul class='linklist navlinks'>{m.links(5)}</ul></div><div id='page-body'><h2>{m.title()}</h2>{posts}<div class='pagination'>{m.links(5, '<a href=/p{n}>{label}</a>')}</div></div>"
        f"<div id='page-footer'><div class='navbar'>{m.menu(4)}</div></div></div>"
    )


@web_page()
def question_and_answers(m: Maker) -> str:
    answers = "".join(
        f"<div class='answer'><div class='votecell'>{n}</div><div class='s-prose'><p>{m.paragraph(3)}</p><pre><code>{m.mine(f'value_{n} = read({n})')}</code></pre></div><ul class='comments-list'><li><span class='comment-copy'>{m.paragraph(1)}</span></li></ul></div>"
        for n in range(4)
    )
    return document(
        f"<header class='s-topbar'>{m.menu(5)}</header><div id='left-sidebar'><nav>{m.menu(7)}</nav></div><div id='content'><h1><a href='/q'>{m.title()}</a></h1><div class='question'><div class='s-prose'>{m.paragraphs(2)}</div>"
        f"<div class='post-taglist'>{m.links(4, '<a href=/t{n}>{label}</a>')}</div></div><div id='answers'>{answers}</div></div><div id='sidebar'>{related(m, 'sidebar-related')}</div>{footer(m)}"
    )


@web_page()
def link_forum_table(m: Maker) -> str:
    comments = "".join(
        f"<tr class='athing comtr'><td><table><tr><td class='ind' width='{n * 40}'></td><td class='default'><span class='comhead'><a href='/u'>{m.mine(f'person{n}a')}</a></span><div class='comment'><span class='commtext'>{m.paragraph(2)}<p>{m.paragraph(1)}</p></span></div></td></tr></table></td></tr>"
        for n in range(9)
    )
    return document(
        f"<center><table id='hnmain'><tr><td bgcolor='#ff6600'><table><tr><td><span class='pagetop'>{m.links(6, '<a href=/{n}>{label}</a> | ')}</span></td></tr></table></td></tr><tr><td><table class='fatitem'><tr><td class='title'><a href='/s'>{m.title()}</a></td></tr></table>"
        f"<table class='comment-tree'>{comments}</table></td></tr><tr><td><center><span class='yclinks'>{m.links(6, '<a href=/{n}>{label}</a> | ')}</span></center></td></tr></table></center>"
    )


@web_page()
def mailing_list(m: Maker) -> str:
    return document(
        f"<h1>{m.title()}</h1><b>{m.mine('Anna Person')}</b><ul><li>{m.links(3, '<a href=/{n}>{label}</a> ')}</li></ul><hr><pre>{m.paragraph(3)}\n\n&gt; {m.paragraph(1)}\n\n{m.paragraph(3)}</pre><hr><ul><li>{m.links(3, '<a href=/{n}>{label}</a> ')}</li></ul>"
    )


@web_page()
def interview(m: Maker) -> str:
    lines = "".join(
        f"<p><b>{m.mine('Q' + str(n) + ':')}</b> {m.mine('And why was that so?' + ' ' * 0 + str(n))}</p><p>{m.mine(f'Because of number {n}.')}</p>"
        for n in range(25)
    )
    return document(
        f"<header><nav>{m.menu(5)}</nav></header><div class='wrap'><h1>{m.title()}</h1>{lines}</div>{footer(m)}"
    )


# -- old and odd ----------------------------------------------------------------------------------


@web_page()
def table_layout(m: Maker) -> str:
    return (
        f"<HTML><HEAD><TITLE>x</TITLE></HEAD><BODY BGCOLOR=white><TABLE WIDTH=800><TR><TD COLSPAN=3><FONT SIZE=1>{m.links(7, '<A HREF=/{n}>{label}</A> | ')}</FONT></TD></TR><TR><TD WIDTH=120 VALIGN=top>"
        f"{m.links(14, '<A HREF=/{n}>{label}</A><BR>')}</TD><TD><FONT FACE=Arial><B>{m.title()}</B><BR><BR>{m.paragraph()}<BR><BR>{m.paragraph()}<P>{m.paragraph()}<P>{m.paragraph()}</FONT></TD><TD WIDTH=140>"
        f"<FONT SIZE=1>{m.links(5, '<A HREF=/{n}>{label}</A><BR>')}</FONT></TD></TR><TR><TD COLSPAN=3 ALIGN=center><FONT SIZE=1>{m.links(6, '<A HREF=/{n}>{label}</A> - ')}</FONT></TD></TR></TABLE></BODY></HTML>"
    )


@web_page()
def book_without_wrapper(m: Maker) -> str:
    chapters = "".join(f"<h2>{m.mine(f'CHAPTER {n}')}</h2>{m.paragraphs(40)}" for n in range(1, 7))
    toc = "".join(f"<a href='#c{n}'>part {n}</a><br>" for n in range(1, 7))
    return document(f"<h1>{m.title()}</h1><p>{toc}</p>{chapters}")


@web_page()
def text_in_pre(m: Maker) -> str:
    return document(f"<pre>{m.paragraph(2)}\n\n{m.paragraph(6)}\n\n{m.paragraph(6)}</pre>")


@web_page()
def bare_fragment(m: Maker) -> str:
    return f"{m.paragraph(2)}<p>{m.paragraph(3)}<p>{m.paragraph(2)}"


@web_page()
def aspx_form_around_all(m: Maker) -> str:
    return document(
        f"<form id='aspnetForm' method='post'><input type='hidden' value='x'><div class='top'>{m.menu(8)}</div><div class='search'><input type='text'><input type='submit'></div>"
        f"<div id='ctl00_Main'><h1>{m.title()}</h1>{m.paragraphs(6)}</div><div class='bottom'>{m.menu(8)}</div></form>"
    )


@web_page()
def poem(m: Maker) -> str:
    verses = "".join(
        "<p>"
        + "<br>".join(
            m.mine(f"{w} the tide, line {n}{w[0]},") for w in ("Under", "Beyond", "Against", "Along")
        )
        + "</p>"
        for n in range(6)
    )
    return document(
        f"<header><nav>{m.menu(6)}</nav></header><div class='o-poem'><h1>{m.title()}</h1>{verses}</div><footer>{m.menu(9)}</footer>"
    )
