"""Videos, lots, houses, jobs and files that are over or gone, with a 200."""

# ruff: noqa: RUF001
import json
from collections.abc import Iterator

from tests.zoo.wild.case import Case, Reply, gone, html, plain, redirect
from tests.zoo.wild.pages import NGINX_404, PATH, modern, prose, shop, swallowing
from tests.zoo.wild.year2026.forms import document

_SAYS_SO = ("error_page", "same_for_all")
_WATCH = "/watch?v=dQw4w9WgXcQ"


def _video(title: str, playability: dict[str, object], *, more: str = "") -> Reply:
    """Return the page of a video host: a shell with what its player knows in a script."""
    player = json.dumps({"responseContext": {}, "playabilityStatus": playability})
    return html(
        f'<!DOCTYPE html><html lang="en" system-icons><head><title>{title}</title>{more}'
        '<link rel="shortcut icon" href="/s/desktop/favicon.ico"><script nonce="x">window.ytcfg={}'
        f"</script></head><body><ytd-app></ytd-app><script nonce='x'>var ytInitialPlayerResponse ="
        f' {player};</script><script>var ytInitialData = {{"contents":{{}}}};</script></body>'
        "</html>"
    )


def _error(reason: str, subreason: str = "") -> dict[str, object]:
    screen = {"playerErrorMessageRenderer": {"reason": {"simpleText": reason}}}
    if subreason:
        screen["playerErrorMessageRenderer"]["subreason"] = {"simpleText": subreason}
    return {"status": "ERROR", "reason": reason, "errorScreen": screen}


_VIDEOS = {
    "a video that is not there any more": _video(
        " - YouTube", _error("Video unavailable", "This video isn't available anymore")
    ),
    "a video that its uploader removed": _video(
        " - YouTube", _error("Video unavailable", "This video has been removed by the uploader")
    ),
    "a video removed for its rules": _video(
        " - YouTube",
        _error(
            "This video has been removed for violating YouTube's policy on spam, deceptive"
            " practices, and scams"
        ),
    ),
    "a video whose account was closed": _video(
        " - YouTube",
        _error(
            "Video unavailable",
            "This video is no longer available because the YouTube account associated with this"
            " video has been terminated.",
        ),
    ),
    "a video under a copyright claim": _video(
        " - YouTube",
        _error(
            "Video unavailable",
            "This video is no longer available due to a copyright claim by River Records",
        ),
    ),
    "a video that is private": _video(
        " - YouTube",
        {
            "status": "LOGIN_REQUIRED",
            "messages": ["This is a private video. Please sign in to verify that you may see it."],
            "reason": "Private video",
        },
    ),
    "a video whose id is wrong": _video("YouTube", _error("Video unavailable")),
    "a video that is not there any more, in German": _video(
        " - YouTube", _error("Video nicht verfügbar", "Dieses Video ist nicht mehr verfügbar")
    ),
    "a video that is private, in Spanish": _video(
        " - YouTube",
        {
            "status": "LOGIN_REQUIRED",
            "messages": ["Este vídeo es privado."],
            "reason": "Vídeo privado",
        },
    ),
    "a playlist that is not there": html(
        '<!DOCTYPE html><html lang="en"><head><title>YouTube</title></head><body><script>var'
        ' ytInitialData = {"alerts":[{"alertRenderer":{"type":"ERROR","text":{"runs":[{"text":'
        '"The playlist does not exist."}]}}}]};</script></body></html>'
    ),
}


def _videos() -> Iterator[Case]:
    source = "YouTube: playabilityStatus in public link checkers and downloaders; always 200"
    for name, reply in _VIDEOS.items():
        site = {"/": html(document("YouTube", "<div id='app'></div>")), "*": reply}
        flags = (*_SAYS_SO, "restricted") if "private" in name else _SAYS_SO
        yield gone(name, source, site, *flags, path=_WATCH)


# What is over: kind, title, heading, sentence; with other offers below.
_OVER = [
    (
        "an auction that ended",
        "Brass compass | River Auctions",
        "This listing has ended",
        "The seller has ended this listing because the item is no longer available.",
    ),
    (
        "an auction that was removed",
        "River Auctions",
        "This listing was removed",
        "We looked everywhere. It looks like this page is missing.",
    ),
    (
        "a lot in German that ended",
        "Kompass | Kleinauktion",
        "Dieses Angebot wurde beendet",
        "Der Artikel ist nicht mehr verfügbar. Ähnliche Artikel ansehen.",
    ),
    (
        "an advertisement in German that was deleted",
        "Kleinanzeigen",
        "Die Anzeige ist nicht mehr verfügbar",
        "Die gewünschte Anzeige wurde gelöscht oder ist abgelaufen.",
    ),
    (
        "an advertisement in French that expired",
        "Petites annonces",
        "Cette annonce est désactivée",
        "L'annonce que vous recherchez n'est plus en ligne.",
    ),
    (
        "an advertisement in Dutch that was removed",
        "Marktplaats",
        "Deze advertentie is niet meer beschikbaar",
        "De advertentie is verwijderd.",
    ),
    (
        "an advertisement in Russian that was withdrawn",
        "Объявления",
        "Объявление снято с публикации",
        "Посмотрите похожие объявления.",
    ),
    (
        "an advertisement in Polish that ended",
        "Ogłoszenia",
        "To ogłoszenie nie jest już dostępne",
        "Ogłoszenie zostało zakończone.",
    ),
    (
        "a house that was sold",
        "4 bed house, Quay Road | Homes",
        "This property has been removed by the agent",
        "It may be sold or temporarily removed from the market.",
    ),
    (
        "a flat that is let",
        "Wohnung am Fluss | Immobilien",
        "Dieses Objekt ist leider nicht mehr verfügbar",
        "Das Angebot wurde deaktiviert.",
    ),
    (
        "a house in French that was sold",
        "Maison 5 pièces | Immo",
        "Ce bien n'est plus disponible",
        "Ce bien a été vendu ou retiré de la vente.",
    ),
    (
        "a house in Spanish that was sold",
        "Piso junto al río",
        "Este anuncio ya no está publicado",
        "El anunciante lo dio de baja.",
    ),
    (
        "a job that is closed",
        "Curator | River Jobs",
        "This job is no longer available",
        "The employer has stopped taking applications.",
    ),
    (
        "a job that has expired",
        "Curator – Careers",
        "Sorry, this position has been filled",
        "Browse our open positions.",
    ),
    (
        "a job of Greenhouse's that is closed",
        "Jobs at River Museum",
        "The job you are looking for is no longer open.",
        "See our current openings below.",
    ),
    (
        "a job of Lever's that is closed",
        "Not found – 404 error",
        "Sorry, we couldn't find anything here",
        "The job posting you're looking for might have closed, or it has been removed.",
    ),
    (
        "a job in German that is closed",
        "Stellenangebot",
        "Diese Stelle ist leider nicht mehr verfügbar",
        "Die Bewerbungsfrist ist abgelaufen; das Angebot wurde geschlossen.",
    ),
    (
        "a job in French that is closed",
        "Offre d'emploi",
        "Cette offre n'est plus disponible",
        "Consultez nos autres offres.",
    ),
    (
        "a job in Japanese that is closed",
        "求人情報",
        "この求人は掲載を終了しました",
        "ほかの求人をご覧ください。",
    ),
    (
        "a campaign that was deleted",
        "Fundraiser",
        "Campaign not found",
        "This fundraiser has been removed by its organiser.",
    ),
    (
        "a petition that was taken down",
        "Petitions",
        "This petition is no longer available",
        "It was removed by its author.",
    ),
    (
        "a product in Chinese that was taken down",
        "商品详情",
        "很抱歉，您查看的商品已下架",
        "看看其他商品吧。",
    ),
    (
        "a product in Korean that ended",
        "상품",
        "판매가 종료된 상품입니다",
        "다른 상품을 둘러보세요.",
    ),
    (
        "a repository of code that was deleted",
        "River Forge",
        "Project not found",
        "The project does not exist or was removed by its owner.",
    ),
    (
        "a paste that expired",
        "Pastes",
        "This paste has been removed or has expired",
        "Pastes expire as their authors wish.",
    ),
    (
        "a file that expired",
        "River Transfer",
        "This transfer has expired",
        "Transfers are kept for seven days.",
    ),
    (
        "a form that does not take answers",
        "Survey",
        "This form has been deleted",
        "Its owner removed it.",
    ),
    (
        "an app that left its shop",
        "App Store",
        "This app is currently not available in your country or region",
        "The app was removed from the store by its developer.",
    ),
]


def _over() -> Iterator[Case]:
    source = "public forms of markets, agents, job boards and file hosts, with a 200"
    for number, (name, title, heading, sentence) in enumerate(_OVER):
        content = f"<h1>{heading}</h1><p>{sentence}</p>"
        page = shop(title, content) if number % 2 else modern(title, content)
        yield gone(name, source, {PATH: html(page), "*": NGINX_404}, *_SAYS_SO)


def _sent_to_the_board() -> Iterator[Case]:
    """Yield closed jobs that lead to the board of their company, which says so in a line."""
    said = "The job you are looking for is no longer open."
    board = html(
        modern(
            "Jobs at River Museum",
            f"<p id='flash_pending'>{said}</p><h1>Current openings at River Museum</h1>"
            "<ul><li><a href='/river/jobs/1'>Guide</a></li><li>Carpenter of boats</li></ul>",
        )
    )
    yield gone(
        "a closed job that leads to its board with an error",
        "Greenhouse: 302 to ?error=true (classifiers of job boards)",
        {"/river?error=true": board, "/river": board, "*": redirect("/river?error=true")},
        *_SAYS_SO,
        "home_page",
        path="/river/jobs/5285248008",
    )


_FILES: dict[str, Reply] = {
    "a plain text that says 404": plain("404 Not Found"),
    "a plain text that says 404: NOT_FOUND": plain(
        "404: NOT_FOUND\nCode: NOT_FOUND\nID: fra1::x\n"
    ),
    "a plain text that says page not found": plain("404 page not found\n"),
    "a plain text that says file not found": plain("File not found."),
    "a plain text that says not found": plain("Not Found\n"),
    "JSON whose status is 404": plain(
        '{"status":404,"error":"Not Found","path":"/archive"}', kind="application/json"
    ),
    "JSON whose code is NoSuchKey": plain(
        '{"Error":{"Code":"NoSuchKey","Message":"The specified key does not exist."}}',
        kind="application/json",
    ),
    "JSON of a problem": plain(
        '{"type":"about:blank","title":"Not Found","status":404}', kind="application/problem+json"
    ),
    "JSON whose message is not found": plain(
        '{"message":"Not Found","documentation_url":"https://docs.example/"}',
        kind="application/json",
    ),
    "JSON of a framework": plain('{"detail":"Not Found"}', kind="application/json"),
    "JSON of a framework in JavaScript": plain(
        '{"statusCode":404,"message":"Cannot GET /archive","error":"Not Found"}',
        kind="application/json",
    ),
    "XML of NoSuchKey": plain(
        '<?xml version="1.0" encoding="UTF-8"?><Error><Code>NoSuchKey</Code><Message>The specified'
        " key does not exist.</Message><Key>archive</Key></Error>",
        kind="application/xml",
    ),
    "Express cannot get it": html(
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Error</title></head>'
        "<body><pre>Cannot GET /archive/2019/annual-report</pre></body></html>"
    ),
}


def _files() -> Iterator[Case]:
    source = "stores of objects and applications behind a CDN that turns 404 into 200"
    for name, reply in _FILES.items():
        yield gone(name, source, swallowing(reply), *_SAYS_SO)


# The address has letters of "error" or "parking" in it, which are no word on it.
_ADDRESSES = (
    "/topics/terrorism/",
    "/node/1841077",
    "/parks/old-mill",
    "/art/installations/7",
    "/mirrors/404a",
    "/people/park-ji-won",
    "/error-correcting-codes/",
)


def _at_addresses() -> Iterator[Case]:
    page = html(modern("Page not found – Museum", f"<h1>Page not found</h1>{prose('en', 0)}"))
    for path in _ADDRESSES:
        yield gone(
            f"not there, at {path}",
            "marks that are switched off by letters of the address",
            swallowing(page),
            *_SAYS_SO,
            path=path,
        )


CASES: list[Case] = [*_videos(), *_over(), *_sent_to_the_board(), *_files(), *_at_addresses()]
