"""Opting out through robots.txt: a site can exclude Linkwatch by name, if ROBOTS is `optout`.

Sources: RFC 9309; docs/adr/0055-conditional-requests.md, "What servers ask for".
"""

import time
from collections.abc import Callable, Iterator

from protego import Protego

from checker.engine.exchange import Exchange
from foundation.net.inflate import inflate

AGENT = "Linkwatch"  # the name that a site uses to opt out, regardless of USER_AGENT
MAX_AGE = 24 * 3600.0  # seconds that a robots.txt is cached
_UNKNOWN_MAX_AGE = 3600.0  # seconds, after an error, a 429 or a 5xx
_MAX_SITES = 1000
_MAX_RULES, _MAX_RULE_LENGTH = 100, 500  # rules for us; characters of each

# A site's rules for us; None: it has none.
SiteRules = Protego | None


class Robots:
    """The rules in the robots.txt files that this process fetched, for at most 1,000 sites."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._rules: dict[str, tuple[SiteRules, float]] = {}  # and their expiry, oldest first
        self._clock = clock

    def clear(self) -> None:
        """Forget everything."""
        self._rules.clear()

    def is_known(self, robots_txt: str) -> bool:
        """Return whether the robots.txt at this URL was fetched, and has not expired."""
        return robots_txt in self._rules and self._clock() < self._rules[robots_txt][1]

    def permits(self, robots_txt: str, url: str) -> bool:
        """Return whether the robots.txt at the URL `robots_txt` permits a request for `url`.

        True if it was not fetched or has no rules for Linkwatch.
        """
        rules, _ = self._rules.get(robots_txt, (None, 0.0))
        return rules is None or rules.can_fetch(url, AGENT)

    def remember(self, robots_txt: str, exchange: Exchange) -> None:
        """Store the rules of a response; a response with a status other than 200 has none."""
        status = exchange.status or 500
        is_answered = exchange.error is None and status < 500 and status != 429
        max_age = MAX_AGE if is_answered else _UNKNOWN_MAX_AGE
        self._rules.pop(robots_txt, None)
        self._rules[robots_txt] = (read_rules(exchange), self._clock() + max_age)
        if len(self._rules) > _MAX_SITES:
            del self._rules[next(iter(self._rules))]


def robots_url(url: str) -> str:
    """Return the URL of the robots.txt for `url`, which is absolute."""
    return "/".join(url.split("/", 3)[:3]) + "/robots.txt"


def read_rules(exchange: Exchange) -> SiteRules:
    """Return the first 100 rules that name Linkwatch, not those for everybody, or None."""
    if exchange.error is not None or exchange.status != 200:
        return None
    body = inflate(exchange.body, encoding=exchange.headers.get("content-encoding", ""))
    rules = list(_our_rules(body.decode("utf-8", "replace")))
    if not rules:
        return None
    return Protego.parse("\n".join([f"User-agent: {AGENT}", *rules[:_MAX_RULES]]))


def _our_rules(text: str) -> Iterator[str]:
    is_ours = follows_user_agent = False
    for line in text.splitlines():
        field, _, value = line.partition("#")[0].partition(":")
        field, value = field.strip().lower(), value.strip()
        if field == "user-agent":
            is_named = value.partition("/")[0].strip().lower() == AGENT.lower()
            is_ours = is_named or (is_ours and follows_user_agent)
            follows_user_agent = True
        elif field in ("allow", "disallow"):
            follows_user_agent = False
            if is_ours and len(value) <= _MAX_RULE_LENGTH:
                yield f"{field}: {value}"
