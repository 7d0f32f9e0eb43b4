"""Addresses of the pages on the past of the whole deployment."""

from django.urls import path
from django.views.generic import RedirectView

from console.outages import views

urlpatterns = [
    path("trends", views.TrendsPage.as_view(), name="trends"),
    path("history", RedirectView.as_view(pattern_name="trends", permanent=True)),
    path("outages", views.OutagesPage.as_view(), name="outages"),
]
