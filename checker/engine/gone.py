"""Marks of a page that is not the requested one, whatever its status.

The page says so in its title, its first headings or, if there is little else, in its text. Articles
about error pages or parked domains use the same words, but within a longer title or above running
text. Each mark is returned as `where: words`.
"""

import functools
import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

# ruff: noqa: E501, RUF001 (words of many languages)
from checker.engine import gone_words, parked_words
from checker.engine.gone_data import find_dead_player, has_live_player
from checker.engine.gone_words import LOGIN, compiled, fold
from checker.engine.gone_words import TEXTS as NOT_FOUND_TEXTS
from checker.engine.page import FetchedPage, Passage
from checker.engine.parked_words import ESTATE, NAMES_DOMAIN, find_part, find_words
from checker.engine.whereabouts import is_front, is_login, speaks_of_errors, speaks_of_parking

_LITTLE = 600  # bytes of running text; with less, the page has no other subject
_SHORT = 1500  # characters of a page whose whole text is searched
_SMALL = 30_000  # characters of a page's markup, likewise
_ONE_SENTENCE = 200  # characters of a page that has nothing but a sentence
_BARE = 300  # characters of a page that says that there is nothing yet
_FEW_LINKS = 5  # of such a page
_LONGEST = 200  # characters of a title or heading that says so, decomposed
# How much may surround a statement: a word or two, or the name of the requested page.
_WHOLE, _PARTLY, _NOT = 2, 1, 0
_MORE_IN_WHOLE, _MORE_IN_PART = 8, 24  # letters
_NAMES_AS_WELL = {"error", "gone", "fehler", "for sale", "coming soon", "it works"}
_FIRST_HEADINGS = 2  # that may say so above other articles
_FEW_LETTERS = 700  # of a page whose sentences are examined one by one
_FEW_SENTENCES = 12  # of a small page that are examined
_FEW_WORDS = 4  # below a heading: no text of its own
_OWN_TEXT = 200  # letters of paragraphs below a heading that speak of something else
_CLOSING = " )]\"'“”»"
_AROUND = " .!?…:;,-–—()[]*#"
_WITHOUT_SPACES = "\N{THAI CHARACTER KO KAI}"  # scripts from here on have no spaces between words
_EAST = "\N{CJK RADICAL REPEAT}"  # from here on a letter counts as two

# Each run of spaces is read from its beginning only, not again from each of its characters.
_SEPARATORS = re.compile(r"(?<!\s)\s++[|–—·•・›»«:/\\-]++\s++|(?:(?<!\s)\s++)?+[|»›]\s*+")
_QUOTES = re.compile('["“”„«»「」『』‹›]')
_FILLERS = re.compile(
    r"\b(?:oops|ooops|whoops|sorry|ups|hoppla|oh no|hmm|we'?re|we are|http|https|status|error|code"
    r"|fehler|erreur|errore?|erro|404|410|the|requested|you requested|you(?:'re| are| were) looking for"
    r"|you followed|you are trying to (?:view|reach|access)|right now|but|this|that|your|currently"
    r"|unfortunately|please|by (?:the|its) (?:user|owner|author|uploader|seller|publisher|poster"
    r"|creator|organi[sz]er|advertiser|moderators?|administrator)|or|and|page|seems?|looks? like|is"
    r"|was|it|to|we|has|may|have|been"
    + fold(
        r"|leider|die|der|das|diese[rs]?|konnte|kann|werden|wurde|angeforderte|gesuchte|gewunschte"
        r"|oups|oh|desole|nous|la|le|cette|ce|cet|demandee?|que vous (?:re)?cherchez|a|o"
        r"|vaya|lo sentimos|el|esta|este|que (?:buscas?|esta buscando)|solicitad[ao]|se ha podido"
        r"|ops|desculpe|que voce procura|spiacenti|il|questa|questo|richiest[ao]|che (?:cerchi|cerca)"
        r"|oeps|deze|dit|de|het|kan|worden|helaas|beklager|vi|hups|valitettavasti|tyvarr|desvaerre"
        r"|niestety|przepraszamy|bohuzel|omlouvame se|tato|pozadovana|hoppa|sajnos|az|keresett"
        r"|ne pare rau|din pacate|diemzel|к сожалению|извините|упс|запрашиваем\w\w|запрошенн\w\w"
        r"|эта|данная|такои|искомая|на жаль|вибачте|uzgunuz|maalesef|aradıgınız|bu|rat tiec"
        r"|ban (?:yeu cau|tim|đang tim)|maaf|yang anda (?:cari|minta)"
    )
    + r")\b|"
    + fold(
        r"죄송합니다|요청하신|입니다|습니다|申し訳(?:ございません|ありません)が?|指定された|お探しの|よう?です|この"
        r"|很?抱歉|对不起|您访问的|您要(?:查看|访问)的|عذرا|المطلوبة|التي تبحث عنها|המבוקש|שחיפשת|مورد نظر|متاسفانه"
    )
)
# Also said of pages that stay (a withdrawn paper, a past event), if there is running text.
_WEAK = re.compile(
    r"withdrawn|discontinued|retracted|retired|superseded|ended|expired|closed|filled|archived"
    r"|zuruckgezogen|retire|retirad[oa]|vervallen|отозван|снят|廃止|終了|废止"
)
# A whole title or heading that may be a name: of a bus, a film, a song, a room.
_IS_NAME = re.compile(
    r"(?:line |room |bus |route |flight |no\.? ?)?(?:404|410)|gone|not found|error|missing|lost\??"
    r"|dead end|nothing (?:found|here)|unavailable|removed|deleted|closed|expired"
)
_OF_SERVERS = re.compile(
    r"\bpages?\b|\burl\b|\baddress|\blink|\brequest|\bserver|\bsite\b|website|\berror|\bexist|\bsorry"
    r"|\boops|\bmoved\b|removed|deleted|homepage|home page|go back|\bhttp|not found|can'?t find|\bfile\b"
    r"|\bapache\b|\bnginx\b|looking for|content|resource|available|\bseite|\bpagina|страниц|页|頁|ページ|페이지"
)
# The page exists for others; but app stores say this of apps that were removed.
_IN_A_COUNTRY = re.compile(
    r"(?<!app)(?<!app is not available )(?<!app is currently not available )\bin (?:your|this) (?:country|region|location|area|territory)|in (?:ihrem|deinem) (?:land|gebiet)"
    r"|dans (?:votre|ton) (?:pays|region)|en (?:tu|su) (?:pais|region)|(?:no seu|em seu) pais"
    r"|nel (?:tuo|suo) paese|in (?:je|uw) (?:land|regio)|w (?:twoim|panstwa) (?:kraju|regionie)"
    r"|в вашеи? (?:стране|регионе)|お住まいの(?:国|地域)|所在(?:的)?(?:国家|地区)|해당 (?:국가|지역)"
)
# A heading of forums and frameworks, above a sentence that gives the reason.
_NO_SUBJECT = re.compile(
    r"informa(?:tion(?:en|s)?|cion|coes|zioni|cja|tie|tii)|информация|інформація|информациja|hinweis"
    r"|(?:vbulletin |forum |board |system )?(?:message|notice|error|fehler|meldung|nachricht|mensaje"
    r"|mensagem|messaggio|melding|komunikat|сообщение|ошибка)|an error has occurred|attention|warning"
    r"|achtung|sorry|oops|ops|ups|oups|hoppla|uh oh|whoops|hmm|erreur|erreurs|errore?|erro|fout|blad"
    r"|chyba|hiba|fel|feil|fejl|virhe|hata|お知らせ|提示信息|提示|错误|エラー|알림|오류|안내"
)
# A script's alert before a redirect: the whole page of some shops and blogs.
_ALERT = re.compile(r"\balert\(\s{0,9}[\"']([^\"'<>\\]{4,200})")
_SENDS_AWAY = re.compile(r"\bhistory\.(?:back|go)\(|\blocation\b|\bself\.close\(|\bwindow\.close\(")
_NO_TEXT, _ONE_SCRIPT = 20, 3000  # characters; with less, the alert is all that people read
_TICKET = re.compile(
    r"^(?:(?:issue|bug|ticket|(?:pull|merge) request|discussion)s? ?[#!]?\d{1,9}|[#!]\d{1,9})$"
    r"|\([#!]\d{1,9}\)$|^\[[a-z]{2,10}-\d{1,9}\] "  # GitHub, Redmine; GitLab; Jira
)
_ISBN = re.compile(r"\bisbn(?:-1[03])?:?\s{0,3}([\dx][\dx -]{8,16}[\dx])")
_ENDS = re.compile(r"(?<=[.!?。！？])\s*+")
# Before a statement in one sentence: a question, or an explanation. Folded.
_ASKS = re.compile(
    r"\A\W*+(?:why|when|if|whether|how|what|warum|wieso|weshalb|wenn|pourquoi|quand|comment|por que"
    r"|cuando|perche|quando|waarom|wanneer|varfor|hvorfor|miksi|dlaczego|kiedy|proc|preco|kdyz"
    r"|почему|зачем|когда|чому|neden|γιατι|kenapa|mengapa|tai sao)\b[^.?!:;,|–—]*"
)
# A page about errors names several of these, an error page hardly any.
_ABOUT_ERRORS = re.compile(
    r"status code|response code|client error|http response|webmaster|htaccess|apache|nginx"
    r"|wordpress|link rot|\bseo\b|browser cache|how to fix|error page|the server|\bhttp\b"
)
_ABOUT_ERRORS_ENOUGH = 3


_ASCII_WORD = re.compile(r"[a-z]{3}")
_BEYOND_LATIN = re.compile("[\u0370-\u1dff\u2c00-\U0010ffff]")  # letters, not dashes and quotes


@dataclass(frozen=True, eq=False)
class Sayings:
    """Ways to say one thing, in the folded form."""

    alone: re.Pattern[str]  # the whole of a title or heading
    statements: tuple[re.Pattern[str], ...]  # maybe with something around them

    @functools.cached_property
    def in_latin(self) -> tuple[re.Pattern[str], ...]:
        """The statements that may be made in Latin letters."""
        return tuple(each for each in self.statements if _ASCII_WORD.search(each.pattern))


NOT_FOUND = Sayings(gone_words.ALONE, gone_words.STATEMENTS)
PARKED = Sayings(parked_words.ALONE, parked_words.STATEMENTS)
PLACEHOLDER = Sayings(parked_words.PLACEHOLDERS, ())


def find_error(page: FetchedPage, *, asked: str) -> str | None:
    """Return the words by which a page calls itself "not found", "removed" and the like, or None.

    `asked` is the requested URL: one with such words leads to a page about them.
    """
    if (dead := find_dead_player(page)) is not None:
        return dead
    if has_live_player(page):
        return None
    mark = _says_not_found(page)
    if mark is None and _is_small(page):
        found = NOT_FOUND_TEXTS.search(_all_of(page))
        sentence = found[0] if found else _sentence_that_says_so(page) or _alert_that_says_so(page)
        mark = sentence and f"text: {sentence}"
    if mark is None or speaks_of_errors(asked) or _IN_A_COUNTRY.search(fold(mark)):
        return None
    if _is_of_a_ticket_or_book(page, mark):
        return None
    about = set(_ABOUT_ERRORS.findall(page.text)) if page.prose >= _LITTLE else ()
    return mark if len(about) < _ABOUT_ERRORS_ENOUGH else None


def may_be_about_it(page: FetchedPage, mark: str) -> bool:
    """Return whether a page with such a title or heading has other text, as articles have.

    False if it is about one thing that was removed or ended.
    """
    kind, _, text_found = mark.partition(": ")
    text_found = fold(text_found)
    if kind not in ("title", "heading") or _OF_ONE_THING.search(text_found):
        return False
    if _OF_ANY_PAGE.search(text_found) is None:
        return False
    below = page.below(0) if page.headings else None
    if below is not None and (below.prose >= _LITTLE or _has_text_of_its_own(below)):
        return True
    if _OF_A_SUBJECT.search(page.source):
        return True
    text = fold(below.text if below is not None else page.text)[: 3 * _SHORT]
    is_read = not (_FOREIGN_LETTER.search(text) or _OF_SERVERS.search(text))
    return is_read and len(text.split()) >= _FEW_WORDS


def _has_text_of_its_own(below: Passage) -> bool:
    """Return whether the paragraphs below a heading are about something other than missing pages."""
    size = 0
    for paragraph in map(fold, below.paragraphs):
        is_about_pages = _OF_SERVERS.search(paragraph) or _OF_ANY_PAGE.search(paragraph)
        if not is_about_pages and not any(each.search(paragraph) for each in NOT_FOUND.statements):
            size += len(paragraph)
    return size >= _OWN_TEXT


def find_parking(page: FetchedPage, *, asked: str) -> str | None:
    """Return the mark of an unused domain, or of a site that the host closed."""
    mark = _find(page, PARKED)
    if mark is None and _is_bare(page) and not page.asks_for_password:
        mark = _find(page, PLACEHOLDER)  # a page that asks for something is for others
    if mark is not None:
        return None if speaks_of_parking(asked) or _is_of_an_estate(page, mark) else mark
    if not _is_small(page):
        return None
    if (part := find_part(page.source)) is not None:
        return f"source: {part}"
    text_found = find_words(_all_of(page))
    return f"text: {text_found}" if text_found is not None else None


def find_login(page: FetchedPage, *, asked: str) -> str | None:
    """Return the title of a page that is only a log-in, in place of another."""
    if not page.asks_for_password or page.prose >= _LITTLE:
        return None
    if is_front(asked) or is_login(asked):
        return None
    parts = (*_SEPARATORS.split(page.title), *page.headings)
    return next((f"title: {part}" for part in parts if LOGIN.fullmatch(fold(part))), None)


def _is_small(page: FetchedPage) -> bool:
    """Return whether a page has hardly any text, so that all of it may be searched."""
    return len(page.source) <= _SMALL and page.prose < _LITTLE and len(page.text) <= _SHORT


def _is_bare(page: FetchedPage) -> bool:
    """Return whether a page has next to no text or links, unlike pages of a site in use.

    A cinema's "Coming soon" has a menu and films.
    """
    return page.markup.count("<a ") <= _FEW_LINKS and len(page.text) <= _BARE


def _is_of_an_estate(page: FetchedPage, mark: str) -> bool:
    """Return whether the "domaine" or "dominio" of a mark may be an estate for sale."""
    mark = fold(mark)
    if "domain" not in mark and "domini" not in mark and "domein" not in mark:
        return False
    return not NAMES_DOMAIN.search(mark) and ESTATE.search(fold(page.text[:_SHORT])) is not None


def _all_of(page: FetchedPage) -> str:
    """Return the text of a small page, folded, which turns some letters into eighteen."""
    return fold(page.text)[: 3 * _SHORT]


def _says_not_found(page: FetchedPage) -> str | None:
    """Return the title or heading that says so, unless the page's other text contradicts it.

    Only running text between the heading and the next one does: below are other articles. If the
    heading is the last, the title must say so, too, and nothing else.
    """
    headings = page.headings
    if not headings and len(page.text) <= _ONE_SENTENCE:
        headings = (page.text,)
    title, loud = _loudest_of(page.title, headings, NOT_FOUND)
    if headings and not title and headings[0] in map(str.strip, _SEPARATORS.split(page.title)):
        loud = loud[:_FIRST_HEADINGS]  # the first is the subject, or the site's name
    heading = max(loud, default=_NOT)
    if max(title, heading) == _NOT:
        return None
    mark = f"title: {page.title}" if title else f"heading: {' / '.join(headings)}"
    if page.prose < _LITTLE:
        return None if _may_be_a_name(page, headings, loud) else mark
    is_strong = title == _WHOLE and not _WEAK.search(fold(page.title))
    if headings:
        is_said = (is_strong and heading == _WHOLE) or _is_above_others(page, title, loud)
    else:
        is_said = title == _WHOLE and _is_all_of(page.title) and _repeats(page)
    return mark if is_said else None


def _is_above_others(page: FetchedPage, title: int, loud: tuple[int, ...]) -> bool:
    """Return whether a heading says so above the running text of other articles."""
    in_title = title == _WHOLE and _names_a_thing(page.title)
    for number, loudness in enumerate(loud[:_FIRST_HEADINGS]):
        is_sure = loudness == _WHOLE and _names_a_thing(page.headings[number])
        if loudness == _NOT or not (is_sure or in_title):
            continue
        below = page.below(number)
        if below.prose < _LITTLE and page.prose_above(number) < _LITTLE:
            return True
        if below.is_last and title == _WHOLE and not _WEAK.search(fold(page.title)):
            return True
    return False


def _sentence_that_says_so(page: FetchedPage) -> str | None:
    """Return a sentence of a small page without a heading that is such a statement as a whole."""
    if len(page.text) > _FEW_LETTERS:
        return None
    if not all(_NO_SUBJECT.fullmatch(fold(heading).strip(_AROUND)) for heading in page.headings):
        return None
    pieces = [" ".join(piece.split()) for piece in page.pieces]
    text_found = tuple(part for piece in pieces for part in _ENDS.split(piece, 2)[:2])[
        :_FEW_SENTENCES
    ]
    loud = _loudest_of("", text_found, NOT_FOUND)[1]
    found = zip(text_found, loud, strict=True)
    return next((it for it, how in found if how == _WHOLE and _names_a_thing(it)), None)


def _alert_that_says_so(page: FetchedPage) -> str | None:
    """Return the alert that a page without text shows before it redirects."""
    if len(page.text) > _NO_TEXT or len(page.source) > _ONE_SCRIPT:
        return None
    if not _SENDS_AWAY.search(page.source):
        return None
    found = islice(_ALERT.finditer(page.source), _FEW_LINKS)
    text_found = tuple(" ".join(each[1].split()) for each in found)
    loud = _loudest_of("", text_found, NOT_FOUND)[1]
    return next((it for it, how in zip(text_found, loud, strict=True) if how == _WHOLE), None)


def _is_of_a_ticket_or_book(page: FetchedPage, mark: str) -> bool:
    """Return whether a page has a ticket's number in its title, or a book's in its text.

    Then "Page not found" is the title of the ticket or book.
    """
    if not mark.startswith(("title: ", "heading: ")):
        return False
    text_found = fold(mark)
    if _OF_ONE_THING.search(text_found) or not _OF_ANY_PAGE.search(text_found):
        return False
    if any(_TICKET.search(part) for part in _parts(page.title)):
        return True
    return len(set(_ISBN.findall(page.text[: 3 * _SHORT]))) == 1


def _is_all_of(title: str) -> bool:
    """Return whether a title says so without the name of a site."""
    return _loudest_of(title, (title,), NOT_FOUND)[1][0] == _WHOLE and _names_a_thing(title)


def _repeats(page: FetchedPage) -> bool:
    """Return whether a page says its title again, near its beginning."""
    return page.title.strip(_AROUND) in page.text[:_SHORT]


def _names_a_thing(text: str) -> bool:
    """Return whether the text is more than a number or word that may be a name."""
    parts = {text, *_SEPARATORS.split(text)}
    loud = (part for part in parts if _loudest_of(part, (), NOT_FOUND)[0])
    return any(not _IS_NAME.fullmatch(fold(part).strip(_AROUND)) for part in loud)


_FOREIGN_LETTER = re.compile(r"(?![\x00-\x7f])[^\W\d_]")  # in a text whose words are not read
_OF_ONE_THING = compiled(
    r"remov|delet|no longer|\bended|expired?\b|sold\b|closed|withdrawn|taken down|unavailable"
    r"|(?<!service )(?<!services )suspend"
)
_OF_ANY_PAGE = compiled(
    fold(
        r"\b(?:page|site|website|url|address|domain|service)s?\b|404|^not found(?:$| [|–—·:-])|seite|pagina|pàgina|páxina"
        r"|strona|strony|strank|stranic|oldal|sivu|sida\b|siden|trang|halaman|sayfa|puslap|lap[ua]"
        r"|страниц|сторінк|сайт|страница|σελιδα|페이지|ページ|页面|頁面|页|頁|网页|網頁|صفح|דף|העמוד|หน้า|पृष्ठ|পৃষ্ঠা"
    )
)

# A question with its answers, an article, a book; a listing of code.
_OF_A_SUBJECT = re.compile(
    r"schema\.org/(?:qapage|question|discussionforumposting|(?:news|tech|scholarly)?article|blogposting|book|event|howto)\b"
    r"|<pre\b[^<>]{0,200}>\s{0,9}<code\b"
)


def _parts(title: str) -> list[str]:
    return [fold(part) for part in _SEPARATORS.split(title)]


def _may_be_a_name(page: FetchedPage, headings: tuple[str, ...], loud: tuple[int, ...]) -> bool:
    """Return whether "404" or "Gone" is a name, as of a bus or film, on a page with its own text.

    It is not a name if the title says more, or if the text mentions pages and servers.
    """
    title = [part for part in _parts(page.title) if part]
    others = [fold(heading) for heading, loudness in zip(headings, loud, strict=True) if loudness]
    text_found = [*others, *(part for part in title if _loudest_of(part, (), NOT_FOUND)[0])]
    if not page.headings or not all(_IS_NAME.fullmatch(part.strip(_AROUND)) for part in text_found):
        return False
    number = next((n for n, loudness in enumerate(loud) if loudness), 0)
    text = fold(page.below(number).text)[: 3 * _SHORT]
    if len(text.split()) < _FEW_WORDS or _OF_SERVERS.search(text):
        return False
    return not any(statement.search(text[:_LONGEST]) for statement in NOT_FOUND.statements)


def _find(page: FetchedPage, sayings: Sayings) -> str | None:
    """Return the title or heading that says so, of a page without other content.

    Running text is other content, unless title and heading both say so and nothing else.
    """
    headings = page.headings
    if not headings and len(page.text) <= _ONE_SENTENCE:
        headings = (page.text,)
    title, loud = _loudest_of(page.title, headings, sayings)
    heading = max(loud, default=_NOT)
    if max(title, heading) == _NOT or (page.prose >= _LITTLE and min(title, heading) < _WHOLE):
        return None
    return f"title: {page.title}" if title else f"heading: {' / '.join(headings)}"


@functools.lru_cache(maxsize=4096)
def _loudest_of(
    title: str, headings: tuple[str, ...], sayings: Sayings
) -> tuple[int, tuple[int, ...]]:
    """Return the loudness of the title and each heading.

    Sites repeat theirs, so this is cached.
    """
    # Half of the languages use other scripts than most pages.
    short = [text for text in map(fold, headings) if len(text) <= _LONGEST]
    everything = "\n".join((fold(title[:_LONGEST])[: 3 * _LONGEST], *short))
    possible = sayings.statements if _BEYOND_LATIN.search(everything) else sayings.in_latin
    statements = [each for each in possible if each.search(everything)]

    def loudness(text: str) -> int:
        return _loudness(fold(text), alone=sayings.alone, statements=statements)

    parts = (*_SEPARATORS.split(title[:_LONGEST]), title)
    return max(map(loudness, parts)), tuple(map(loudness, headings))


def _loudness(text: str, *, alone: re.Pattern[str], statements: Iterable[re.Pattern[str]]) -> int:
    """Return how far words are such a statement: as a whole, with a little more, or not at all."""
    if not text or len(text) > _LONGEST:
        return _NOT
    if alone.fullmatch(text.strip(_AROUND)):
        return _PARTLY if text.strip(_AROUND) in _NAMES_AS_WELL else _WHOLE
    least, most_whole = _MORE_IN_PART + 1, _MORE_IN_WHOLE + 1
    for statement in statements:
        found = statement.search(text)
        if found is None or _is_within_a_word(text, found.start()):
            continue
        if _ASKS.fullmatch(text[: found.start()]):
            continue
        rest = text[found.end() :]
        if rest.lstrip(_CLOSING).startswith(":") and _weight(rest) > _MORE_IN_WHOLE:
            continue  # the subject of the page follows the colon
        before, after = _weight(text[: found.start()]), _weight(rest)
        least = min(least, before + after)
        # What follows counts twice: a statement ends there, a longer title goes on.
        most_whole = min(most_whole, before + 2 * after)
    if most_whole <= _MORE_IN_WHOLE:
        return _WHOLE
    return _PARTLY if least <= _MORE_IN_PART else _NOT


def _is_within_a_word(text: str, start: int) -> bool:
    """Return whether a match begins within a word, in scripts that have spaces between words."""
    before, first = text[start - 1 : start], text[start]
    return before.isalnum() and first.isalnum() and first < _WITHOUT_SPACES


def _weight(rest: str) -> int:
    """Return the number of other letters; quotes mean that the text is about such pages."""
    if _QUOTES.search(rest):
        return _MORE_IN_PART + 1
    letters = [letter for letter in _FILLERS.sub(" ", rest) if letter.isalnum()]
    return len(letters) + sum(letter > _EAST for letter in letters)
