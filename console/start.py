"""The start page, on which users create a target, a short link or a snippet."""

from typing import Any

from django.views.generic import TemplateView

from accounts.account_pages import OwnPage
from accounts.actors import Actor
from shortener.models import ShortURL
from snippets.models import Snippet
from targets.models import Reference, Target

_CREATION_RIGHTS = ("targets.add_target", "shortener.add_shorturl", "snippets.add_snippet")


class StartPage(OwnPage, TemplateView):
    """Offers what the user may create (a target, a short link, a snippet), each with an example."""

    http_method_names = ["get", "head"]
    template_name = "console/start.html"


def may_create_any(user: Any) -> bool:
    """Return whether this user may create a target, a short link or a snippet."""
    return any(user.has_perm(right) for right in _CREATION_RIGHTS)


def has_nothing(by: Actor) -> bool:
    """Return whether there is no link, snippet or reference that the actor may change.

    For actors who may see objects without an owner, there must be no target either.
    """
    if any(
        by.reach(model.objects.all(), to_change=True).exists()
        for model in (ShortURL, Snippet, Reference)
    ):
        return False
    return not (by.reaches(None) and Target.objects.exists())
