"""URLs of sign-in and accounts. allauth resolves some of them by its own names."""

from django.urls import path, re_path
from django.views.generic import RedirectView

from accounts import account_pages, invitation_pages, own_data_pages, passwords, sign_in, two_step

urlpatterns = [
    path("sign-in", sign_in.SignInView.as_view(), name="sign-in"),
    path("sign-in", sign_in.SignInView.as_view(), name="account_login"),
    path("sign-in/code", two_step.CodePage.as_view(), name="two-step-code"),
    path("sign-in/oidc", sign_in.start_at_provider, name="oidc"),
    path("sign-in/oidc/callback", sign_in.return_from_provider, name="oidc-callback"),
    path("sign-in/oidc/logout", sign_in.ProviderLogoutView.as_view(), name="oidc-logout"),
    path("sign-in/oidc/signed-out", sign_in.return_after_sign_out, name="oidc-signed-out"),
    path("sign-out", sign_in.SignOutView.as_view(), name="sign-out"),
    path("admin/login/", RedirectView.as_view(pattern_name="sign-in", query_string=True)),
    path("admin/logout/", sign_in.SignOutView.as_view()),
    path("admin/password_change/", RedirectView.as_view(pattern_name="account_change_password")),
    path("account", account_pages.AccountPage.as_view(), name="account"),
    path("account/zone", account_pages.ZoneView.as_view(), name="account-zone"),
    path("account/export", own_data_pages.ExportView.as_view(), name="account-export"),
    path("account/delete", own_data_pages.DeletionPage.as_view(), name="account-delete"),
    path("account/tokens", account_pages.TokensPage.as_view(), name="tokens"),
    path("account/tokens/revoke", account_pages.RevocationView.as_view(), name="token-revoke"),
    path(
        "account/password", passwords.PasswordChangePage.as_view(), name="account_change_password"
    ),
    path("account/two-step", two_step.TwoStepPage.as_view(), name="two-step"),
    path("account/reset", passwords.ResetPage.as_view(), name="account_reset_password"),
    path(
        "account/reset/sent",
        passwords.ResetSentPage.as_view(),
        name="account_reset_password_done",
    ),
    re_path(
        r"^account/reset/(?P<uidb36>[0-9a-z]+)-(?P<key>[^/]+)$",
        passwords.NewPasswordPage.as_view(),
        name="account_reset_password_from_key",
    ),
    path("account/invitations", invitation_pages.InvitationsPage.as_view(), name="invitations"),
    path(
        "account/invitations/<int:pk>/withdraw",
        invitation_pages.WithdrawalView.as_view(),
        name="invitation-withdraw",
    ),
    path(
        "invitations/<str:secret>",
        invitation_pages.InvitationAcceptancePage.as_view(),
        name="invitation",
    ),
]
