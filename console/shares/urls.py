"""URLs of the pages for shared references."""

from django.urls import path

from console.shares import views

urlpatterns = [
    path("shares", views.SharesPage.as_view(), name="shares"),
    path("shares/new", views.ShareCreationPage.as_view(), name="share-new"),
    path("shares/<int:share_id>", views.SharePage.as_view(), name="share"),
    path("shares/<int:share_id>/end", views.ShareDeletionPage.as_view(), name="share-end"),
]
