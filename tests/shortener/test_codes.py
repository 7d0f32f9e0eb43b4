import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foundation.net.bots import is_bot
from shortener.short_keys import InvalidKeyError, check_key, looks_like_key, random_key

pytestmark = pytest.mark.any_database


def test_random_keys_are_base62_and_differ():
    keys = {random_key() for _ in range(1000)}
    assert len(keys) == 1000
    assert all(re.fullmatch(r"[0-9A-Za-z]{7,}", key) for key in keys)


@pytest.mark.parametrize("key", ["abc", "A-b_9", "x" * 64, "-_-", "S_upper", "t-shirt"])
def test_a_key_may_be_chosen(key):
    check_key(key)


@pytest.mark.parametrize(
    "key",
    ["", "ab", "x" * 65, "a b", "a/b", "abc+", "äöü", "abc\n", "s_abc", "t_abc"],
)
def test_a_key_is_refused(key):
    with pytest.raises(InvalidKeyError):
        check_key(key)


@pytest.mark.slow
@given(st.text(max_size=70))
def test_every_valid_key_can_be_looked_up(text):
    try:
        check_key(text)
    except InvalidKeyError:
        return
    assert looks_like_key(text)


@pytest.mark.parametrize(
    "agent",
    [
        "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
        "facebookexternalhit/1.1",
        "WhatsApp/2.23.20.0",
        "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
        "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
        "TelegramBot (like TwitterBot)",
        "Mozilla/5.0 (Macintosh) AppleWebKit/600.2.5 Safari/600.2.5 (Applebot/0.1)",
        "Mastodon/4.2.1 (http.rb/5.1.1; +https://mastodon.example/)",
        "Linkwatch/0.1 (+https://links.example)",
    ],
)
def test_bots_are_recognized(agent):
    assert is_bot(agent)


@pytest.mark.parametrize(
    "agent",
    [
        "",
        "curl/8.5.0",
        "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
        "Mozilla/5.0 (Linux; Android 14; CUBOT P80) AppleWebKit/537.36 Chrome/126.0 Mobile",
        "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Safari/604.1",
        "python-requests/2.32",
    ],
)
def test_people_and_their_programs_are_not_bots(agent):
    assert not is_bot(agent)
