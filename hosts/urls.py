"""URLs of hosts and aliases, below /v1/. A host's name is one segment: `[::1]` in brackets.

URLs with figures of checks are in `linkwatch.urls`.
"""

from django.urls import path

from hosts import views

urlpatterns = [
    path("hosts/reserve", views.HostViewSet.as_view({"post": "reserve"})),
    path("hosts/release", views.HostViewSet.as_view({"post": "release"})),
    path("hosts/schedule", views.HostViewSet.as_view({"post": "schedule"})),
    path("hosts/<str:host>/reserve", views.HostViewSet.as_view({"post": "reserve_one"})),
    path("hosts/<str:host>/release", views.HostViewSet.as_view({"post": "release_one"})),
    path("hosts/<str:host>/extend", views.HostViewSet.as_view({"post": "extend"})),
    path("aliases", views.AliasViewSet.as_view({"get": "list"})),
    path(
        "aliases/<str:alias>",
        views.AliasViewSet.as_view({"get": "retrieve", "put": "update", "delete": "destroy"}),
    ),
]
