"""Short pages as servers, hosts and services make them, without the frame of a site."""

from tests.zoo.wild.case import Reply, html

CLOUDFLARE = ("Server: cloudflare", "CF-RAY: 9a1b2c3d4e5f6071-FRA")


def document(title: str, body: str, *, lang: str = "en", head: str = "") -> str:
    """Return a whole document with little around its text."""
    return (
        f'<!DOCTYPE html>\n<html lang="{lang}"><head><meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>{head}\n<style>body{{font:16px sans-serif;margin:4em}}</style>"
        f"</head>\n<body>{body}</body></html>\n"
    )


def document_reply(
    title: str, body: str, *headers: str, status: int = 200, lang: str = "en", head: str = ""
) -> Reply:
    """Return such a document as an answer."""
    return html(document(title, body, lang=lang, head=head), *headers, status=status)


def xml_error(code: str, message: str, *headers: str, status: int) -> Reply:
    """Return what stores of objects answer: a code and a message in XML."""
    body = (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>{code}</Code>'
        f"<Message>{message}</Message><RequestId>4B7C1D9E</RequestId></Error>"
    )
    kind = "Content-Type: application/xml"
    return Reply(status=status, headers=(kind, *headers), body=body.encode())


def cloudflare_error(code: int, name: str, what: str, *, status: int) -> Reply:
    """Return one of Cloudflare's 1xxx pages."""
    body = (
        "<div id='cf-wrapper'><div id='cf-error-details'><header><h1><span class='inline-block'>"
        f"Error</span> <span class='code-label'>{code}</span> <small class='heading-ray-id'>Ray ID:"
        " 9a1b2c3d4e5f6071 &bull; 2026-03-01 10:00:00 UTC</small></h1>"
        f"<h2>{name}</h2></header><section><h2>What happened?</h2><p>{what}</p></section>"
        "<div class='cf-error-footer'><p><span>Cloudflare Ray ID: <strong>9a1b2c3d4e5f6071</strong>"
        "</span> <span>Performance &amp; security by <a href='https://www.cloudflare.com/5xx-error"
        "-landing'>Cloudflare</a></span></p></div></div></div>"
    )
    head = "<link rel='stylesheet' id='cf_styles-css' href='/cdn-cgi/styles/main.css'>"
    return document_reply(
        f"{name} | $HOST | Cloudflare", body, *CLOUDFLARE, status=status, head=head
    )
