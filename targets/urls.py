"""URLs of the registry, below /v1/."""

from django.urls import path, register_converter
from django.urls.converters import StringConverter

from foundation.http.permissions import DeletePermissions
from targets import views
from targets.public_list_views import PublicListViewSet
from targets.scan_views import ScanViewSet
from targets.share_views import ShareViewSet


class AnyTextConverter(StringConverter):
    """Matches the rest of the path unchanged: object ids may have slashes and line feeds."""

    regex = r"[\s\S]+"


register_converter(AnyTextConverter, "text")

urlpatterns = [
    path(
        "targets",
        views.TargetViewSet.as_view({"get": "list", "post": "create", "patch": "bulk_change"}),
    ),
    path("targets/bulk", views.TargetViewSet.as_view({"post": "bulk"})),
    path(
        "targets/<str:pk>",
        views.TargetViewSet.as_view(
            {"get": "retrieve", "patch": "partial_update", "delete": "destroy"}
        ),
    ),
    path("targets/<str:pk>/check", views.TargetViewSet.as_view({"post": "check"})),
    path("targets/<str:target_id>/transitions", views.TransitionViewSet.as_view({"get": "list"})),
    path(
        "targets/<str:target_id>/references",
        views.TargetReferenceViewSet.as_view({"get": "list"}),
    ),
    path(
        "targets/<str:target_id>/references/<text:reference_id>",
        views.TargetReferenceViewSet.as_view(
            {"get": "retrieve", "put": "update", "delete": "destroy"}
        ),
    ),
    path(
        "references",
        views.ReferenceViewSet.as_view({"get": "list", "post": "create", "delete": "destroy"}),
    ),
    path("scans", ScanViewSet.as_view({"post": "create"})),
    path("scans/<str:pk>", ScanViewSet.as_view({"get": "retrieve"})),
    path(
        "scans/<str:pk>/finish",
        ScanViewSet.as_view({"post": "finish"}, permission_classes=[DeletePermissions]),
    ),
    path("lists", PublicListViewSet.as_view({"get": "list", "post": "create"})),
    path(
        "lists/<slug:name>",
        PublicListViewSet.as_view(
            {"get": "retrieve", "patch": "partial_update", "delete": "destroy"}
        ),
    ),
    path("shares", ShareViewSet.as_view({"get": "list", "post": "create"})),
    path(
        "shares/<int:share_id>",
        ShareViewSet.as_view({"get": "retrieve", "patch": "partial_update", "delete": "destroy"}),
    ),
    path("events", views.EventViewSet.as_view({"get": "list"})),
]
