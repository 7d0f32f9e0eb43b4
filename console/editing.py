"""Pages with a form from the admin, in the layout of our own pages."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from foundation.admin.forms import PLAIN

# The admin's widgets have their own markup; these are their plain base classes.
_PLAIN_WIDGETS = (forms.Textarea, forms.Select, forms.CheckboxInput, forms.TextInput)


def show_form(
    request: HttpRequest,
    form: forms.BaseForm,
    groups: Mapping[str, tuple[str, ...]],
    *,
    title: str,
    subject: str,
    back: str,
) -> HttpResponse:
    """Return the page with a form.

    `groups` maps each legend to the names of its fields. `back` is the URL to return to, and
    `subject` the text of the link to it.
    """
    for field in form.fields.values():
        _make_plain(field)
    context: dict[str, Any] = {
        "form": form,
        "groups": [(legend, [form[name] for name in names]) for legend, names in groups.items()],
        "title": title,
        "subject": subject,
        "back": back,
    }
    return render(request, "console/edit.html", context)


def _make_plain(field: Any) -> None:
    plain = next((each for each in _PLAIN_WIDGETS if isinstance(field.widget, each)), None)
    if plain is None:
        return
    attrs = {**PLAIN, "rows": field.widget.attrs.get("rows", 4)} if plain is forms.Textarea else {}
    widget = plain(attrs=PLAIN if plain is forms.TextInput else attrs)
    if isinstance(widget, forms.Select):
        widget.choices = field.choices
    widget.is_required = field.required
    field.widget = widget
