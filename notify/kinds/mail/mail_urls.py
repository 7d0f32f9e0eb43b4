"""URLs of the pages that emails link to."""

from django.urls import path

from notify.kinds.mail import address_pages

app_name = "notify"
urlpatterns = [
    path("confirm/<str:token>", address_pages.ConfirmationPage.as_view(), name="confirm"),
    path("unsubscribe/<str:token>", address_pages.UnsubscriptionPage.as_view(), name="unsubscribe"),
]
