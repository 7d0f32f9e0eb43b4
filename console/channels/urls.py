"""URLs of the pages of channels."""

from django.urls import path

from console.channels import subscriptions, views

_CHANNEL = "account/channels/<str:channel_id>"

urlpatterns = [
    path("account/channels", views.ChannelListPage.as_view(), name="channels"),
    path("account/channels/new", views.ChannelCreationPage.as_view(), name="channel-new"),
    path(_CHANNEL, views.ChannelDetailPage.as_view(), name="channel"),
    path(f"{_CHANNEL}/edit", views.ChannelChangePage.as_view(), name="channel-edit"),
    path(f"{_CHANNEL}/pause", views.ChannelPauseView.as_view(), name="channel-pause"),
    path(f"{_CHANNEL}/resume", views.ChannelResumptionView.as_view(), name="channel-resume"),
    path(f"{_CHANNEL}/confirm", views.ConfirmationResendView.as_view(), name="channel-confirm"),
    path(f"{_CHANNEL}/test", views.ChannelTestView.as_view(), name="channel-test"),
    path(f"{_CHANNEL}/rotate", views.SecretRotationPage.as_view(), name="channel-rotate"),
    path(f"{_CHANNEL}/redeliver", views.RedeliveriesView.as_view(), name="channel-redeliver"),
    path(f"{_CHANNEL}/delete", views.ChannelDeletionPage.as_view(), name="channel-delete"),
    path(
        f"{_CHANNEL}/subscriptions/new",
        subscriptions.SubscriptionCreationPage.as_view(),
        name="subscription-new",
    ),
    path(
        f"{_CHANNEL}/subscriptions/<str:pk>",
        subscriptions.SubscriptionChangePage.as_view(),
        name="subscription",
    ),
    path(
        f"{_CHANNEL}/subscriptions/<str:pk>/delete",
        subscriptions.SubscriptionDeletionView.as_view(),
        name="subscription-delete",
    ),
    path(f"{_CHANNEL}/deliveries", views.DeliveriesPage.as_view(), name="deliveries"),
    path(f"{_CHANNEL}/deliveries/<int:number>", views.DeliveryPage.as_view(), name="delivery"),
    path(
        f"{_CHANNEL}/deliveries/<int:number>/redeliver",
        views.RedeliveryView.as_view(),
        name="redelivery",
    ),
]
