"""The start: three doors, for new users and for everybody who wants to create something."""

from typing import Any

from django.views.generic import TemplateView

from accounts.actors import Actor
from accounts.pages import OwnPage
from shortener.models import ShortURL
from snippets.models import Snippet
from targets.models import Reference, Target

_MAKING = ("targets.add_target", "shortener.add_shorturl", "snippets.add_snippet")


class StartPage(OwnPage, TemplateView):
    """What one may make: a target, a short link, a snippet; each with an example."""

    http_method_names = ["get", "head"]
    template_name = "console/start.html"


def may_make(user: Any) -> bool:
    """Return whether any of the doors is for this user."""
    return any(user.has_perm(right) for right in _MAKING)


def has_nothing(by: Actor) -> bool:
    """Return whether nothing is there yet: of one's own, or of everybody's for who sees all."""
    if any(by.reach(model.objects.all()).exists() for model in (ShortURL, Snippet, Reference)):
        return False
    return not (by.reaches(None) and Target.objects.exists())
