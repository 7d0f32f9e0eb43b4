"""Known bots: crawlers and the machines that make link previews.

They would use up the visits of a link that has few, before any person has followed it.
"""

import re

# Words in the User-Agent of those who say what they are; all others count as people. (A CUBOT is a
# telephone.)
_BOT = re.compile(
    r"(?<!cu)bot(?:\b|_)|crawl|spider|slurp|preview|unfurl|archiver|scrap(?:er|y)|validator"
    r"|monitor|facebookexternalhit|facebookcatalog|meta-external|whatsapp|telegram|skypeuripreview"
    r"|slack-imgproxy|embedly|quora link|pinterest/|vkshare|w3c_|bitlybot|tumblr/|flipboard"
    r"|redditbot|applebot|mastodon/|pleroma|misskey|akkoma|friendica|nuzzel|outbrain|xing-content"
    r"|google-|googleother|feedfetcher|mediapartners|apis-google|bingpreview|yahoo! slurp"
    r"|headlesschrome|lighthouse|uptime|pingdom|statuscake|linkcheck|linkwatch|safe-?links"
    r"|barracuda|proofpoint|mimecast|url.?defense",
    re.IGNORECASE,
)


def is_bot(user_agent: str) -> bool:
    """Tell whether the User-Agent names a known crawler or preview maker."""
    return _BOT.search(user_agent) is not None
