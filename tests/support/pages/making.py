"""How a page is entered among the kinds, and the parts that many sites share."""

from __future__ import annotations

from collections.abc import Callable

from tests.support.page_texts import Maker

KINDS: dict[str, tuple[Callable[[Maker], str], str]] = {}


def web_page(language: str = "en") -> Callable[[Callable[[Maker], str]], Callable[[Maker], str]]:
    def register(function: Callable[[Maker], str]) -> Callable[[Maker], str]:
        KINDS[function.__name__.strip("_")] = function, language
        return function

    return register


def document(body: str, head: str = "", language: str = "en", attributes: str = "") -> str:
    return (
        f"<!DOCTYPE html>\n<html lang='{language}'><head><meta charset='utf-8'><title>A page</title>{head}</head>"
        f"<body{attributes}>{body}</body></html>"
    )


# -- parts that many sites share ------------------------------------------------------------------


def onetrust(m: Maker) -> str:
    return (
        "<div id='onetrust-consent-sdk'><div id='onetrust-banner-sdk' role='region' style='bottom:0;position:fixed'>"
        f"<div class='ot-sdk-row'><p id='onetrust-policy-text'>{m.other('We and our 842 partners store cookies on your device to measure, personalise and improve what you see here; you can change your choice at any time in the settings.')} "
        f"<a href='/privacy'>{m.other('Privacy statement of partners')}</a></p><button>Accept all</button>"
        "<button>Reject all</button></div></div></div>"
    )


def cookie_bar(m: Maker) -> str:
    return (
        "<div class='cc-window cc-banner' aria-label='cookieconsent' role='dialog'><span class='cc-message'>"
        f"{m.other('This website uses cookies to ensure you get the best experience on our website.')} "
        f"<a href='/c'>{m.other('Learn more about these')}</a></span><div><a class='cc-btn' href='#'>Got it!</a></div></div>"
    )


def share(m: Maker) -> str:
    return (
        "<div class='social-share'><span>" + m.other("Share this story with friends") + "</span><ul>"
        + "".join(f"<li><a href='https://{s}.example/share'>{m.other('Send to ' + s)}</a></li>"
                  for s in ("facebook", "twitter", "whatsapp", "linkedin")) + "</ul></div>"
    )  # fmt: skip


def related(m: Maker, name: str = "related-articles") -> str:
    cards = "".join(
        f"<li class='card'><a href='/r{n}'><img src='x.jpg' alt=''><h4>{m.other(m.text(1))}</h4></a></li>"
        for n in range(4)
    )
    return (
        f"<section class='{name}'><h3>{m.other('More stories you may like')}</h3><ul>{cards}</ul></section>"
    )


def newsletter(m: Maker) -> str:
    return (
        f"<div class='newsletter-signup'><h3>{m.other('Get our morning letter')}</h3>"
        f"<p>{m.other('The stories that matter, in your inbox every weekday before breakfast, chosen by our editors.')}</p>"
        "<form><input type='email'><button>Sign up</button></form></div>"
    )


def comment_form(m: Maker) -> str:
    return (
        f"<div id='respond' class='comment-respond'><h3>{m.other('Leave a reply to us')}</h3><form>"
        f"<p class='comment-notes'>{m.other('Your email address will not be published. Required fields are marked *')}</p>"
        f"<p><label>{m.other('Your comment here')}</label><textarea></textarea></p><input type='submit'></form></div>"
    )


def footer(m: Maker) -> str:
    return (
        f"<footer class='site-footer'><div>{m.menu(10)}</div><div>{m.menu(6)}</div>"
        f"<p>{m.other('© 2026 Example Media Group Ltd. All rights reserved. Registered in Somewhere, number 1234.')}</p></footer>"
    )


def sidebar(m: Maker) -> str:
    return (
        f"<aside class='sidebar'><div class='widget'><h3>{m.other('Most read this week')}</h3><ol>"
        + "".join(f"<li><a href='/m{n}'>{m.other(m.text(1))}</a></li>" for n in range(5))
        + f"</ol></div><div class='widget'><h3>{m.other('Our topics')}</h3>{m.menu(6)}</div></aside>"
    )


# -- news and blogs -------------------------------------------------------------------------------
