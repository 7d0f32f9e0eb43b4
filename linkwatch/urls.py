"""The map of all addresses."""

from django.contrib import admin
from django.contrib.auth.views import LogoutView
from django.urls import include, path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.permissions import AllowAny

from checker.pages import DeletionPage, OperationView, TargetPage, UnregistrationPage
from linkwatch import status
from linkwatch.analytics.views import PrometheusView
from linkwatch.dashboard.views import DashboardView, FindView
from linkwatch.sign_in import SignInView
from shortener.views import CleanupStatsView

READ_ONLY = ["get", "head"]  # of pages without a meaning for OPTIONS

urlpatterns = [
    path("", DashboardView.as_view(), name="dashboard"),
    path("find", FindView.as_view(), name="find"),
    path("admin", RedirectView.as_view(url="/admin/")),
    path("sign-in", SignInView.as_view(), name="sign-in"),
    path("sign-out", LogoutView.as_view(), name="sign-out"),
    path("admin/login/", RedirectView.as_view(pattern_name="sign-in", query_string=True)),
    path("admin/", admin.site.urls),
    path("targets/<str:target_id>", TargetPage.as_view(), name="target"),
    path("targets/<str:target_id>/delete", DeletionPage.as_view(), name="target-delete"),
    path(
        "targets/<str:target_id>/unregister", UnregistrationPage.as_view(), name="target-unregister"
    ),
    path(
        "targets/<str:target_id>/<str:operation>", OperationView.as_view(), name="target-operation"
    ),
    path("v1/", include("targets.urls")),
    path("v1/", include("checker.urls")),
    path("v1/", include("snippets.urls")),
    path("v1/", include("shortener.urls")),
    path("v1/", include("hosts.urls")),
    path("v1/", include("linkwatch.analytics.urls")),
    path("metrics", PrometheusView.as_view()),
    path("api/admin/cleanup/stats", CleanupStatsView.as_view()),
    path("v1/stats", status.StatsView.as_view()),
    path("v1/health", status.HealthView.as_view()),
    path("livez", status.LiveView.as_view()),
    path("readyz", status.ReadyView.as_view()),
    path(
        "v1/schema",
        SpectacularAPIView.as_view(permission_classes=[AllowAny], http_method_names=READ_ONLY),
        name="schema",
    ),
    path(
        "v1/docs",
        SpectacularSwaggerSplitView.as_view(
            url_name="schema", permission_classes=[AllowAny], http_method_names=READ_ONLY
        ),
    ),
]
handler400 = "linkwatch.lib.errors.bad_request"
handler403 = "linkwatch.lib.errors.permission_denied"
handler404 = "linkwatch.lib.errors.not_found"
handler500 = "linkwatch.lib.errors.server_error"
