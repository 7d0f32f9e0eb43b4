"""URLs of the pages behind sign-in."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from console.dashboard.views import DashboardView, FindView
from console.page_saves import PageSavesPage
from console.people import PeoplePage, PersonPage
from console.repairs import (
    AcceptedRepairsPage,
    AcceptRepairView,
    RepairsExport,
    RepairsPage,
    ReplacedExport,
    UndoRepairView,
)
from console.start import StartPage
from console.target_import import TargetImportPage
from console.target_page.acceptance import ProposalPage, ResultAcceptancePage
from console.target_page.confirmations import ReferenceView, TargetDeletionPage, UnregistrationPage
from console.target_page.report import ReportPage
from console.target_page.views import OperationView, TargetPage
from console.target_page.what_now import NoteView, WatchNewAddressView
from console.targets.editing import TargetEditPage
from console.teams import (
    TeamDeletionView,
    TeamMemberAdditionView,
    TeamMemberRemovalView,
    TeamPage,
    TeamsPage,
)

urlpatterns = [
    path("", DashboardView.as_view(), name="dashboard"),
    path("find", FindView.as_view(), name="find"),
    path("account/people", PeoplePage.as_view(), name="people"),
    path("account/people/<int:pk>", PersonPage.as_view(), name="person"),
    path("account/teams", TeamsPage.as_view(), name="teams"),
    path("account/teams/<int:pk>", TeamPage.as_view(), name="team"),
    path("account/teams/<int:pk>/delete", TeamDeletionView.as_view(), name="team-delete"),
    path("account/teams/<int:pk>/members", TeamMemberAdditionView.as_view(), name="team-members"),
    path(
        "account/teams/<int:pk>/members/<int:user>/remove",
        TeamMemberRemovalView.as_view(),
        name="team-member-remove",
    ),
    path("account/saves", PageSavesPage.as_view(), name="page-saves"),
    path("repairs", RepairsPage.as_view(), name="repairs"),
    path("repairs/export", RepairsExport.as_view(), name="repairs-export"),
    path("repairs/accept", AcceptRepairView.as_view(), name="repair-accept"),
    path("repairs/accepted", AcceptedRepairsPage.as_view(), name="accepted-repairs"),
    path("repairs/accepted/export", ReplacedExport.as_view(), name="replaced-export"),
    path("repairs/accepted/<str:pk>/undo", UndoRepairView.as_view(), name="repair-undo"),
    path("new", StartPage.as_view(), name="start"),
    path("", include("console.hosts.urls")),
    path("", include("console.changes.urls")),
    path("", include("console.outages.urls")),
    path("", include("console.links.urls")),
    path("", include("console.snippets.urls")),
    path("", include("console.channels.urls")),
    path("", include("console.targets.urls")),
    path("", include("console.check_links.urls")),
    path("", include("console.public_lists.urls")),
    path("", include("console.shares.urls")),
    path("admin", RedirectView.as_view(url="/admin/")),
    path("admin/", admin.site.urls),
    path("targets/import", TargetImportPage.as_view(), name="targets-import"),
    path("targets/<str:target_id>", TargetPage.as_view(), name="target"),
    path("targets/<str:target_id>/accept", ResultAcceptancePage.as_view(), name="target-accept"),
    path("targets/<str:target_id>/edit", TargetEditPage.as_view(), name="target-edit"),
    path("targets/<str:target_id>/propose", ProposalPage.as_view(), name="target-propose"),
    path("targets/<str:target_id>/delete", TargetDeletionPage.as_view(), name="target-delete"),
    path(
        "targets/<str:target_id>/results/<int:result_id>/report",
        ReportPage.as_view(),
        name="target-report",
    ),
    path("targets/<str:target_id>/note", NoteView.as_view(), name="target-note"),
    path(
        "targets/<str:target_id>/watch-new", WatchNewAddressView.as_view(), name="target-watch-new"
    ),
    path("targets/<str:target_id>/refer", ReferenceView.as_view(), name="target-refer"),
    path(
        "targets/<str:target_id>/unregister", UnregistrationPage.as_view(), name="target-unregister"
    ),
    path(
        "targets/<str:target_id>/<str:operation>", OperationView.as_view(), name="target-operation"
    ),
]
