"""Marks of a page that is not the requested one, regardless of its status.

The page says this in its title, its first headings or, if there is little else, in its text. Articles
about error pages or parked domains use the same words, but within a longer title or above running
text. Each mark is returned as `where: words`.
"""

# ruff: noqa: E501, RUF001 (words of many languages)
import re
from urllib.parse import urlsplit

from checker.engine.gone_data import find_dead_player, has_live_player
from checker.engine.gone_sentences import find_sentence
from checker.engine.gone_words import LOGIN, NOTHING, alphanumerics_of, compile_folded, fold
from checker.engine.page import FetchedPage, Passage
from checker.engine.parked_words import ESTATE, NAMES_DOMAIN, find_part, find_words
from checker.engine.phrase_matching import (
    ABSENT,
    MAX_LENGTH,
    NOT_FOUND,
    PARKED,
    PLACEHOLDER,
    POSSIBLE_NAME,
    PUNCTUATION,
    SEPARATORS,
    WHOLE,
    StatementPatterns,
    clarities_of,
    is_unambiguous,
    parts_of,
)
from checker.engine.redirect_destinations import (
    is_home_page,
    is_login,
    is_search,
    mentions_errors,
    mentions_parking,
    path_segments,
)

_MAX_PROSE = 600  # bytes of running text; with less, the page has no other subject
_MAX_TEXT = 1500  # characters of a page whose whole text is searched
_MAX_SOURCE = 30_000  # characters of the markup of such a page
_MAX_SENTENCE = 200  # characters of a page that has nothing but a sentence
_MAX_BARE_TEXT = 300  # characters of a page that says that there is nothing yet
_MAX_LINKS = 5  # links of such a page
_MAX_HEADINGS = 2  # headings that may say that the page is missing, above other articles
_MIN_WORDS = 4  # words below a heading that count as text of its own
_MIN_OWN_TEXT = 200  # characters of paragraphs about something else below a heading

# Words that also describe pages that still exist (a withdrawn paper, a past event) if there is
# running text.
_WEAK_WORDS = re.compile(
    r"withdrawn|discontinued|retracted|retired|superseded|ended|expired|closed|filled|archived"
    r"|zuruckgezogen|retire|retirad[oa]|vervallen|отозван|снят|廃止|終了|废止"
)
_SERVER_WORDS = re.compile(
    r"\bpages?\b|\burl\b|\baddress|\blink|\brequest|\bserver|\bsite\b|website|\berror|\bexist|\bsorry"
    r"|\boops|\bmoved\b|removed|deleted|homepage|home page|go back|\bhttp|not found|can'?t find|\bfile\b"
    r"|\bapache\b|\bnginx\b|looking for|content|resource|available|\bseite|\bpagina|страниц|页|頁|ページ|페이지"
)
# The page exists in other countries. Phrases about apps are excluded, because app stores use them
# for removed apps.
_COUNTRY_WORDS = re.compile(
    r"(?<!app)(?<!app is not available )(?<!app is currently not available )\bin (?:your|this) (?:country|region|location|area|territory)|in (?:ihrem|deinem) (?:land|gebiet)"
    r"|dans (?:votre|ton) (?:pays|region)|en (?:tu|su) (?:pais|region)|(?:no seu|em seu) pais"
    r"|nel (?:tuo|suo) paese|in (?:je|uw) (?:land|regio)|w (?:twoim|panstwa) (?:kraju|regionie)"
    r"|в вашеи? (?:стране|регионе)|所在(?:的)?(?:国家|地区)|"
    + fold("해당 (?:국가|지역)|お住まいの(?:国|地域)")
)
_TICKET = re.compile(
    r"^(?:(?:issue|bug|ticket|(?:pull|merge) request|discussion)s? ?[#!]?\d{1,9}|[#!]\d{1,9})(?:$|:? [\"“(\[])"
    r"|\([#!]\d{1,9}\)$|^\[[a-z]{2,10}-\d{1,9}\] "  # GitHub, Redmine, Launchpad; GitLab; Jira
)
# Words for a page that now has another URL.
_MOVED_WORDS = compile_folded(
    r"\bmov(?:ed|ing)\b|relocat|\bnew (?:\w{1,12} )?(?:page|site|website|address|location|home|url|domain)|umgezogen|verschoben|neue[nrs]? (?:adresse|seite|website)"
    r"|deplace|demenage|nouvelle (?:adresse|page)|nouveau site|trasferit|spostat|nuov[oa] (?:indirizzo|pagina|sito)|movid[oa]|mudou|trasladad[oa]"
    r"|nuev[oa] (?:direccion|pagina|sitio)|nov[oa] (?:endereco|pagina|site)|verhuisd|verplaatst|nieuwe (?:adres|pagina|site|website)|flyttad|flyttet"
    r"|przeniesion|nowy (?:adres|serwis)|presunut|premesten|перемещен|переехал|перенесен|нов(?:ыи|ому|ая) (?:адрес|саит|страниц)|tasındı|移転|移動しました|移至|迁移|搬迁|이전(?:하|되)"
)
# Things that a program reports as not found.
_PROGRAM_WORDS = re.compile(
    r"\b(?:files?|director(?:y|ies)|folders?|modules?|packages?|librar(?:y|ies)|plugins?|commands?|images?|videos?)\b"
)
_TITLE_OF_A_WORK = re.compile(r"《([^《》]{1,100})》")
_MIN_NAME = 4  # letters and digits
_ISBN = re.compile(r"\bisbn(?:-1[03])?:?\s{0,3}([\dx][\dx -]{8,16}[\dx])")
# A page about errors names several of these; an error page rarely does.
_ABOUT_ERRORS = re.compile(
    r"status code|response code|client error|http response|webmaster|htaccess|apache|nginx"
    r"|wordpress|link rot|\bseo\b|browser cache|how to fix|error page|the server|\bhttp\b"
)
_MIN_ABOUT_ERRORS = 3


def find_error(page: FetchedPage, *, asked: str) -> str | None:
    """Return the mark by which a page calls itself "not found", "removed" and the like, or None.

    `asked` is the requested URL: if it has such words, the page may be about them, and only a dead
    player is a mark.
    """
    if (player_mark := find_dead_player(page)) is not None:
        return player_mark
    if has_live_player(page):
        return None
    mark = _find_mark(page)
    if mark is not None and (shown := page.without_hidden()) is not page:
        mark = _find_mark(shown)
    if mark is None or mentions_errors(asked) or _COUNTRY_WORDS.search(fold(mark)):
        return None
    if is_search(asked) and NOTHING.search(fold(mark)):
        return None
    if _shows_ticket_or_book(page, mark) or _is_named_after_an_error(page, asked):
        return None
    topics = set(_ABOUT_ERRORS.findall(page.text)) if page.prose_size >= _MAX_PROSE else ()
    return mark if len(topics) < _MIN_ABOUT_ERRORS else None


def says_gone_and_not_moved(page: FetchedPage, *, asked: str) -> bool:
    """Return whether a page that redirects says that it no longer exists, not that it has moved."""
    if find_error(page, asked=asked) is None:
        return False
    return _MOVED_WORDS.search(fold(f"{page.title} {page.text}")[: 3 * _MAX_TEXT]) is None


def _find_mark(page: FetchedPage) -> str | None:
    mark = _find_not_found(page)
    if mark is None and (sentence := find_sentence(page)):
        return f"text: {sentence}"
    return mark


def may_be_about_errors(page: FetchedPage, mark: str) -> bool:
    """Return whether a page whose title or heading mentions errors has other text, like an article.

    False if it is about one thing that was removed or ended.
    """
    kind, _, phrase = mark.partition(": ")
    phrase = fold(phrase)
    if kind not in ("title", "heading") or _REMOVAL_WORDS.search(phrase):
        return False
    if _PAGE_WORDS.search(phrase) is None:
        return False
    below = page.below(0) if page.headings else None
    if below is not None and (below.prose_size >= _MAX_PROSE or _has_text_of_its_own(below)):
        return True
    if _ARTICLE_MARKUP.search(page.source):
        return True
    text = fold(below.text if below is not None else page.text)[: 3 * _MAX_TEXT]
    if _NON_ASCII_LETTER.search(text) or _SERVER_WORDS.search(text) or _PAGE_WORDS.search(text):
        return False
    is_repeated = any(each.search(text) for each in NOT_FOUND.embedded)
    return not is_repeated and len(text.split()) >= _MIN_WORDS


def _has_text_of_its_own(below: Passage) -> bool:
    """Return whether the paragraphs below a heading are about something other than missing pages."""
    size = 0
    for paragraph in map(fold, below.paragraphs):
        is_about_pages = _SERVER_WORDS.search(paragraph) or _PAGE_WORDS.search(paragraph)
        if not is_about_pages and not any(each.search(paragraph) for each in NOT_FOUND.embedded):
            size += len(paragraph)
    return size >= _MIN_OWN_TEXT


def find_parking(page: FetchedPage, *, asked: str) -> str | None:
    """Return the mark of an unused domain, or of a site that the host closed, or None."""
    mark = _find_statement(page, PARKED)
    if mark is None and _is_bare(page) and not page.asks_for_password:
        mark = _find_statement(page, PLACEHOLDER)  # a page that asks for something has a purpose
    if mark is not None:
        return None if mentions_parking(asked) or _may_mean_an_estate(page, mark) else mark
    if not _is_small(page):
        return None
    if (part := find_part(page.source)) is not None:
        return f"source: {part}"
    phrase = find_words(_folded_text(page))
    return f"text: {phrase}" if phrase is not None else None


def find_login(page: FetchedPage, *, asked: str) -> str | None:
    """Return the mark of a login form in place of the requested page, or None.

    That is the heading, or the part of the title, that says so.
    """
    if not page.asks_for_password or page.prose_size >= _MAX_PROSE:
        return None
    if is_home_page(asked) or is_login(asked):
        return None
    parts = (*SEPARATORS.split(page.title), *page.headings)
    return next((f"title: {part}" for part in parts if LOGIN.fullmatch(fold(part))), None)


def _is_small(page: FetchedPage) -> bool:
    """Return whether a page has hardly any text, so that all of it may be searched."""
    is_short = len(page.source) <= _MAX_SOURCE and len(page.text) <= _MAX_TEXT
    return is_short and page.prose_size < _MAX_PROSE


def _is_bare(page: FetchedPage) -> bool:
    """Return whether a page has almost no text or links, unlike pages of a site in use.

    For example, a cinema's "Coming soon" page has a menu and films.
    """
    return page.markup.count("<a ") <= _MAX_LINKS and len(page.text) <= _MAX_BARE_TEXT


def _may_mean_an_estate(page: FetchedPage, mark: str) -> bool:
    """Return whether "domaine" or "dominio" in a mark may mean an estate for sale."""
    mark = fold(mark)
    if "domain" not in mark and "domini" not in mark and "domein" not in mark:
        return False
    return not NAMES_DOMAIN.search(mark) and ESTATE.search(fold(page.text[:_MAX_TEXT])) is not None


def _folded_text(page: FetchedPage) -> str:
    """Return the folded text of a small page, truncated.

    Folding can turn one letter into eighteen.
    """
    return fold(page.text)[: 3 * _MAX_TEXT]


def _find_not_found(page: FetchedPage) -> str | None:
    """Return the mark of a title or heading by which a page says that it is missing, or None.

    Running text contradicts the statement, unless title and heading both consist of it, a heading
    makes it above other articles (`_is_above_others`), or a page without headings repeats it.
    """
    headings = page.headings
    if not headings and len(page.text) <= _MAX_SENTENCE:
        headings = (page.text,)
    title_clarity, clarities = clarities_of(page.title, headings, NOT_FOUND)
    title_parts = map(str.strip, SEPARATORS.split(page.title))
    if headings and not title_clarity and headings[0] in title_parts:
        clarities = clarities[:_MAX_HEADINGS]  # the first is the subject, or the site's name
    heading_clarity = max(clarities, default=ABSENT)
    if max(title_clarity, heading_clarity) == ABSENT:
        return None
    mark = f"title: {page.title}" if title_clarity else f"heading: {' / '.join(headings)}"
    if page.prose_size < _MAX_PROSE:
        return None if _may_be_a_name(page, headings, clarities) else mark
    is_strong = title_clarity == WHOLE and not _WEAK_WORDS.search(fold(page.title))
    if headings:
        is_whole = is_strong and heading_clarity == WHOLE
        is_stated = is_whole or _is_above_others(page, title_clarity, clarities)
    else:
        is_stated = title_clarity == WHOLE and _is_whole_title(page.title) and _repeats_title(page)
    return mark if is_stated else None


def _is_above_others(page: FetchedPage, title_clarity: int, clarities: tuple[int, ...]) -> bool:
    """Return whether a heading says that the page is missing, above the text of other articles.

    Text between that heading and the next one must be short. If there is no next heading, a title
    that consists of the statement suffices.
    """
    in_title = title_clarity == WHOLE and is_unambiguous(page.title)
    for number, clarity in enumerate(clarities[:_MAX_HEADINGS]):
        is_sure = clarity == WHOLE and is_unambiguous(page.headings[number])
        if clarity == ABSENT or not (is_sure or in_title):
            continue
        below = page.below(number)
        if below.prose_size < _MAX_PROSE and page.prose_size_above(number) < _MAX_PROSE:
            return True
        if below.is_last and title_clarity == WHOLE and not _WEAK_WORDS.search(fold(page.title)):
            return True
    return False


def _shows_ticket_or_book(page: FetchedPage, mark: str) -> bool:
    """Return whether "Page not found" may be the title of a ticket or book, not of this page.

    A ticket has its number in the title, a book has one ISBN in the text. Titles and headings that
    mention a removal are believed.
    """
    has_number = any(_TICKET.search(part) for part in parts_of(page.title))
    if not mark.startswith(("title: ", "heading: ")):
        return has_number and mark.startswith("text: ")
    phrase = fold(mark)
    if _REMOVAL_WORDS.search(phrase):
        return False
    if has_number and _PROGRAM_WORDS.search(phrase):
        return True
    if not _PAGE_WORDS.search(phrase):
        return False
    if has_number:
        return True
    return len(set(_ISBN.findall(page.text[: 3 * _MAX_TEXT]))) == 1


def _is_named_after_an_error(page: FetchedPage, asked: str) -> bool:
    """Return whether an error's words are the name of a work: the URL or a quoted title has them.

    A server that lacks a page does not know the name in the page's URL.
    """
    last = "".join(path_segments(urlsplit(asked).path)[-1:])
    names = {alphanumerics_of(name) for name in (last, *_TITLE_OF_A_WORK.findall(page.title))}
    texts = (*SEPARATORS.split(page.title), page.title, *page.headings[:_MAX_HEADINGS])
    return any(
        len(alphanumerics_of(text)) >= _MIN_NAME
        and alphanumerics_of(text) in names
        and clarities_of(text, (), NOT_FOUND)[0] != ABSENT
        for text in texts
    )


def _is_whole_title(title: str) -> bool:
    """Return whether a title consists of the statement, without the name of a site."""
    return clarities_of(title, (title,), NOT_FOUND)[1][0] == WHOLE and is_unambiguous(title)


def _repeats_title(page: FetchedPage) -> bool:
    """Return whether a page repeats its title near its beginning."""
    return page.title.strip(PUNCTUATION) in page.text[:_MAX_TEXT]


_NON_ASCII_LETTER = re.compile(r"(?![\x00-\x7f])[^\W\d_]")  # so the language is not known
_REMOVAL_WORDS = compile_folded(
    r"remov|delet|no longer|\bended|expired?\b|sold\b|closed|withdrawn|taken down|unavailable"
    r"|(?<!service )(?<!services )suspend"
)
_PAGE_WORDS = compile_folded(
    fold(
        r"\b(?:page|site|website|url|address|domain|service)s?\b|404|^not found(?:$| [|–—·:-])|seite|pagina|pàgina|páxina"
        r"|strona|strony|strank|stranic|oldal|sivu|sida\b|siden|trang|halaman|sayfa|puslap|lap[ua]"
        r"|страниц|сторінк|сайт|страница|σελιδα|페이지|ページ|页面|頁面|页|頁|网页|網頁|صفح|דף|העמוד|หน้า|पृष्ठ|পৃষ্ঠা"
    )
)

# The markup of a question with its answers, an article, a book or a code listing.
_ARTICLE_MARKUP = re.compile(
    r"schema\.org/(?:qapage|question|discussionforumposting|(?:news|tech|scholarly)?article|blogposting|book|event|howto)\b"
    r"|<pre\b[^<>]{0,200}>\s{0,9}<code\b"
)


def _may_be_a_name(
    page: FetchedPage, headings: tuple[str, ...], clarities: tuple[int, ...]
) -> bool:
    """Return whether "404" or "Gone" is a name, such as that of a bus or film, on a page with text.

    It is not a name if the title says more, or if the text mentions pages or servers.
    """
    title_parts = [part for part in parts_of(page.title) if part]
    stated = [
        fold(heading) for heading, clarity in zip(headings, clarities, strict=True) if clarity
    ]
    phrases = [*stated, *(part for part in title_parts if clarities_of(part, (), NOT_FOUND)[0])]
    if not page.headings or not all(
        POSSIBLE_NAME.fullmatch(part.strip(PUNCTUATION)) for part in phrases
    ):
        return False
    number = next((n for n, clarity in enumerate(clarities) if clarity), 0)
    text = fold(page.below(number).text)[: 3 * _MAX_TEXT]
    if len(text.split()) < _MIN_WORDS or _SERVER_WORDS.search(text):
        return False
    return not any(statement.search(text[:MAX_LENGTH]) for statement in NOT_FOUND.embedded)


def _find_statement(page: FetchedPage, subject: StatementPatterns) -> str | None:
    """Return the mark of a title or heading that makes the statement, or None.

    A page with running text counts only if both title and heading consist of the statement.
    """
    headings = page.headings
    if not headings and len(page.text) <= _MAX_SENTENCE:
        headings = (page.text,)
    title_clarity, clarities = clarities_of(page.title, headings, subject)
    heading_clarity = max(clarities, default=ABSENT)
    if max(title_clarity, heading_clarity) == ABSENT:
        return None
    if page.prose_size >= _MAX_PROSE and min(title_clarity, heading_clarity) < WHOLE:
        return None
    return f"title: {page.title}" if title_clarity else f"heading: {' / '.join(headings)}"
