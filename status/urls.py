"""URLs of health and stats, below the root, at the paths that process managers expect."""

from django.urls import path

from status import views

urlpatterns = [
    path("v1/stats", views.StatsView.as_view()),
    path("v1/health", views.HealthView.as_view()),
    path("livez", views.LiveView.as_view()),
    path("readyz", views.ReadyView.as_view()),
]
