"""Cases from files of `manage.py export_cases`, once a person has said what is true of the page.

No body is kept of a check: unless the file has one, the page is made of the marks that were seen.
"""

import html as entities
import json
import socket
from collections import defaultdict
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.zoo.wild.case import ELSE, Answer, Case, Reply, Site, Truth, in_turn, plain

FORMAT = ("linkwatch-case", 1)
_MUTE = {"timeout": 0.3, "retries": 0}  # of the policy, where the server never answers


def read_folder(folder: Path) -> list[Case]:
    """Return the cases of a folder's files by their names; raises ValueError."""
    return [read_case(path) for path in sorted(folder.glob("*.json"))]


def read_case(path: Path) -> Case:
    """Return the case of a file; raises ValueError for one that nobody has judged, or of no use."""
    report = json.loads(path.read_text(encoding="utf-8"))
    if (report.get("format"), report.get("version")) != FORMAT:
        raise ValueError(f"{path} is no case file of this version")
    if report["truth"] is None:
        raise ValueError(f"{path}: say what is true of the page, one of {', '.join(Truth)}")
    if report["error"] not in (None, "dns", "connect", "timeout", "bad_redirect"):
        raise ValueError(f"{path}: {report['error']} is to be made by hand")
    asked = urlsplit(report["url"])
    sites = _sites(report)
    host = asked.hostname or ""
    is_unknown = report["error"] == "dns"
    gone = urlsplit(report["final_url"]).hostname or ""
    if is_unknown:
        sites.pop(gone)
    return Case(
        name=report["name"],
        truth=Truth(report["truth"]),
        source=f"a report of {report['checked_at']}",
        host=host,
        path=_path(report["url"]),
        site=sites.pop(host, {ELSE: plain("")}),
        others=sites,
        names={gone: socket.gaierror(socket.EAI_NONAME, "no such name")} if is_unknown else {},
        tls="good" if asked.scheme == "https" else None,
        policy={
            **(_MUTE if report["error"] == "timeout" else {}),
            **({"check_soft_404": True} if report["found"]["reason"] == "soft_404" else {}),
        },
        flags=frozenset(report["found"]["flags"]),
    )


def _sites(report: dict[str, Any]) -> dict[str, Site]:
    """Return what each host on the way answers at each path, in the order of the requests."""
    way = [report["url"], *(hop["url"] for hop in report["redirects"])]
    answers: dict[tuple[str, str], list[Reply]] = defaultdict(list)
    for url, hop in zip(way, report["redirects"], strict=False):
        kind = "Location: " if hop["status"] >= 300 else "Refresh: 0; url="
        reply = Reply(status=hop["status"], headers=(f"{kind}{_moved(hop['url'])}",))
        answers[_place(url)].append(reply)
    answers[_place(way[-1])].append(_last(report))
    sites: dict[str, dict[str, Answer]] = defaultdict(dict)
    for (host, path), replies in answers.items():
        sites[host][path] = in_turn(*replies)
        sites[host].setdefault(ELSE, plain("Not Found", status=404))
    if report["sibling"] is not None:
        host, _ = _place(report["sibling"]["asked"])
        sites[host][ELSE] = _neighbour(report, answers[_place(report["url"])][0])
    if report["root"] is not None:
        refusal = Reply(status=report["status"] if report["root"]["refuses"] else 200)
        sites[_place(report["root"]["url"])[0]].setdefault("/", refusal)
    return dict(sites)


def _neighbour(report: dict[str, Any], first: Reply) -> Reply:
    """Return what a made-up address answers, where `first` is what the page's own does."""
    is_the_same = (
        "same_for_all" in report["found"]["flags"] or report["found"]["reason"] == "soft_404"
    )
    return first if is_the_same else plain("", status=report["sibling"]["status"] or 404)


def _last(report: dict[str, Any]) -> Reply:
    if report["error"] == "connect":
        return Reply(wire=b"")
    if report["error"] == "timeout":
        return Reply(delay=60.0)
    headers = [f"{name}: {value}" for name, value in report["headers"].items()]
    said = [mark.partition(": ")[::2] for mark in report["marks"]]
    headers += [_header(words) for _, words in said if words.startswith("header ")]
    body, status = report["body"], report["status"] or 200
    if body is None:
        body = "\n".join(_markup(name, words, status=status) for name, words in said)
    return Reply(status=status, headers=tuple(headers), body=body.encode())


def _header(words: str) -> str:
    """Return the header of a wall's mark, whose value may be only how it begins, or missing."""
    name, colon, value = words.removeprefix("header ").partition(": ")
    return f"{name}: {value}" if colon else f"{name}: 1"


def _markup(name: str, words: str, *, status: int) -> str:
    """Return HTML that has a mark."""
    if words.startswith("header ") or name in ("root", "changed") or name.startswith("redirected"):
        return ""
    shown = entities.escape(words)
    if name == "title" or words.startswith("title "):
        title = shown.removeprefix("title ") if name != "title" else shown
        return f"<title>{title}</title><h1>{title}</h1>"
    if name == "heading":
        return "".join(f"<h1>{heading}</h1>" for heading in shown.split(" / "))
    if words.startswith("error 1") and name == "cloudflare":
        return (
            f'<div id="cf-error-details"><h1>error code: {words.removeprefix("error ")}</h1></div>'
        )
    # A wall's words may be markup, which a page that came must not show.
    is_shown = name in ("text", "captcha") or not 200 <= status < 300
    return f"<p>{words or name}</p>" if is_shown else f"<script>{words}</script>"


def _place(url: str) -> tuple[str, str]:
    return urlsplit(url).hostname or "", _path(url)


def _path(url: str) -> str:
    parts = urlsplit(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def _moved(url: str) -> str:
    """Return a URL with the zoo's port."""
    parts = urlsplit(url)
    port = ":TLSPORT" if parts.scheme == "https" else ":PORT"
    return f"{parts.scheme}://{parts.hostname}{port}{_path(url)}"
