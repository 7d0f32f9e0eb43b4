"""URLs of lookups, below /v1/."""

from django.urls import path

from lookups.views import LookupViewSet

urlpatterns = [
    path("lookups", LookupViewSet.as_view({"get": "retrieve", "post": "create"})),
]
