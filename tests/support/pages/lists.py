"""Pages that are lists: contents, results, products, questions."""

from __future__ import annotations

from tests.support.page_texts import Maker
from tests.support.pages.making import cookie_bar, document, footer, newsletter, related, share, web_page


@web_page()
def accordion_faq(m: Maker) -> str:
    items = "".join(
        f"<div class='accordion-item'><h3><button>{'Question'}</button></h3><div class='panel collapse'><p>{m.paragraph(2)}</p></div></div>"
        for n in range(8)
    )
    return document(
        f"<nav class='navbar'>{m.menu(6)}</nav><div class='container'><h1>{m.title()}</h1>{items}</div><footer>{m.menu(5)}</footer>",
        "<style>.collapse{display:none}.collapse.show{display:block}.d-none{display:none}</style>",
    )


@web_page()
def amp_page(m: Maker) -> str:
    return document(
        f"<header class='amp-wp-header'><a href='/'>{m.label()}</a></header><amp-sidebar id='sb' layout='nodisplay' hidden>{m.menu(10)}</amp-sidebar><article class='amp-wp-article'><h1>{m.title()}</h1><div class='amp-wp-article-content'>{m.paragraphs(6)}</div></article><amp-consent class='amp-consent' style='position:fixed'><div>{m.other('We use cookies to keep this site free for all readers.')}<button>Accept</button></div></amp-consent><footer class='amp-wp-footer'>{m.menu(3)}</footer>"
    )


@web_page()
def printed_version(m: Maker) -> str:
    return document(
        f"<p><b>{m.title()}</b></p>{m.paragraphs(5)}<p><a href='/full'>{m.other('Back to the normal view')}</a></p>"
    )


@web_page()
def recipe(m: Maker) -> str:
    ingredients = "".join(
        f"<li class='ingredient'>{m.mine(f'{n}00 g of flour kind {n}')}</li>" for n in range(1, 9)
    )
    steps = "".join(
        f"<li><p>{m.mine(f'Step {n}: stir the butter and sugar for {n} minutes, then bake the cookies.')}</p></li>"
        for n in range(1, 7)
    )
    return document(
        f"<header class='header'><nav>{m.menu(10)}</nav></header><div class='recipe-page'><h1>{m.title()}</h1>{share(m)}<p>{m.paragraph(2)}</p><div class='ad'><p>{m.other('Advertisement: pans at half price')}</p></div><h2>{m.mine('Ingredients needed')}</h2><ul>{ingredients}</ul>"
        f"<h2>{m.mine('Method of baking')}</h2><ol>{steps}</ol></div>{related(m, 'recommended-recipes')}{newsletter(m)}{footer(m)}{cookie_bar(m)}"
    )


@web_page()
def product_page(m: Maker) -> str:
    specs = "".join(
        f"<tr><th>{m.mine(f'Property {n}')}</th><td>{m.mine(f'value of {n} units')}</td></tr>"
        for n in range(8)
    )
    return document(
        f"<header>{m.menu(9)}</header><main><h1>{m.title()}</h1><div class='description'>{m.paragraphs(3)}</div><table>{specs}</table></main>{related(m, 'recommended-products')}{footer(m)}"
    )


@web_page()
def report_with_details(m: Maker) -> str:
    parts = "".join(
        f"<details><summary>{m.mine(f'Annex {n}')}</summary>{m.paragraphs(2)}</details>" for n in range(4)
    )
    return document(
        f"<header><nav>{m.menu(6)}</nav></header><main><h1>{m.title()}</h1>{m.paragraphs(3)}<aside class='pullquote'><p>{m.paragraph(1)}</p></aside>{parts}</main>{footer(m)}"
    )


# -- links that are the content -------------------------------------------------------------------


@web_page()
def list_of_links(m: Maker) -> str:
    items = "".join(
        f"<li><a href='https://site{n}.example/'>{m.mine(f'Archive of harbour number {n}')}</a></li>"
        for n in range(60)
    )
    return document(f"<h1>{m.title()}</h1><ul>{items}</ul>")


@web_page()
def annotated_links(m: Maker) -> str:
    items = "".join(
        f"<li><a href='https://p{n}.example/'>{m.mine(f'estuary-tool-{n}')}</a> - {m.mine(f'Reads the gauges of station {n}.')}</li>"
        for n in range(50)
    )
    return document(
        f"<header><nav>{m.menu(6)}</nav></header><main><h1>{m.title()}</h1><p>{m.paragraph(1)}</p><h2>{m.mine('Tools listed')}</h2><ul>{items}</ul></main><footer>{m.menu(5)}</footer>"
    )


@web_page()
def journal_contents(m: Maker) -> str:
    items = "".join(
        f"<div class='issue-item'><h5><a href='/doi/{n}'>{m.mine(f'On the measurement of tides, part {n}')}</a></h5><div class='authors'>{m.mine(f'A. Person and {n} others')}</div><a href='/pdf{n}'>PDF</a></div>"
        for n in range(25)
    )
    return document(
        f"<header>{m.menu(8)}</header><div class='table-of-content'><h1>{m.title()}</h1>{items}</div>{footer(m)}"
    )


@web_page()
def search_results(m: Maker) -> str:
    items = "".join(
        f"<div class='g'><a href='/u{n}'><h3>{m.mine(f'Result {n} about herons')}</h3></a><div class='VwiC3b'>{m.paragraph(1)}</div></div>"
        for n in range(10)
    )
    return document(
        f"<div role='navigation'>{m.menu(5)}</div><div id='rso'>{items}</div><div role='navigation'>{m.menu(9)}</div>"
    )


@web_page()
def bibliography(m: Maker) -> str:
    items = "".join(
        f"<p>{m.mine(f'Person, A. ({1900 + n}). ')}<a href='/b{n}'><i>{m.mine(f'Collected papers on the coast, volume {n}')}</i></a>. {m.mine(f'Harbour Press, {n} pp.')}</p>"
        for n in range(40)
    )
    return document(
        f"<div class='menu'>{m.links(5, '<a href=/{n}>{label}</a> ')}</div><h1>{m.title()}</h1>{items}"
    )


@web_page()
def staff_directory(m: Maker) -> str:
    rows = "".join(
        f"<div class='person'><h3><a href='/p{n}'>{m.mine(f'Dr. Person Number{n}')}</a></h3><p>{m.mine(f'Room {n}0, tel. 555-{n}1')}</p></div>"
        for n in range(20)
    )
    return document(
        f"<header><nav>{m.menu(7)}</nav></header><main><h1>{m.title()}</h1>{rows}</main>{footer(m)}"
    )


# -- other languages ------------------------------------------------------------------------------
