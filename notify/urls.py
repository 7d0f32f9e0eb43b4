"""URLs of channels, below /v1/."""

from django.urls import path

from foundation.http.permissions import ChangePermissions
from notify import views

_CHANGES = {"permission_classes": [ChangePermissions]}

urlpatterns = [
    path("channels", views.ChannelViewSet.as_view({"get": "list", "post": "create"})),
    path(
        "channels/<str:pk>",
        views.ChannelViewSet.as_view(
            {"get": "retrieve", "patch": "partial_update", "delete": "destroy"}
        ),
    ),
    path(
        "channels/<str:pk>/confirm", views.ChannelViewSet.as_view({"post": "confirm"}, **_CHANGES)
    ),
    path("channels/<str:pk>/rotate", views.ChannelViewSet.as_view({"post": "rotate"}, **_CHANGES)),
    path("channels/<str:pk>/test", views.ChannelViewSet.as_view({"post": "test"}, **_CHANGES)),
    path(
        "channels/<str:pk>/redeliver",
        views.ChannelViewSet.as_view({"post": "redeliver"}, **_CHANGES),
    ),
    path("channels/<str:channel_id>/deliveries", views.DeliveryViewSet.as_view({"get": "list"})),
    path(
        "channels/<str:channel_id>/deliveries/<int:number>",
        views.DeliveryViewSet.as_view({"get": "retrieve"}),
    ),
    path(
        "channels/<str:channel_id>/deliveries/<int:number>/redeliver",
        views.DeliveryViewSet.as_view({"post": "redeliver"}, **_CHANGES),
    ),
    path("subscriptions", views.SubscriptionViewSet.as_view({"get": "list", "post": "create"})),
    path(
        "subscriptions/<str:pk>",
        views.SubscriptionViewSet.as_view(
            {"get": "retrieve", "patch": "partial_update", "delete": "destroy"}
        ),
    ),
]
