"""URLs of the list of targets; those of each target are in `console/urls.py`."""

from django.urls import path

from console.targets import bulk_actions, views

urlpatterns = [
    path("targets", views.TargetListPage.as_view(), name="targets"),
    path("targets/export", views.TargetExportView.as_view(), name="targets-export"),
    path("targets/selected", bulk_actions.SelectionPage.as_view(), name="targets-selected"),
    path("targets/selected/undo", bulk_actions.UndoView.as_view(), name="targets-undo"),
]
