"""Pages in other languages than English."""

from __future__ import annotations

from tests.support.page_texts import Maker
from tests.support.pages.making import document, share, web_page


@web_page("zh")
def chinese_news(m: Maker) -> str:
    return document(
        f"<div class='top-nav'>{m.links(12, '<a href=/{n}>{label}</a>')}</div><div class='main'><div class='path'>{m.links(3, '<a href=/{n}>{label}</a> &gt; ')}</div><h1 class='main-title'>{m.title()}</h1><div class='article' id='artibody'>{m.paragraphs(8)}</div>"
        f"<div class='blk-related'><h3>{m.other('相关阅读推荐')}</h3>{m.menu(6)}</div></div><div class='footer'>{m.links(8, '<a href=/{n}>{label}</a> | ')}<p>{m.other('版权所有 新闻网站 京ICP证000000号')}</p></div>",
        language="zh-CN",
    )


@web_page("zh")
def chinese_question_site(m: Maker) -> str:
    answers = "".join(
        f"<div class='List-item'><div class='ContentItem'><div class='AuthorInfo'>{m.mine(f'用户{n}号')}</div><div class='RichContent-inner'><span>{m.paragraphs(3)}</span></div></div></div>"
        for n in range(3)
    )
    return document(
        f"<div id='root'><header role='banner'><nav>{m.menu(5)}</nav></header><main role='main'><h1>{m.title()}</h1>{answers}</main><div class='Question-sideColumn'>{m.menu(8)}</div></div>",
        language="zh",
    )


@web_page("ja")
def japanese_news(m: Maker) -> str:
    return document(
        f"<div id='header'><ul class='gnav'>{m.links(10)}</ul></div><div id='contents'><div class='article-body'><h1>{m.title()}</h1>{m.paragraphs(7)}</div><div class='sns'>{m.menu(4)}</div><div class='ranking'><h2>{m.other('アクセスランキング一覧')}</h2><ol>{m.links(6)}</ol></div></div><div id='footer'>{m.menu(7)}</div>",
        language="ja",
    )


@web_page("ja")
def japanese_old_table(m: Maker) -> str:
    return f"<html><head><title>x</title></head><body><table width=900><tr><td width=150>{m.links(10, '<a href=/{n}>{label}</a><br>')}</td><td><font size=5>{m.title()}</font><br><br>　{m.paragraph(3)}<br>　{m.paragraph(3)}<br>　{m.paragraph(3)}</td></tr></table></body></html>"


@web_page("ar")
def arabic_news(m: Maker) -> str:
    return document(
        f"<header class='site-header'><nav>{m.menu(9)}</nav></header><main><article><h1>{m.title()}</h1>{share(m)}<div class='wysiwyg'>{m.paragraphs(7)}</div></article></main><aside class='trending'><ol>{m.links(5)}</ol></aside><footer>{m.menu(8)}</footer>",
        language="ar", attributes=" dir='rtl'",
    )  # fmt: skip


@web_page("ru")
def russian_blog(m: Maker) -> str:
    return document(
        f"<div class='tm-header'>{m.links(6, '<a href=/{n}>{label}</a>')}</div><div class='tm-page'><article><h1>{m.title()}</h1><div class='article-formatted-body'>{m.paragraphs(7)}</div><div class='tm-tags'>{m.links(4, '<a href=/{n}>{label}</a>, ')}</div></article></div><div class='tm-footer'>{m.menu(8)}</div>",
        language="ru",
    )


@web_page("ko")
def korean_news(m: Maker) -> str:
    return document(
        f"<div class='Nlnb'>{m.menu(9)}</div><div id='ct' role='main'><h2 id='title_area'>{m.title()}</h2><div id='newsct_article'><article id='dic_area'>{m.paragraph()}<br><br>{m.paragraph()}<br><br>{m.paragraph()}</article></div><div class='ofhe_menu'>{m.menu(4)}</div></div><div role='contentinfo' class='footer'>{m.menu(6)}</div>",
        language="ko",
    )
