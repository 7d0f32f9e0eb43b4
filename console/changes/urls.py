"""URLs of the page of changes."""

from django.urls import path

from console.changes import views

urlpatterns = [
    path("changes", views.ChangesPage.as_view(), name="changes"),
    path("changes/feed", views.ChangesFeedView.as_view(), name="changes-feed"),
]
