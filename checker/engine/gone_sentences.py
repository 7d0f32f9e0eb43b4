"""Sentences by which a small page, or a notice on it, says that the requested page is missing.

The page's headings need not mention that: they may be the site's name, or "Job description". A
statement counts if it is the whole sentence; within a longer sentence, only if the sentence refers
to the requested page ("the page you are looking for") or, on a small page, to the page itself
("this advert was deleted").
"""

# ruff: noqa: E501, RUF001 (words of many languages)
import re
from collections.abc import Iterator
from itertools import islice

from checker.engine.gone_words import TEXTS, compile_folded, fold
from checker.engine.page import FetchedPage, words
from checker.engine.phrase_matching import (
    MAX_LENGTH,
    NOT_FOUND,
    PUNCTUATION,
    QUESTION,
    QUOTES,
    WHOLE,
    clarities_of,
    is_unambiguous,
)

_MAX_PROSE = 600  # bytes of running text; with less, the page has no other subject
_MAX_TEXT = 1500  # characters of a page whose whole text is searched
_MAX_SOURCE = 30_000  # characters of the markup of such a page
_MAX_SHORT_TEXT = 700  # characters of a page on which any sentence counts
_MAX_SENTENCES = 12  # sentences of a page that are examined
_MAX_NOTICES = 5  # alerts of a script, or notices of a page, that are examined
_MAX_BEGINNING = 80  # folded characters within which a sentence must refer to the page

# A heading of forums and frameworks, above a sentence that gives the reason.
_GENERIC_HEADING = re.compile(
    r"informa(?:tion(?:en|s)?|cion|coes|zioni|cja|tie|tii)|информация|інформація|информациja|hinweis"
    r"|(?:vbulletin |forum |board |system )?(?:message|notice|error|fehler|meldung|nachricht|mensaje"
    r"|mensagem|messaggio|melding|komunikat|сообщение|ошибка)|an error has occurred|attention|warning"
    r"|achtung|sorry|oops|ops|ups|oups|hoppla|uh oh|whoops|hmm|erreur|erreurs|errore?|erro|fout|blad"
    r"|chyba|hiba|fel|feil|fejl|virhe|hata|お知らせ|提示信息|提示|错误|エラー|알림|오류|안내"
)
# Words for the page that a reader asked for.
_REQUESTED_PAGE = compile_folded(
    r"\byou(?:'re| are| were|'ve| have)? (?:just )?(?:looking for|request|trying to (?:reach|access|view|open|find|visit|see)"
    r"|attempt\w* to (?:reach|access|view|open)|search\w* for|want\w* to (?:see|view|open)|follow|selected"
    r"|clicked|entered|tried to (?:reach|access|view|open)|asked for)|\byou (?:can ?not|can'?t|are unable to) (?:view|see|open|access) th(?:is|e)\b|\b(?:requested|specified) \w"
    + fold(
        r"|(?:sie|du|ihr) (?:\w{1,12} )?(?:such|aufruf|angeforder|aufgerufen|gewunsch|gewahl)\w*|(?:gesucht|angefordert|aufgerufen|gewunscht)e[nrs]?\b"
        r"|que vous (?:re)?cherche[zr]|que vous (?:souhaite|voule|essaye|tente|demande|ave)z|\b(?:demande|recherche)e?s?\b"
        r"|que (?:buscas?|estas? buscando|intentas?|has? solicitado|quieres?|deseas?)\b|\bsolicitad[oa]s?\b"
        r"|que (?:voce )?(?:procura|busca|esta procurando|tentou|deseja|solicitou)\b|\bprocurad[oa]s?\b"
        r"|che (?:stai|sta|state) (?:cercando|tentando)|che (?:cerchi|cerca|cercate|hai cercato|hai richiesto)\b|\b(?:richiest|cercat)[oa]\b"
        r"|(?:je|u|jij) (?:\w{1,12} )?(?:zoekt|opvraagt|probeert|zocht|opvroeg)|\b(?:gezochte|gevraagde|opgevraagde)\b"
        r"|(?:du|ni|de) (?:\w{1,12} )?(?:soker|sokte|letar|letade|leter|leder|ledte|forsok|prover|forsog|onsk)\w*|\b(?:begarda|forespurte|onskede)\b"
        r"|\betsimaa?si\b|\bhakemaa?si\b|\bpyytamaa?si\b"
        r"|ktor(?:ej|ego|ych) szuka\w+|\b(?:szukan|zadan|poszukiwan)(?:a|y|e|ej|ego)\b"
        r"|kter\w{1,4} (?:jste )?(?:hledat|pozadoval)\w*|\b(?:hledan|pozadovan|hladan)(?:a|y|e|ou)\b|ktor\w{1,4} (?:ste )?hlada\w*"
        r"|\bkeresett\b|pe care (?:o |il |le )?(?:cauta|incerca|solicita)\w*"
        r"|запрашиваем\w{2}|запрошенн\w{2}|иском(?:ая|ыи|ое)|\bвы (?:ищете|искали|запросили|запрашиваете|пытаетесь)"
        r"|запитуван\w|шукан\w|\bви (?:шукаєте|шукали|запитали)|търсен\w{2}|тражен\w|που (?:αναζητ|ψαχν|ζητ)\w+"
        r"|aradıgınız|istediginiz|ulasmaya calıstıgınız|(?:الذي|التي) (?:تبحث|طلبت|تحاول)|المطلوب|חיפשת|המבוקש"
        r"|مورد نظر|درخواستی|ที่คุณ|ban (?:đang |muon |yeu cau )?(?:tim|truy cap|xem|yeu cau)|yang (?:anda|kamu) (?:cari|minta|tuju|akses)"
        r"|요청하신|찾으시는|찾으려는|접근하신|해당|お探しの|指定された|ご指定の|該当する|アクセスしようと|リクエストされた"
        r"|(?:要|所|正在)?(?:访问|訪問|查看|请求|請求|查找|寻找|尋找|浏览|瀏覽)的|指定的"
    )
)
# Words for the page itself, at the beginning of a sentence.
_THIS_PAGE = compile_folded(
    r"\W{0,3}(?:sorry\W{1,3}|unfortunately\W{1,3}|oops\W{1,3}|attention\W{1,3})?(?:this|that) (?!comment|reply|message|response|tweet|answer)"
    + fold(
        r"|\W{0,3}(?:leider )?(?:wurde )?(?:diese[rs]?|das|die|der) |\W{0,3}(?:desole\W{1,3})?(?:cette|cet|ce) |\W{0,3}(?:lo sentimos\W{1,3})?est[ea] |\W{0,3}ess[ea] "
        r"|\W{0,3}quest[oa] |\W{0,3}(?:deze|dit) |\W{0,3}(?:denna|detta|denne|dette) |\W{0,3}tama |\W{0,3}(?:ta|to|ten) |\W{0,3}(?:tato|tento) "
        r"|\W{0,3}(?:к сожалению\W{1,3})?(?:эта|этот|это|данн\w{2}) |\W{0,3}(?:ця|цеи|це) |\W{0,3}bu |\W{0,3}(?:هذا|هذه|این) |\W{0,3}(?:이|この|该|該|此|这|這)"
    )
)
# Words for permanent removal that are rarely used for anything else.
_REMOVED = compile_folded(
    r"remov|delet|taken down|no longer exist|does ?n[o']t exist"
    + fold(
        r"|gelosch|entfernt|nicht mehr vorhanden|existiert nicht|supprime|n'existe"
        r"|eliminad|borrad|ya no existe|no existe|removid|excluid|apagad|nao existe|rimoss|eliminat|cancellat|non esiste"
        r"|verwijderd|bestaat niet|borttag|tagits bort|fjernet|slettet|poistettu|usuniet|nie istnieje|smazan|odstranen|vymazan|torolt|torolve|stears|удален|не существует"
        r"|видален|не існує|kaldırıl|silin|حذف|محذوف|ถูกลบ|bi xoa|đa xoa|dihapus|삭제|削除|存在しません|删除|刪除|移除|不存在"
    )
)
# Words for pages that will return, or that exist for others.
_FOR_NOW = compile_folded(
    r"\bsizes?\b|\bcolou?rs?\b|\bstock\b|temporar|right now|at the moment|currently|try again|\blater\b|\byet\b|delivery|shipping"
    r"|permission|members only|for members|guests?\b|sign(?:ed)? in|log(?:ged)? in|subscri|\bprice|cart|basket|wishlist|cookie|"
    + fold(
        r"momentan|derzeit|vorubergehend|spater|gerade|actuellement|moment|temporaire|plus tard|momento|temporal|mas tarde|actualmente"
        r"|attualmente|piu tardi|tijdelijk|later|временно|позже|сеичас|попробуите|稍后|稍後|暂时|暫時|しばらく|一時的|在庫|잠시|현재|일시"
    )
)
# Attributes that mark a notice; a hidden notice is not shown yet. A value ends at the next "=",
# because many attributes without tags would otherwise each be read for 80 characters.
_NOTICE = re.compile(
    r"(?:class|id|role)=[\"']?[^\"'<>=]{0,80}?(?:err(?:or)?|alert|warn|found\b|404|empty|notice|message|flash|infobox)"
)
_HIDDEN = re.compile(r"hid|d-none|invisible|sr-only|display:\s?none")
_MAX_TAG = 400  # characters of a tag that are read
_MAX_NOTICE = 600  # characters of markup of a notice that are read
# A script's alert before a redirect: the whole page of some shops and blogs.
_ALERT = re.compile(r"\balert\(\s{0,9}[\"']([^\"'<>\\]{4,200})")
_SENDS_AWAY = re.compile(r"\bhistory\.(?:back|go)\(|\blocation\b|\bself\.close\(|\bwindow\.close\(")
_MAX_ALERT_TEXT, _MAX_ALERT_SOURCE = 20, 3000  # characters; with less, people see only the alert
# A page that names several of these statuses explains them.
_ERROR_STATUS = re.compile(r"\b(?:40[0-9]|41[0-8]|50[0-5])\b")
# A post whose text was deleted still exists if it has answers.
_POST_WORDS = compile_folded(
    r"\b(?:post|question|thread|topic|tweet|message|beitrag|frage|thema|publication|sujet|pregunta|tema|mensaje|publicacion|domanda"
    r"|pergunta|wpis|pytanie|вопрос|пост\b|сообщени|запис)|投稿|質問|帖子|问题|問題"
)
_ANSWERS = compile_folded(
    r"\b[1-9]\d{0,5} (?:comments?|replies|answers?|antworten|kommentare|reponses|commentaires|respuestas|comentarios|risposte"
    r"|commenti|respostas|reacties|antwoorden|svar|kommentarer|odpowiedzi|komentarz\w*|ответ\w*|комментари\w*)\b"
    r"|[1-9]\d{0,5} ?(?:件の(?:コメント|回答)|条评论|條評論|个回答|個回答)"
)
_BLOCK_TAG = re.compile(r"</?(?:p|div|li|h\d|font|section|a|button)\b")
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s*+")


def find_sentence(page: FetchedPage) -> str | None:
    """Return the words by which a page's text says that the page does not exist, or None."""
    if page.prose_size >= _MAX_PROSE:
        return None
    found = _find_in_text(page)
    return None if found is None or _is_about_more(page, found) else found


def _is_about_more(page: FetchedPage, sentence: str) -> bool:
    """Return whether a page explains statuses, or shows answers to a post that is gone."""
    text = fold(page.text)[: 3 * _MAX_TEXT]
    if len(set(_ERROR_STATUS.findall(text))) > 1:
        return True
    return bool(_POST_WORDS.search(fold(sentence)) and _ANSWERS.search(text))


def _find_in_text(page: FetchedPage) -> str | None:
    if len(page.source) <= _MAX_SOURCE and len(page.text) <= _MAX_TEXT:
        text = fold(page.text)[: 3 * _MAX_TEXT]
        matches = TEXTS.finditer(text)
        unquoted = (each[0] for each in matches if not QUOTES.match(text, each.start() - 1))
        if found := next(unquoted, None) or _find_on_small_page(page) or _find_in_alert(page):
            return found
    return _find_in_notice(page)


def _find_on_small_page(page: FetchedPage) -> str | None:
    """Return a sentence that says only that a page is missing, or says so of "this page"."""
    sentences = tuple(part for piece in page.pieces for part in _SENTENCE_END.split(piece, 2)[:2])
    sentences = sentences[:_MAX_SENTENCES]
    has_subject = not all(
        _GENERIC_HEADING.fullmatch(fold(heading).strip(PUNCTUATION)) for heading in page.headings
    )
    any_counts = not has_subject and len(page.text) <= _MAX_SHORT_TEXT
    whole = next(_whole_statements(sentences), None) if any_counts else None
    return whole or next((each for each in sentences if _says_what_is_missing(each)), None)


def _find_in_notice(page: FetchedPage) -> str | None:
    """Return a notice that says only that a page is missing, or says so of the requested page."""
    for text in islice(_notices(page.markup), _MAX_NOTICES):
        sentences = tuple(filter(None, _SENTENCE_END.split(text, 2)[:2]))
        gone = (each for each in sentences if _says_gone(each, _REQUESTED_PAGE, within=MAX_LENGTH))
        if found := next(_whole_statements(sentences), None) or next(gone, None):
            return found
    return None


def _notices(markup: str) -> Iterator[str]:
    """Yield the first two pieces of text in each visible element that is marked as a notice."""
    for mark in _NOTICE.finditer(markup):
        start = markup.rfind("<", max(mark.start() - _MAX_TAG, 0), mark.start())
        end = markup.find(">", mark.end(), mark.end() + _MAX_TAG)
        if 0 <= start < end and not _HIDDEN.search(markup, start, end):
            inside = _BLOCK_TAG.split(markup[end + 1 : end + _MAX_NOTICE], 3)
            yield from filter(None, map(words, inside[:2]))


def _whole_statements(sentences: tuple[str, ...]) -> Iterator[str]:
    """Yield the sentences that say that a page is missing, and almost nothing else."""
    clarities = clarities_of("", sentences, NOT_FOUND)[1]
    for sentence, clarity in zip(sentences, clarities, strict=True):
        if clarity == WHOLE and is_unambiguous(sentence):
            yield sentence


def _says_what_is_missing(sentence: str) -> bool:
    if _says_gone(sentence, _REQUESTED_PAGE, within=_MAX_BEGINNING):
        return True
    folded = fold(sentence)
    return bool(_THIS_PAGE.match(folded) and _REMOVED.search(folded)) and _says_gone(
        sentence, _THIS_PAGE, within=_MAX_BEGINNING
    )


def _says_gone(sentence: str, reference: re.Pattern[str], *, within: int) -> bool:
    """Return whether a sentence refers to the page and says that it is permanently missing."""
    folded = fold(sentence)
    if len(folded) > MAX_LENGTH or QUOTES.search(sentence) or QUESTION.match(folded):
        return False
    if not reference.search(folded[:within]) or _FOR_NOW.search(folded):
        return False
    possible = NOT_FOUND.embedded_in_latin if folded.isascii() else NOT_FOUND.embedded
    return any(statement.search(folded) for statement in possible)


def _find_in_alert(page: FetchedPage) -> str | None:
    """Return the alert by which a page almost without text says that it is missing, or None.

    Such a page shows the alert before it redirects.
    """
    if len(page.text) > _MAX_ALERT_TEXT or len(page.source) > _MAX_ALERT_SOURCE:
        return None
    if not _SENDS_AWAY.search(page.source):
        return None
    alerts = islice(_ALERT.finditer(page.source), _MAX_NOTICES)
    texts = tuple(" ".join(each[1].split()) for each in alerts)
    clarities = clarities_of("", texts, NOT_FOUND)[1]
    pairs = zip(texts, clarities, strict=True)
    return next((text for text, clarity in pairs if clarity == WHOLE), None)
