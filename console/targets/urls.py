"""URLs of the list of targets; each target's own: `console/urls.py`."""

from django.urls import path

from console.targets import selected, views

urlpatterns = [
    path("targets", views.TargetListPage.as_view(), name="targets"),
    path("targets/export", views.TargetExportView.as_view(), name="targets-export"),
    path("targets/selected", selected.SelectionPage.as_view(), name="targets-selected"),
    path("targets/selected/undo", selected.UndoView.as_view(), name="targets-undo"),
]
