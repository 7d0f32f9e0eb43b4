"""URLs of check results, outages and repairs, below /v1/."""

from django.urls import path

from checker import views
from checker.repairs.views import (
    AcceptedRepairViewSet,
    RepairViewSet,
    ReplacedReferenceViewSet,
)

urlpatterns = [
    path("outages", views.OutageViewSet.as_view({"get": "list"})),
    path("repairs", RepairViewSet.as_view({"get": "list", "post": "create"})),
    path("repairs/accepted", AcceptedRepairViewSet.as_view({"get": "list"})),
    path("repairs/accepted/<str:pk>/undo", AcceptedRepairViewSet.as_view({"post": "undo"})),
    path("repairs/references", ReplacedReferenceViewSet.as_view({"get": "list"})),
    path("targets/<str:target_id>/results", views.ResultViewSet.as_view({"get": "list"})),
    path(
        "targets/<str:target_id>/results/<int:result_id>",
        views.ResultViewSet.as_view({"get": "retrieve"}),
    ),
    path(
        "targets/<str:target_id>/results/<int:result_id>/report",
        views.ReportViewSet.as_view({"get": "retrieve", "post": "create"}),
    ),
]
