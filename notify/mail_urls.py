"""Addresses that the links of mails lead to."""

from django.urls import path

from notify import pages

app_name = "notify"
urlpatterns = [
    path("confirm/<str:token>", pages.ConfirmationPage.as_view(), name="confirm"),
    path("unsubscribe/<str:token>", pages.UnsubscriptionPage.as_view(), name="unsubscribe"),
]
