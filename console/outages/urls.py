"""URLs of the pages of outages and trends."""

from django.urls import path

from console.outages import views

urlpatterns = [
    path("trends", views.TrendsPage.as_view(), name="trends"),
    path("history", views.FormerTrendsPage.as_view()),
    path("outages", views.OutagesPage.as_view(), name="outages"),
]
