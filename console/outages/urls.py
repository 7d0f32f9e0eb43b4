"""Addresses of the pages on the past of the whole deployment."""

from django.urls import path

from console.outages import views

urlpatterns = [
    path("history", views.HistoryPage.as_view(), name="history"),
    path("outages", views.OutagesPage.as_view(), name="outages"),
]
