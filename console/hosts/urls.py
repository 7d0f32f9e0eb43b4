"""URLs of the pages of hosts."""

from django.urls import path

from console.hosts import editing, queue_page, views

urlpatterns = [
    path("queue", queue_page.QueuePage.as_view(), name="queue"),
    path("hosts", views.HostListPage.as_view(), name="hosts"),
    path("hosts/<str:host>", views.HostDetailPage.as_view(), name="host"),
    path("hosts/<str:host>/edit", editing.HostEditPage.as_view(), name="host-edit"),
    path("hosts/<str:host>/favicon.png", views.FaviconView.as_view(), name="host-favicon"),
    path("hosts/<str:host>/pause", views.HostPauseView.as_view(), name="host-pause"),
    path("hosts/<str:host>/resume", views.HostResumptionView.as_view(), name="host-resume"),
]
