"""URLs of operational metrics, below /v1/; trends are in `linkwatch.urls`."""

from django.urls import path

from analytics import views

urlpatterns = [
    path("metrics", views.MetricsView.as_view()),
]
