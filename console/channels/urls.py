"""URLs of the pages of channels."""

from django.urls import path

from console.channels import subscriptions, views

_ONE = "account/channels/<str:channel_id>"

urlpatterns = [
    path("account/channels", views.ChannelListPage.as_view(), name="channels"),
    path("account/channels/new", views.ChannelCreationPage.as_view(), name="channel-new"),
    path(_ONE, views.ChannelDetailPage.as_view(), name="channel"),
    path(f"{_ONE}/edit", views.ChannelChangePage.as_view(), name="channel-edit"),
    path(f"{_ONE}/pause", views.ChannelPauseView.as_view(), name="channel-pause"),
    path(f"{_ONE}/resume", views.ResumeView.as_view(), name="channel-resume"),
    path(f"{_ONE}/confirm", views.ConfirmationView.as_view(), name="channel-confirm"),
    path(f"{_ONE}/test", views.TestView.as_view(), name="channel-test"),
    path(f"{_ONE}/rotate", views.RotationPage.as_view(), name="channel-rotate"),
    path(f"{_ONE}/redeliver", views.RedeliveriesView.as_view(), name="channel-redeliver"),
    path(f"{_ONE}/delete", views.ChannelDeletionPage.as_view(), name="channel-delete"),
    path(
        f"{_ONE}/subscriptions/new",
        subscriptions.SubscriptionCreationPage.as_view(),
        name="subscription-new",
    ),
    path(
        f"{_ONE}/subscriptions/<str:pk>",
        subscriptions.SubscriptionChangePage.as_view(),
        name="subscription",
    ),
    path(
        f"{_ONE}/subscriptions/<str:pk>/delete",
        subscriptions.DeletionView.as_view(),
        name="subscription-delete",
    ),
    path(f"{_ONE}/deliveries", views.DeliveriesPage.as_view(), name="deliveries"),
    path(f"{_ONE}/deliveries/<int:number>", views.DeliveryPage.as_view(), name="delivery"),
    path(
        f"{_ONE}/deliveries/<int:number>/redeliver",
        views.RedeliveryView.as_view(),
        name="redelivery",
    ),
]
