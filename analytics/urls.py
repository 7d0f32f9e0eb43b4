"""Addresses of what trends and of operational metrics, below /v1/."""

from django.urls import path

from analytics import views

urlpatterns = [
    path("trending", views.TrendingView.as_view()),
    path("metrics", views.MetricsView.as_view()),
]
