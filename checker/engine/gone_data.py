"""Data (JSON, XML, plain text) that says that the requested resource does not exist.

Only complete small responses are read: a document about errors, or a record with such a title, is
longer. Also reads what the script of a video page passes to its player.
"""

# ruff: noqa: E501, RUF001 (words of many languages)
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from checker.engine.gone_words import fold
from checker.engine.page import FetchedPage
from checker.engine.redirect_destinations import mentions_errors
from foundation.net.inflate import inflate

MAX_DATA = 4096  # bytes of a response; larger ones are not read
_MAX_LINE, _MAX_LINES = 160, 4  # characters of a line; lines of the text
_MAX_KEYS = 12  # keys of JSON
_MAX_DEPTH = 3  # levels of JSON below the top

# Keys in JSON, folded, without `_` and `-`.
_STATUS_KEYS = frozenset(
    {"status", "statuscode", "code", "httpstatus", "httpcode", "errorcode", "errno"}
)
_CODE_KEYS = _STATUS_KEYS | {"error", "reason", "errortype", "__type"}
_MESSAGE_KEYS = frozenset(
    {
        "error",
        "message",
        "msg",
        "detail",
        "details",
        "description",
        "errordescription",
        "errormessage",
    }
) | {"reason", "errmsg", "errors", "exception", "statusmessage", "statustext", "statusmsg", "info"}
_ERROR_KEYS = _MESSAGE_KEYS | {"title", "type", "code", "status", "statuscode", "path", "timestamp"}
_SUCCESS_KEYS = frozenset({"success", "response", "ok", "found"})
# Errors that concern a call or the server, not the requested resource.
_CALL_ERROR = re.compile(
    r"\bkey\b|token|\bauth|log ?in\b|sign ?in\b|permission|denied|forbidden|allowed|limit|quota|too many"
    r"|\btry|later|time ?d? ?out|temporar|internal|server|maintenance|overload|required|missing|parameter|method"
    r"|wrong|unexpected|unknown error|ip address|blocked|captcha|robot"
)
_CODE = re.compile(
    r"(?:no ?such ?\w{2,30}|(?:\w{1,30} ){0,3}\w{0,30}not ?found(?: ?(?:error|exception))?|gone|404|410"
    r"|enoent|does ?not ?exist)"
)
_BETWEEN_WORDS = re.compile(r"[_.:/-]+")
_GONE_MESSAGE = re.compile(
    r"(?:^|\b)(?:not found|no such|does(?: not|n'?t) exist|could not be found|cannot be found|can'?t be found"
    r"|could not find|couldn'?t find|unable to find|no longer (?:exists?|available)|has been (?:deleted|removed)"
    r"|was (?:deleted|removed)|is not available|no matching|not exist|no \w{1,30} found"
    r"|nicht gefunden|introuvable|non trouve|no encontrad|nao encontrad|non trovat|niet gevonden"
    r"|не наиден|nie znaleziono|bulunamad|不存在|未找到|" + fold("見つかりません|찾을 수 없") + ")"
)
_STATEMENT_LINE = re.compile(
    r"(?:error:? ?)?(?:(?:http )?(?:error )?(?:404|410)[ :.,|/-]{0,4})?(?:the |this |that |your )?(?:requested )?"
    r"(?:(?:page|file|url|resource|object|document|item|path|route|endpoint|site|key|content|entry|record|paste)"
    r" ?(?:\S{1,100} )?)?(?:was |is |could |can)?(?:not|n't)? ?(?:be )?"
    r"(?:not[ _-]?found|found|does(?: not|n't) exist|no longer (?:exists|available)|gone)(?: on this server)?[.!]{0,3}"
    r"|(?:error )?404(?: error)?|(?:http/1\.[01] )?404 not found|404 page not found|default backend - 404"
    r"|no ?such ?(?:key|bucket|file|page|object|file or directory)|cannot get \S{1,300}|blobnotfound"
    r"|(?:page|file|url|resource|object|document|item) (?:not found|does not exist|could not be found)[.!]?"
    r"|(?:could not|couldn't|cannot|can't|unable to) find (?:the |this )?(?:requested )?\w{2,30}(?: \S{1,60}){0,3}"
    r"|(?:die )?(?:datei|seite|objekt|dokument) (?:wurde )?nicht gefunden[.!]?"
    r"|(?:fichier|page|document|ressource) (?:introuvable|non trouvee?)[.!]?"
    r"|(?:archivo|pagina|recurso|documento) no encontrad[oa][.!]?|(?:arquivo|pagina) nao encontrad[oa][.!]?"
    r"|(?:file|pagina|risorsa|documento) non trovat[oa][.!]?|(?:bestand|pagina) niet gevonden[.!]?"
    r"|(?:фаил|страница|файл|документ) не наиден[ао]?[.!]?"
)
_STATUS_CODE = re.compile(
    r"-(?:404|410)|(?:404|410)(?:\d{1,3})?"
)  # such as 40401: an application's own code
_NEGATIVE = re.compile(
    r"\bnot\b|n't|\bnicht\b|introuvable|\bnon?\b|\bnao\b|\bniet\b|\bне\b|unable|no ?such|404|410|\bgone\b|notfound|no longer|cannot|not_found"
)
_ID_LINE = re.compile(
    r"[\w:.-]*\w[\w:.-]*|(?:request|trace|ray|error)[ -]?id\W.{1,100}|(?:code|id)\W.{1,60}",
    re.IGNORECASE,
)
_XML_CODE = re.compile(
    r"<code>\s{0,9}(?:no ?such ?\w{2,30}|\w{0,30}not ?found|404)\s{0,9}</code>"
    r"|\b(?:exception)?code=[\"'](?:\w{0,30}not ?found|\w{0,30}does ?not ?exist|no ?such ?\w{2,30})[\"']"
    # A map service: no such layer, feature type or coverage.
    r"|\b(?:exception)?code=[\"'](?:layernotdefined|nosuchcoverage|invalidparametervalue)[\"']\s{1,9}locator=[\"'](?:typenames?"
    r"|layers?|coverage(?:id)?|identifier|(?:resource|feature)id|storedquery_?id)[\"']"
    r"|<error>\s{0,9}(?:\w{1,30} ){0,5}not ?found\s{0,9}</error>"
)

_PLAYER = '"playabilitystatus"'
_MAX_PLAYER = 4000  # characters of a player's script that are searched
_PLAYER_STATUS = re.compile(r'"status"\s{0,9}:\s{0,9}"(\w{1,40})"')
_PLAYER_REASON = re.compile(
    r'"(?:reason|messages?|simpletext|text)"\s{0,9}:\s{0,9}\[?\s{0,9}"([^"\\]{0,300}(?:\\.[^"\\]{0,300}){0,20})"'
)
_ESCAPE = re.compile(r"\\u([0-9a-f]{4})")
_PRIVATE = re.compile(
    r"\bprivad[oa]|privat|\bprive|prywatn|soukrom|sukromn|\bprivata|yksityi|ozel\b|частн|приватн|закрыт|личное"
    + fold(
        r"|非公開|私享|私人|不公开|비공개|خاص|פרטי|ส่วนตัว|rieng tu|pribadi|ιδιωτικ|निजी|maganjellegu"
    )
)
_REMOVED = re.compile(
    r"removed|deleted|terminated|no longer available|any ?more|closed|copyright|violat|does(?: not|n't) exist"
    r"|nicht mehr|entfernt|geloscht|gekundigt|urheberrecht|supprim|retire|n'est plus|resilie|droits d'auteur"
    r"|eliminad|retirad|cancelad|ya no|removid|encerrad|nao esta mais|rimoss|cancellat|non e piu|verwijderd"
    + fold(r"|niet meer|удален|больше не|usuniet|削除|已删除|已移除|不再|삭제|해지|kaldırıl")
)
_RESTRICTED = re.compile(
    r"countr|region|\bland\b|pais\b|pays|paese|location|territor|embed|other websites|member|premium|purchase|rent"
    + fold(
        r"|payment|sign in|age\b|live (?:event|stream)|begins|premieres|kids|стран|国|地域|국가|offline"
    )
)
_ALERT = re.compile(
    r'"alerts"\s{0,9}:\s{0,9}\[\s{0,9}\{\s{0,9}"alertrenderer"\s{0,9}:\s{0,9}\{\s{0,9}"type"\s{0,9}:\s{0,9}"error"'
)
_OTHER_PLAYERS = re.compile(
    r'"statuscode":\s?(?:10204|10216|10222|10217),|"__initial_state__"?\s?=\s?\{"error":\{"code":404'
    r'|window\.__initial_state__\s?=\s?\{"error":\{"(?:true)?code":-?404'
)


def find_error_in_data(headers: Mapping[str, str], body: bytes, *, asked: str) -> str | None:
    """Return the mark (`data: words`) by which small JSON, XML or text says "not found", or None.

    `asked` is the requested URL: if it mentions errors, there is no mark.
    """
    if not body or len(body) > MAX_DATA or mentions_errors(asked):
        return None
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if not kind.endswith(("json", "xml", "/plain")):
        return None
    text = inflate(body, encoding=headers.get("content-encoding", ""))[:MAX_DATA]
    decoded = text.decode("utf-8", "replace").strip()
    if kind.endswith("json") or (decoded.startswith("{") and kind.endswith("/plain")):
        return _find_in_json(decoded, is_problem="problem" in kind)
    if kind.endswith("xml"):
        match = _XML_CODE.search(decoded.lower())
        return f"data: {match[0]}" if match else None
    return _find_in_lines(decoded)


def _find_in_lines(text: str) -> str | None:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines or len(lines) > _MAX_LINES or any(len(line) > _MAX_LINE for line in lines):
        return None
    first_line = fold(lines[0]).replace("_", " ")
    says_so = _STATEMENT_LINE.fullmatch(first_line) and _NEGATIVE.search(first_line)
    return f"data: {lines[0]}" if says_so and all(map(_ID_LINE.fullmatch, lines[1:])) else None


def _find_in_json(text: str, *, is_problem: bool) -> str | None:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(document, list) and len(document) == 1:
        document = document[0]
    if not isinstance(document, dict) or len(document) > _MAX_KEYS:
        return None
    words = next(
        (words for each in _errors_in(document) if (words := _find_in_error(each, is_problem))),
        None,
    )
    return f"data: {words}" if words else None


def _errors_in(document: Mapping[str, Any], depth: int = 0) -> Iterator[Mapping[str, Any]]:
    """Yield the objects that may be an error; nothing if the document has other data."""
    keys = {_key(name): value for name, value in document.items()}
    data_keys = ("data", "result", "results", "items", *(() if depth else ("id",)))
    data = (value for name, value in keys.items() if name in data_keys)
    if any(value not in (None, False, "", [], {}) and not _has_only_nulls(value) for value in data):
        return
    yield keys
    if depth < _MAX_DEPTH:
        for name in (
            "error",
            "errors",
            "fault",
            "meta",
            "response",
            "status",
            "extensions",
            "body",
        ):
            inner = keys.get(name)
            for each in inner[:3] if isinstance(inner, list) else [inner]:
                if isinstance(each, dict) and len(each) <= _MAX_KEYS:
                    yield from _errors_in(each, depth + 1)


def _has_only_nulls(value: object) -> bool:
    """Return whether all fields of GraphQL data are null, as in `{"post": null}`."""
    return isinstance(value, dict) and all(each is None for each in value.values())


def _find_in_error(error: Mapping[str, Any], is_problem: bool) -> str | None:
    has_status = any(_STATUS_CODE.fullmatch(str(error.get(name))) for name in _STATUS_KEYS)
    words = [
        each
        for name, value in error.items()
        if name in _MESSAGE_KEYS
        for each in (value if isinstance(value, list) else [value])
        if isinstance(each, str) and each
    ]
    title = error.get("title")
    if isinstance(title, str) and (has_status or is_problem):
        words.append(title)
    if has_status and (words or error.keys() <= _ERROR_KEYS):
        return words[0] if words else "404"
    for name in _CODE_KEYS:
        value = error.get(name)
        if isinstance(value, str) and _is_code(value) and (name != "status" or words):
            return value
    has_failed = any(str(error.get(name)).lower() == "false" for name in _SUCCESS_KEYS)
    if has_failed and words and error.keys() <= _ERROR_KEYS | _SUCCESS_KEYS:
        return None if _CALL_ERROR.search(fold(" ".join(words))) else words[0]
    return next(
        (word for word in words if len(word) <= _MAX_LINE and _GONE_MESSAGE.search(fold(word))),
        None,
    )


def _is_code(value: str) -> bool:
    words = _BETWEEN_WORDS.sub(" ", value[:80])
    return _CODE.fullmatch(fold(words).strip()) is not None


def _key(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "") if name != "__type" else name


def find_dead_player(page: FetchedPage) -> str | None:
    """Return the mark by which a page's script says that its player has no video, or None.

    A video only for adults, members or other countries counts as existing; a private one does not.
    """
    position = page.source.find(_PLAYER)
    if position < 0 or _PLAYER in page.markup:
        error = _OTHER_PLAYERS.search(page.source) if "code" in page.source else None
        alert = _ALERT.search(page.source) if '"alertrenderer"' in page.source else None
        return "player: error" if error or alert else None
    script = page.source[position : position + _MAX_PLAYER].partition("</script")[0]
    script = script.partition('"videodetails"')[0].partition('"streamingdata"')[0]
    status = _PLAYER_STATUS.search(script)
    if status is None or status[1] == "ok":
        return None
    reasons = [fold(_unescape(reason)) for reason in _PLAYER_REASON.findall(script)]
    joined = " / ".join(reasons)[:600]
    mark = f"player: {' / '.join([status[1], *reasons[:1]])}"
    if status[1] == "error":
        return None if _RESTRICTED.search(joined) and not _REMOVED.search(joined) else mark
    if status[1] == "login_required":
        return mark if _PRIVATE.search(joined) else None
    if status[1] == "unplayable" and _REMOVED.search(joined) and not _RESTRICTED.search(joined):
        return mark
    return None


def has_live_player(page: FetchedPage) -> bool:
    """Return whether the page's own script says that its player has a video."""
    position = page.source.find(_PLAYER)
    if position < 0 or _PLAYER in page.markup:
        return False
    status = _PLAYER_STATUS.search(page.source, position, position + _MAX_PLAYER)
    return status is not None and status[1] == "ok"


def _unescape(text: str) -> str:
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text)
