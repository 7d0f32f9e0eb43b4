"""Addresses of the analytics' figures, below /v1/."""

from django.urls import path

from analytics import views

urlpatterns = [
    path("trending", views.TrendingView.as_view()),
    path("metrics", views.FiguresView.as_view()),
]
