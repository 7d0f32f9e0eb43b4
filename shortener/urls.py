"""URLs of short links in the API, below /v1/.

`shortener.redirect_answers` answers requests that follow links.
"""

from django.urls import path

from foundation.http.permissions import DeletePermissions
from shortener import views

urlpatterns = [
    path("urls", views.ShortURLViewSet.as_view({"get": "list", "post": "create"})),
    path("urls/bulk", views.ShortURLViewSet.as_view({"post": "bulk"})),
    path(
        "urls/bulk/delete",
        views.ShortURLViewSet.as_view(
            {"post": "bulk_delete"}, permission_classes=[DeletePermissions]
        ),
    ),
    path(
        "urls/<str:key>",
        views.ShortURLViewSet.as_view(
            {"get": "retrieve", "patch": "partial_update", "delete": "destroy"}
        ),
    ),
    path("urls/<str:key>/metrics", views.ShortURLViewSet.as_view({"get": "metrics"})),
    path("urls/<str:key>/qr.svg", views.QRView.as_view()),
]
