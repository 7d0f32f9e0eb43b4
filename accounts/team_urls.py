"""URLs of teams, below /v1/."""

from django.urls import path

from accounts import team_views
from foundation.http.permissions import ChangePermissions

_OPTIONS = {"permission_classes": [ChangePermissions]}

urlpatterns = [
    path("teams", team_views.TeamViewSet.as_view({"get": "list", "post": "create"})),
    path(
        "teams/<int:team_id>",
        team_views.TeamViewSet.as_view(
            {"get": "retrieve", "patch": "partial_update", "delete": "destroy"}
        ),
    ),
    path(
        "teams/<int:team_id>/members/<str:username>",
        team_views.TeamMemberViewSet.as_view({"put": "update", "delete": "destroy"}, **_OPTIONS),
    ),
]
