"""Addresses of the pages of hosts."""

from django.urls import path

from console.hosts import views

urlpatterns = [
    path("hosts", views.ListPage.as_view(), name="hosts"),
    path("hosts/<str:host>", views.DetailPage.as_view(), name="host"),
    path("hosts/<str:host>/pause", views.PauseView.as_view(), name="host-pause"),
    path("hosts/<str:host>/resume", views.ResumptionView.as_view(), name="host-resume"),
]
