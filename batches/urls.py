"""URLs of batches, below /v1/."""

from django.urls import path

from batches.views import BatchViewSet

urlpatterns = [
    path("batches", BatchViewSet.as_view({"get": "list", "post": "create"})),
    path("batches/<str:pk>", BatchViewSet.as_view({"get": "retrieve", "delete": "destroy"})),
]
