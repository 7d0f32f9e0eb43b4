"""URLs of the pages for short links; `shortener.reserved_keys` reserves their first segments."""

from django.urls import path

from console.links import csv_files, views

urlpatterns = [
    path("links", views.LinkListPage.as_view(), name="links"),
    path("links/new", views.LinkCreationPage.as_view(), name="link-new"),
    path("links/import", csv_files.LinkImportPage.as_view(), name="links-import"),
    path("links/export", csv_files.LinkExportView.as_view(), name="links-export"),
    path("links/<str:key>", views.LinkDetailPage.as_view(), name="link"),
    path("links/<str:key>/edit", views.LinkChangePage.as_view(), name="link-edit"),
    path("links/<str:key>/end", views.LinkDisablingView.as_view(), name="link-end"),
    path("links/<str:key>/revive", views.LinkRevivalView.as_view(), name="link-revive"),
    path("links/<str:key>/delete", views.LinkDeletionPage.as_view(), name="link-delete"),
    path("links/<str:key>/qr.<str:kind>", views.QRCodeView.as_view(), name="link-qr"),
]
