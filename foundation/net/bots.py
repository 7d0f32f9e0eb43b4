"""Known bots: crawlers and programs that make link previews.

They would use up a link's limited visits before a person follows it.
"""

import re

# Words in the User-Agents of bots; all others count as people. They are plain substrings,
# because one large expression would take half a millisecond for a long User-Agent.
_WORDS = (
    *("crawl", "spider", "slurp", "preview", "unfurl", "archiver", "scraper", "scrapy"),
    *("validator", "monitor", "facebookexternalhit", "facebookcatalog", "meta-external"),
    *("whatsapp", "telegram", "slack-imgproxy", "embedly", "quora link", "pinterest/", "vkshare"),
    *("w3c_", "tumblr/", "flipboard", "mastodon/", "pleroma", "misskey", "akkoma", "friendica"),
    *("nuzzel", "outbrain", "xing-content", "google-", "googleother", "feedfetcher"),
    *(
        "applebot",
        "bitlybot",
        "redditbot",
        "apis-google",
        "mediapartners",
        "headlesschrome",
        "lighthouse",
        "uptime",
        "pingdom",
        "statuscake",
    ),
    *("linkcheck", "linkwatch", "safelinks", "safe-links", "barracuda", "proofpoint", "mimecast"),
)
# "bot" at the end of a word or before an underscore. (A CUBOT is a telephone.)
_BOT = re.compile(r"(?<!cu)bot(?:\b|_)")
_DEFENSE = re.compile(r"url.?defense")


def is_bot(user_agent: str) -> bool:
    """Return whether the User-Agent names a known crawler or preview program."""
    agent = user_agent.lower()
    return (
        any(word in agent for word in _WORDS)
        or ("bot" in agent and _BOT.search(agent) is not None)
        or ("defense" in agent and _DEFENSE.search(agent) is not None)
    )
