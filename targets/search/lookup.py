"""Finds targets by id, URL, host or reference id; each way has an index."""

from django.core.exceptions import ValidationError
from django.db.models import Q

from accounts.actors import Actor
from targets.canonical import InvalidURLError, canonicalize
from targets.models import Reference, Target


def matching(text: str, by: Actor, *, via: str = "", own_column: str = "") -> Q:
    """Return the filter for targets by id, URL, host, prefix of a host with `*`, or reference id.

    Except for prefixes, matches are exact. The first kind that matches is used. Searches only
    references that the actor may see, except in `own_column`, whose rows the caller selects. `via`
    is the lookup from the filtered model to the target, such as `target__`; `own_column` is the
    model's own column for the reference id, if any.
    """
    text = text.strip()
    if _is_id(text):
        return Q(**{f"{via}pk": text})
    if "://" in text:
        try:
            return Q(**{f"{via}canonical_url": canonicalize(text).url})
        except InvalidURLError:
            return Q(pk__in=[])
    if text.endswith("*"):
        return Q(**{f"{via}host__startswith": text[:-1].lower()})
    host = _host(text)
    if host is not None and Target.objects.filter(host=host).exists():
        return Q(**{f"{via}host": host})
    if own_column:
        return Q(**{own_column: text})
    visible = by.reach(Reference.objects.filter(object_id=text))
    return Q(**{f"{via}pk__in": visible.values("target")})


def _is_id(text: str) -> bool:
    try:
        Target._meta.pk.to_python(text)
    except ValidationError:
        return False
    return True


def _host(text: str) -> str | None:
    if not text or set(text) & set("/?#:\\"):
        return None
    try:
        return canonicalize(f"http://{text}").host
    except InvalidURLError:
        return None
