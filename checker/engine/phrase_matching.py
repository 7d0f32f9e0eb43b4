"""Measures how clearly text makes a statement: as a whole, with a few more words, or not at all.

An article about missing pages uses the same words as a missing page. The words around them
distinguish the two.
"""

# ruff: noqa: E501, RUF001 (words of many languages)
import functools
import re
from collections.abc import Iterable
from dataclasses import dataclass

from checker.engine import gone_words, parked_words
from checker.engine.gone_words import fold, group_by_first_letter

MAX_LENGTH = 200  # characters, in decomposed form, of a title or heading that makes a statement
WHOLE, PARTIAL, ABSENT = 2, 1, 0  # how clearly text makes a statement
# The text that may surround a statement: a word or two, or the name of the requested page.
_MAX_REST_OF_WHOLE, _MAX_REST_OF_PART = 8, 24  # letters
_AMBIGUOUS = {"error", "gone", "fehler", "for sale", "coming soon", "it works"}
_CLOSING = " )]\"'“”»"
PUNCTUATION = " .!?…:;,-–—()[]*#>"
# Scripts from here on have no spaces between words; from _FIRST_WIDE on, letters count as two.
_FIRST_WITHOUT_SPACES, _FIRST_WIDE = "\N{THAI CHARACTER KO KAI}", "\N{CJK RADICAL REPEAT}"

# Each run of spaces is matched once, from its beginning, not again from each character.
SEPARATORS = re.compile(r"(?<!\s)\s++[|–—·•・›»«:/\\-]++\s++|(?:(?<!\s)\s++)?+[|»›]\s*+")
QUOTES = re.compile('["“”„«»「」『』‹›]')
_FILLERS = re.compile(
    r"\b(?:"
    + group_by_first_letter(
        r"oops|ooops|whoops|sorry|ups|hoppla|oh no|hmm|we'?re|we are|http|https|status|error|code"
        r"|fehler|erreur|errore?|erro|404|410|the|requested|you requested|you(?:'re| are| were) looking for"
        r"|you followed|you are trying to (?:view|reach|access)|right now|but|this|that|your|currently"
        r"|unfortunately|please|by (?:the|its) (?:user|owner|author|uploader|seller|publisher|poster"
        r"|creator|organi[sz]er|advertiser|moderators?|administrator)|or|and|page|seems?|looks? like|is"
        r"|was|it|to|we|has|may|have|been|"
        + fold(
            r"leider|die|der|das|diese[rs]?|konnte|kann|werden|wurde|angeforderte|gesuchte|gewunschte"
            r"|oups|oh|desole|nous|la|le|cette|ce|cet|demandee?|que vous (?:re)?cherchez|a|o"
            r"|vaya|lo sentimos|el|esta|este|que (?:buscas?|esta buscando)|solicitad[ao]|se ha podido"
            r"|ops|desculpe|que voce procura|spiacenti|il|questa|questo|richiest[ao]|che (?:cerchi|cerca)"
            r"|oeps|deze|dit|de|het|kan|worden|helaas|beklager|vi|hups|valitettavasti|tyvarr|desvaerre"
            r"|niestety|przepraszamy|bohuzel|omlouvame se|tato|pozadovana|hoppa|sajnos|az|keresett"
            r"|ne pare rau|din pacate|diemzel|к сожалению|извините|упс|запрашиваем\w\w|запрошенн\w\w"
            r"|эта|данная|такои|искомая|на жаль|вибачте|uzgunuz|maalesef|aradıgınız|bu|rat tiec"
            r"|ban (?:yeu cau|tim|đang tim)|maaf|yang anda (?:cari|minta)|artık|ten|ta|to|tento|ez|acest|aceasta|η|το|αυτ[ηο]|δυστυχως"
            r"|denna|detta|denne|dette|har|er|ar|den|det|tama|on|juz|jiz|mar|bol[ao]?|byl[ao]?|a fost|ini|itu|ya|el|se"
        )
    )
    + r")\b|"
    + group_by_first_letter(
        fold(
            r"죄송합니다|요청하신|입니다|습니다|申し訳(?:ございません|ありません)が?|指定された|お探しの|よう?です|この"
            r"|很?抱歉|对不起|您访问的|您要(?:查看|访问)的|عذرا|المطلوبة|التي تبحث عنها|המבוקש|שחיפשת|مورد نظر|متاسفانه"
            r"|این|است|شما|دیگر|هذا|هذه|لقد|מצטערים|ขออภัย|ที่คุณ(?:ต้องการ|ค้นหา)?|นี้|抱歉|指定的|该|此|해당|이|該当する|ご指定の"
        )
    )
)
# An apology before a statement such as "this item is unavailable". Folded.
_APOLOGY = re.compile(
    r"(?:(?:we(?:'re| are) )?(?:so |very )?sorry|oops|whoops|uh[ -]?oh|hmm|unfortunately|(?:wir )?(?:es )?(?:tut uns |bedauern )?leid|leider"
    r"|(?:nous sommes )?desoles?|oups|malheureusement|lo sentimos(?: mucho)?|vaya|lamentablemente|desculpe|lamentamos|infelizmente"
    r"|(?:siamo )?spiacenti|ci dispiace|purtroppo|sorry|helaas|tyvarr|desvaerre|beklager|dessverre|valitettavasti|niestety|przepraszamy"
    r"|bohuzel|omlouvame se|sajnaljuk|sajnos|ne pare rau|din pacate|извините|к сожалению|на жаль|вибачте|uzgunuz|maalesef|rat tiec|maaf)"
    r"(?: ?[,.!:;–—-]+ ?(?:but )?| but )"
)
# After a statement: a paraphrase, "or moved", "or is private".
_PARAPHRASE = re.compile(
    r"[\s,]{0,3}(?:(?:and|und)/)?(?:or|oder|ou|o|of|eller|tai|lub|albo|nebo|alebo|vagy|sau|ili|ali|или|либо|або|чи|veya|ya da|hoac|atau)"
    r"(?: \w{1,20}){1,3}\W{0,3}"
)
# A whole title or heading that may be a name, such as that of a bus, film, song or room.
POSSIBLE_NAME = re.compile(
    r"(?:line |room |bus |route |flight |no\.? ?)?(?:404|410)|gone|not found|error|missing|lost\??"
    r"|dead end|nothing (?:found|here)|unavailable|removed|deleted|closed|expired"
)
# Before a statement, in the same sentence: a question or an explanation. Folded.
QUESTION = re.compile(
    r"\A\W*+(?:(?:raised|thrown|returned|emitted|sent|shown|displayed|returns|raises|throws|occurs|happens) )?(?:why|when|if|whether|how|what|warum|wieso|weshalb|wenn|pourquoi|quand|comment|por que"
    r"|cuando|perche|quando|waarom|wanneer|varfor|hvorfor|miksi|dlaczego|kiedy|proc|preco|kdyz"
    r"|почему|зачем|когда|чому|neden|γιατι|kenapa|mengapa|tai sao)\b[^.?!:;,|–—]*"
)
_ASCII_WORD = re.compile(r"[a-z]{3}")
_BEYOND_LATIN = re.compile("[\u0370-\u1dff\u2c00-\U0010ffff]")  # letters, not dashes and quotes


@dataclass(frozen=True, eq=False)
class StatementPatterns:
    """Patterns of one statement, for folded text."""

    alone: re.Pattern[str]  # a whole title or heading
    embedded: tuple[re.Pattern[str], ...]  # with or without text around the statement

    @functools.cached_property
    def embedded_in_latin(self) -> tuple[re.Pattern[str], ...]:
        """The embedded patterns in Latin letters."""
        return tuple(each for each in self.embedded if _ASCII_WORD.search(each.pattern))


NOT_FOUND = StatementPatterns(gone_words.ALONE, gone_words.STATEMENTS)
PARKED = StatementPatterns(parked_words.ALONE, parked_words.STATEMENTS)
PLACEHOLDER = StatementPatterns(parked_words.PLACEHOLDERS, ())


@functools.lru_cache(maxsize=4096)
def clarities_of(
    title: str, headings: tuple[str, ...], patterns: StatementPatterns
) -> tuple[int, tuple[int, ...]]:
    """Return how clearly the title and each heading make the statement with these patterns.

    The values are WHOLE, PARTIAL and ABSENT. Sites repeat their titles, so results are cached.
    """
    # Half of the languages use scripts that most pages do not contain.
    short = [text for text in map(fold, headings) if len(text) <= MAX_LENGTH]
    everything = "\n".join((fold(title[:MAX_LENGTH])[: 3 * MAX_LENGTH], *short))
    is_latin = _BEYOND_LATIN.search(everything) is None
    possible = patterns.embedded_in_latin if is_latin else patterns.embedded
    embedded = [each for each in possible if each.search(everything)]

    def clarity(text: str) -> int:
        return _clarity(fold(text), alone=patterns.alone, embedded=embedded)

    parts = (*SEPARATORS.split(title[:MAX_LENGTH]), title)
    return max(map(clarity, parts)), tuple(map(clarity, headings))


def _clarity(text: str, *, alone: re.Pattern[str], embedded: Iterable[re.Pattern[str]]) -> int:
    """Return how clearly the text makes a statement: WHOLE, PARTIAL or ABSENT."""
    if not text or len(text) > MAX_LENGTH:
        return ABSENT
    bare = text.strip(PUNCTUATION)
    if alone.fullmatch(bare) or (
        (apology := _APOLOGY.match(bare)) and alone.fullmatch(bare, apology.end())
    ):
        return PARTIAL if bare in _AMBIGUOUS else WHOLE
    min_rest, min_weighted_rest = _MAX_REST_OF_PART + 1, _MAX_REST_OF_WHOLE + 1
    for pattern in embedded:
        match = pattern.search(text)
        if match is None or _begins_within_word(text, match.start()):
            continue
        if QUESTION.fullmatch(text[: match.start()]):
            continue
        rest = text[match.end() :]
        if rest.lstrip(_CLOSING).startswith(":") and _weight(rest) > _MAX_REST_OF_WHOLE:
            continue  # the subject of the page follows the colon
        before, after = _weight(text[: match.start()]), _weight(rest)
        min_rest = min(min_rest, before + after)
        # Words that follow count twice: after a statement, there are few; a longer title continues.
        min_weighted_rest = min(min_weighted_rest, before + 2 * after)
    if min_weighted_rest <= _MAX_REST_OF_WHOLE:
        return WHOLE
    return PARTIAL if min_rest <= _MAX_REST_OF_PART else ABSENT


def _begins_within_word(text: str, start: int) -> bool:
    """Return whether a match begins within a word, in scripts that have spaces between words."""
    before, first = text[start - 1 : start], text[start]
    return before.isalnum() and first.isalnum() and first < _FIRST_WITHOUT_SPACES


def _weight(rest: str) -> int:
    """Return the number of letters and digits outside fillers; wide ones count twice.

    A text with quotes exceeds every limit. A paraphrase, such as "or moved", counts as 0.
    """
    if QUOTES.search(rest):
        return _MAX_REST_OF_PART + 1
    if _PARAPHRASE.fullmatch(rest):
        return 0
    letters = [letter for letter in _FILLERS.sub(" ", rest) if letter.isalnum()]
    return len(letters) + sum(letter > _FIRST_WIDE for letter in letters)


def is_unambiguous(text: str) -> bool:
    """Return whether the text makes the statement by more than a number or word that may be a name."""
    parts = {text, *SEPARATORS.split(text)}
    stated = (part for part in parts if clarities_of(part, (), NOT_FOUND)[0])
    return any(not POSSIBLE_NAME.fullmatch(fold(part).strip(PUNCTUATION)) for part in stated)


def parts_of(title: str) -> list[str]:
    """Return the folded parts of a title, which is split at its separators."""
    return [fold(part) for part in SEPARATORS.split(title)]
