"""The URLconf."""

from django.urls import URLPattern, URLResolver, include, path
from django.views.decorators.cache import cache_control
from django.views.decorators.gzip import gzip_page
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.permissions import AllowAny

from analytics.views import TrendingView
from checker import host_figures
from checker.about_pages import about_checks, about_verdicts, security_txt
from foundation.http.index import IndexView
from foundation.http.reference import reference
from hosts.views import HostViewSet
from notify.kinds.feed import feeds
from shortener.views import CleanupStatsView
from snippets import snippet_cache
from snippets.urls import pages as snippet_pages
from status.privacy_pages import accessibility, privacy
from status.prometheus import ProductView
from targets import public_list_pages, rule_urls

READ_ONLY = ["get", "head"]  # for pages without OPTIONS

_api: list[URLPattern | URLResolver] = [
    path("", include("accounts.team_urls")),
    path("", include("targets.urls")),
    path("", include("checker.urls")),
    path("", include("lookups.urls")),
    path("", include("batches.urls")),
    path("", include("snippets.urls")),
    path("", include("shortener.urls")),
    path("", include("hosts.urls")),
    path("hosts", HostViewSet.as_view({"get": "list"}, figures=host_figures)),
    path(
        "hosts/<str:host>",
        HostViewSet.as_view(
            {"get": "retrieve", "put": "update", "delete": "destroy"}, figures=host_figures
        ),
    ),
    path("", include("notify.urls")),
    path("", include("analytics.urls")),
    path("trending", TrendingView.as_view(hidden=snippet_cache.unlisted_among)),
    path("", IndexView.as_view()),
    path(
        "schema",
        gzip_page(
            cache_control(max_age=3600, public=True)(
                SpectacularAPIView.as_view(
                    permission_classes=[AllowAny], http_method_names=READ_ONLY
                )
            )
        ),
        name="schema",
    ),
    path("reference", reference, name="reference"),
    path(
        "docs",
        SpectacularSwaggerSplitView.as_view(
            url_name="schema", permission_classes=[AllowAny], http_method_names=READ_ONLY
        ),
    ),
]

urlpatterns = [
    path("v1/", include(_api)),  # first, because programs send most requests
    path("", include("accounts.urls")),
    path("", include("console.urls")),
    path("", include("agents.urls")),
    path("", include("status.urls")),
    path("", include(snippet_pages)),
    path("", include("notify.kinds.mail.mail_urls")),
    path("about/checks", about_checks),
    path("about/privacy", privacy),
    path("about/accessibility", accessibility),
    path(".well-known/security.txt", security_txt),
    path(rule_urls.PAGE_PATH.removeprefix("/"), about_verdicts),
    path("public/<slug:name>.svg", public_list_pages.badge, name="public-badge"),
    path("public/<slug:name>", public_list_pages.page, name="public-list"),
    path("feeds/<str:token>.atom", feeds.atom),
    path("feeds/<str:token>.json", feeds.json_feed),
    path("metrics", ProductView.as_view()),
    path("api/admin/cleanup/stats", CleanupStatsView.as_view()),
]
handler400 = "foundation.http.errors.bad_request"
handler403 = "foundation.http.errors.permission_denied"
handler404 = "foundation.http.errors.not_found"
handler500 = "foundation.http.errors.server_error"
