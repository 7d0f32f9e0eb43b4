"""URLs of the pages about outages and trends."""

from django.urls import path

from console.outages import views

urlpatterns = [
    path("trends", views.TrendsPage.as_view(), name="trends"),
    path("history", views.FormerTrendsRedirect.as_view()),
    path("outages", views.OutagesPage.as_view(), name="outages"),
]
