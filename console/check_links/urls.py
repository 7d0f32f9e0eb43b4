"""URLs of *Check links*."""

from django.urls import path

from console.check_links.views import CheckedLinksPage, CheckLinksPage, WatchCheckedLinksView

urlpatterns = [
    path("check-links", CheckLinksPage.as_view(), name="check-links"),
    path("check-links/<str:batch_id>", CheckedLinksPage.as_view(), name="checked-links"),
    path("check-links/<str:batch_id>/watch", WatchCheckedLinksView.as_view(), name="watch-checked"),
]
