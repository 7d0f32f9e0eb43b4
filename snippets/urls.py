"""URLs of snippets below /v1/, and of the pages that `snippets.pages` leaves to Django."""

from django.urls import path
from rest_framework.renderers import JSONRenderer

from foundation.http.negotiation import FirstRendererNegotiation
from foundation.http.permissions import DeletePermissions
from snippets import embedding, views
from snippets.reveal_page import RevealPage

urlpatterns = [
    path("snippets", views.SnippetViewSet.as_view({"get": "list", "post": "create"})),
    path(
        "snippets/bulk/delete",
        views.SnippetViewSet.as_view(
            {"post": "bulk_delete"}, permission_classes=[DeletePermissions]
        ),
    ),
    path(
        "snippets/<str:pk>",
        views.SnippetViewSet.as_view(
            {"get": "retrieve", "patch": "partial_update", "delete": "destroy"}
        ),
    ),
    path(
        "snippets/<str:pk>/raw",
        views.SnippetViewSet.as_view(
            {"get": "raw"},
            renderer_classes=[JSONRenderer],  # for its errors
            content_negotiation_class=FirstRendererNegotiation,
        ),
    ),
    path("snippets/<str:pk>/reveal", views.SnippetViewSet.as_view({"post": "reveal"})),
    path("snippets/<str:pk>/metrics", views.SnippetViewSet.as_view({"get": "metrics"})),
]

pages = [
    path("snippets/<str:pk>/reveal", RevealPage.as_view()),
    path("oembed", embedding.oembed),
]
