"""Live videos, lots, houses and jobs, whose pages have the words for the end in their scripts."""

# ruff: noqa: RUF001
import json

from tests.zoo.wild.case import Case, Reply, alive, html
from tests.zoo.wild.pages import modern, prose, shop, site
from tests.zoo.wild.year2026.forms import document

_WATCH = "/watch?v=dQw4w9WgXcQ"
_TEXTS = (
    '{"messages":{"VIDEO_UNAVAILABLE":"Video unavailable","REMOVED":"This video has been removed by'
    ' the uploader","PRIVATE":"Private video"}}'
)


def _video(title: str, status: str = "OK", **more: object) -> Reply:
    """Return the page of a video host whose player has something to show."""
    player = {
        "playabilityStatus": {"status": status, "playableInEmbed": True, **more},
        "videoDetails": {"videoId": "dQw4w9WgXcQ", "title": title, "lengthSeconds": "212"},
    }
    return html(
        f'<!DOCTYPE html><html lang="en"><head><title>{title} - YouTube</title><meta property='
        f'"og:title" content="{title}"><script nonce="x">window.ytcfg={_TEXTS}</script></head>'
        f"<body><ytd-app></ytd-app><script>var ytInitialPlayerResponse = {json.dumps(player)};"
        "</script></body></html>"
    )


_VIDEOS = {
    "a video that plays": _video("The ferry's last trip"),
    "a video titled private video": _video("Private video: making of"),
    "a video titled video unavailable": _video("Video unavailable (short film)"),
    "a video titled 404": _video("404 Not Found"),
    "a video for adults": _video(
        "The goat", "LOGIN_REQUIRED", reason="Sign in to confirm your age"
    ),
    "a video that is unlisted": _video("Unlisted: the ferry"),
    "a video that starts later": _video(
        "Premiere: the bridge", "LIVE_STREAM_OFFLINE", reason="Premieres in 3 hours"
    ),
    "a video that is not shown in a country": _video(
        "Bridge football",
        "UNPLAYABLE",
        reason="The uploader has not made this video available in your country",
    ),
}

_HIDDEN = (
    "<template id='ended'><h1>This listing has ended</h1></template><script>window.words={"
    "'sold':'This property has been sold','closed':'This job is no longer available',"
    "'gone':'Page not found'}</script>"
)

_OFFERS = {
    "a lot that is open": shop(
        "Brass compass | River Auctions",
        f"<h1>Brass compass</h1><p>Current bid 31 €. Ends on Sunday.</p>{_HIDDEN}",
    ),
    "a lot that was sold, with all its pictures": shop(
        "Brass compass | River Auctions",
        "<h1>Brass compass, lot 77</h1><p>Sold for 420 € on 4 October 2025.</p>"
        f"<p>Provenance: the ferryman's estate.</p>{prose('en', 2)}",
    ),
    "a house that is for sale": modern(
        "Millhouse | Homes", f"<h1>Millhouse, 4 rooms</h1><p>395,000 €</p>{_HIDDEN}{prose('en', 1)}"
    ),
    "a house that is under offer": modern(
        "Millhouse | Homes",
        f"<h1>Millhouse, 4 rooms</h1><p>Sold subject to contract.</p>{prose('en', 2)}",
    ),
    "a job that is open": modern(
        "Curator | River Jobs",
        f"<h1>Curator of ferries</h1><p>Full time. Apply by 1 May.</p>{_HIDDEN}{prose('en', 2)}",
    ),
    "a job that takes no applications, with its text": modern(
        "Curator | River Jobs",
        "<h1>Curator of ferries</h1><p>No longer accepting applications.</p>"
        f"<p>Reported to the director; forty hours.</p>{prose('en', 3)}",
    ),
    "a campaign that reached its goal": modern(
        "Save the ferry",
        f"<h1>Save the ferry</h1><p>This campaign has ended. 31,000 € raised.</p>{prose('en', 2)}",
    ),
    "a repository of code that was archived": modern(
        "museum/bridge",
        "<h1>museum/bridge</h1><p>This repository was archived by its owner. It is read-only.</p>"
        f"<h2>README</h2>{prose('en', 2)}",
    ),
    "a package that is deprecated": modern(
        "bridge 1.9.31",
        f"<h1>bridge</h1><p>Deprecated: use span instead.</p>{prose('en', 2)}",
    ),
    "a thread that is locked": modern(
        "Which brass band was it? – Forum",
        f"<h1>Which brass band was it?</h1>{prose('en', 2)}<p>This topic is closed. Message"
        " deleted by a moderator.</p>",
    ),
    "a thread with a deleted post": modern(
        "Which brass band was it? – Forum",
        "<h1>Which brass band was it?</h1><div>[deleted]</div><div>[removed]</div>"
        + prose("en", 2),
    ),
    "a product in German that is sold out": shop(
        "Kompass aus Messing",
        f"<h1>Kompass aus Messing</h1><p>Derzeit nicht verfügbar.</p>{prose('de', 1)}",
        lang="de",
    ),
    "a product in Japanese that is sold out": shop(
        "真鍮の羅針盤", f"<h1>真鍮の羅針盤</h1><p>売り切れ</p>{prose('ja', 2)}", lang="ja"
    ),
    "a file that waits to be taken": document(
        "bridge.zip – River Transfer",
        "<h1>bridge.zip</h1><p>31 MB. Expires in 6 days.</p><a href='/get'>Download</a>",
    ),
    "a page of a country's government with a banner": modern(
        "Ferries: rules for owners",
        "<div class='banner'>This site will be unavailable on Sunday night for maintenance.</div>"
        f"<h1>Ferries: rules for owners</h1>{prose()}",
    ),
    "a shop with a not found review": shop(
        "Map of the river",
        "<h1>Map of the river</h1><p>12 €</p><h2>Reviews</h2><h3>Page not found</h3><p>Page 12 is"
        " missing in mine.</p>",
    ),
}

CASES: list[Case] = [
    *(
        alive(
            name,
            "YouTube: every watch page has the words for its errors",
            site(reply, path=_WATCH),
            "restricted",
            path=_WATCH,
        )
        for name, reply in _VIDEOS.items()
    ),
    *(
        alive(name, "false alarms of word lists on markets and boards", site(html(text)))
        for name, text in _OFFERS.items()
    ),
]
