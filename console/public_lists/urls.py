"""URLs of the pages on which users manage public lists."""

from django.urls import path

from console.public_lists import views

urlpatterns = [
    path("lists", views.PublicListsPage.as_view(), name="lists"),
    path("lists/new", views.PublicListCreationPage.as_view(), name="list-new"),
    path("lists/<slug:name>", views.PublicListPage.as_view(), name="list"),
    path("lists/<slug:name>/end", views.PublicListDeletionPage.as_view(), name="list-end"),
]
