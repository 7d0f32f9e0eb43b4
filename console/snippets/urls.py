"""URLs of the snippet pages behind sign-in; the public pages are in `snippets.pages`."""

from django.urls import path

from console.snippets import views

urlpatterns = [
    path("snippets", views.SnippetListPage.as_view(), name="snippets"),
    path("snippets/new", views.SnippetCreationPage.as_view(), name="snippet-new"),
    path("snippets/<str:pk>/details", views.SnippetDetailPage.as_view(), name="snippet-details"),
    path("snippets/<str:pk>/edit", views.SnippetChangePage.as_view(), name="snippet-edit"),
    path("snippets/<str:pk>/delete", views.SnippetDeletionPage.as_view(), name="snippet-delete"),
    path(
        "snippets/<str:pk>/versions/<int:number>",
        views.VersionPage.as_view(),
        name="snippet-version",
    ),
]
