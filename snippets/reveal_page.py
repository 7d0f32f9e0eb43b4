"""`POST /snippets/{id}/reveal`: reveals a snippet with `max_views` to people."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.vary import vary_on_cookie

from accounts.actors import Actor, actor_of
from analytics.live_messages import is_own_origin
from foundation.database.clock import database_now
from foundation.http.errors import ApiError
from foundation.http.throttling import count_request
from snippets import services, snippet_cache
from snippets.pages import context_of, highlight_snippet, notice
from snippets.views import count_view

_ROUTE = "POST snippets/<str:pk>/reveal"


# The page with the form is rendered without the session, so it has no CSRF token. A form from
# another origin, even on this site (where SameSite sends the session's cookie), is handled as
# anonymous: it reveals no private snippets.
@method_decorator(csrf_exempt, name="dispatch")
class RevealPage(View):
    """Shows the snippet, and uses one of its views if it has `max_views`."""

    http_method_names = ["get", "post"]

    def get(self, request: HttpRequest, pk: str) -> HttpResponse:
        """Redirect to the page that asks for confirmation."""
        return redirect(f"/snippets/{pk}")

    @method_decorator(vary_on_cookie)  # always, or it would reveal that a private snippet exists
    def post(self, request: HttpRequest, pk: str) -> HttpResponse:
        admission = count_request(_ROUTE, request)
        if admission is not None and not admission.admitted:
            return _refusal("rate_limited", admission.headers)

        def get_actor() -> Actor | None:
            origin = request.headers.get("Origin")  # browsers always send it
            if origin is not None and not is_own_origin(origin, request.get_host()):
                return None
            return actor_of(request) if request.user.is_authenticated else None

        try:
            snippet = services.reveal(pk, get_actor=get_actor, now=database_now())
        except ApiError as error:
            return _refusal(error.code, error.headers)
        count_view(request, snippet)
        context = context_of(snippet, highlight_snippet(snippet)) | {"is_revealed": True}
        html = render_to_string("snippets/page.html", context, request)
        return HttpResponse(html, headers=snippet_cache.NO_STORE | snippet_cache.NOINDEX)


def _refusal(code: str, headers: dict[str, str]) -> HttpResponse:
    status, html = notice(code)
    return HttpResponse(html, status=status, headers=snippet_cache.NO_STORE | headers)
