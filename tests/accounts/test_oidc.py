"""Signing in at a provider of OpenID Connect, a real one on loopback, and the provider's faults."""

from datetime import timedelta
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from cryptography.hazmat.primitives.asymmetric import rsa
from django.contrib.auth.models import User
from django.test import Client

from accounts import oidc, teams
from accounts.rights import assign, role_of
from accounts.roles import Role
from tests.accounts.provider import running_provider, sign_in, visit_provider

pytestmark = pytest.mark.one_database


def is_signed_in(client):
    return "_auth_user_id" in client.session


def test_a_group_gives_a_role_and_signs_in(provider, client):
    response = sign_in(client)
    assert (response.status_code, response.headers["Location"]) == (302, "/")
    user = User.objects.get()
    assert (user.username, role_of(user), user.has_usable_password()) == (
        "ada",
        Role.OPERATOR,
        False,
    )
    assert client.get("/account").status_code == 200
    account = SocialAccount.objects.get()
    assert (account.provider, account.uid) == (provider.issuer, "1234")
    assert account.extra_data == {"groups": ["a"]}


def test_signing_in_leads_to_the_requested_page(provider, client):
    assert sign_in(client, next="/account/tokens").headers["Location"] == "/account/tokens"
    assert sign_in(Client(), next="https://evil.example/").headers["Location"] == "/"


def test_the_sign_in_page_links_to_the_provider_with_an_unchanged_policy(provider, client):
    page = client.get("/sign-in?next=/account")
    assert 'href="/sign-in/oidc?next=%2Faccount"' in page.content.decode()
    assert "form-action 'self'" in page.headers["Content-Security-Policy"]


def test_the_role_is_renewed_at_each_sign_in(provider):
    sign_in()
    for groups, role in ((["b"], Role.MEMBER), (["b", "c"], Role.VIEWER), ("a", Role.OPERATOR)):
        provider.claims["groups"] = groups
        assert sign_in().status_code == 302
        assert role_of(User.objects.get()) is role
    assert User.objects.get().is_superuser


@pytest.mark.parametrize("groups", [["unknown"], [], None, 7, {"a": 1}, [["a"]]])
def test_users_without_a_mapped_group_are_refused(provider, client, groups):
    provider.claims["groups"] = groups
    response = sign_in(client)
    assert response.status_code == 403
    assert not is_signed_in(client)
    assert not User.objects.exists()


def test_a_user_who_lost_all_groups_is_refused_and_loses_all_rights(provider):
    sign_in()
    provider.claims["groups"] = []
    client = Client()
    assert sign_in(client).status_code == 403
    user = User.objects.get()
    assert (role_of(user), user.is_staff, user.is_superuser) == (None, False, False)
    assert not is_signed_in(client)


def test_the_default_role_is_for_those_without_a_mapped_group(provider, settings):
    settings.OIDC_DEFAULT_ROLE = "Members"
    provider.claims["groups"] = []
    assert sign_in().headers["Location"] == "/"
    assert role_of(User.objects.get()) is Role.MEMBER


def test_an_address_is_not_an_identity(provider, operator):
    operator.email = "boss@example.org"
    operator.save()
    provider.claims |= {"email": "boss@example.org", "email_verified": True, "groups": ["b"]}
    provider.claims["preferred_username"] = operator.username
    client = Client()
    assert sign_in(client).status_code == 302
    assert User.objects.count() == 2
    assert client.session["_auth_user_id"] != str(operator.pk)
    assert role_of(User.objects.exclude(pk=operator.pk).get()) is Role.MEMBER


def test_the_same_subject_of_another_issuer_is_another_user(provider, settings):
    sign_in()
    first = User.objects.get()
    with running_provider() as other:
        settings.OIDC_ISSUER = other.issuer
        other.claims["groups"] = ["b"]
        assert sign_in().status_code == 302
    assert User.objects.count() == 2
    first.refresh_from_db()
    assert role_of(first) is Role.OPERATOR


@pytest.mark.parametrize(
    "faults",
    [
        {"nonce": "other"},
        {"nonce": None},
        {"nonce": ["x"]},
        {"iss": "https://other.example"},
        {"aud": "other"},
        {"azp": "other"},
        {"exp": 1},
        {"iat": 99999999999},
        {"sub": ""},
        {"sub": "x" * 300},
        {"sub": "a\0b"},
        {"sub": "ä"},
    ],
    ids=str,
)
def test_an_id_token_that_is_not_for_this_sign_in_is_refused(provider, client, faults):
    provider.faults = faults
    response = sign_in(client)
    assert response.status_code == 403
    assert "was not completed" in response.content.decode()
    assert not is_signed_in(client)
    assert not User.objects.exists()


def test_a_token_that_another_key_has_signed_is_refused(provider, client):
    provider.signing_key = rsa.generate_private_key(65537, 2048)
    assert sign_in(client).status_code == 403
    assert not User.objects.exists()


@pytest.mark.parametrize("algorithm", ["none"])
def test_an_unsigned_token_is_refused(provider, client, algorithm):
    provider.algorithm = algorithm
    assert sign_in(client).status_code == 403
    assert not User.objects.exists()


def test_code_and_state_are_valid_once_and_in_one_session(provider, client):
    place = visit_provider(client)
    assert Client().get(place).status_code == 403  # a state of another session
    assert client.get(place).status_code == 302
    client.post("/sign-out")
    assert client.get(place).status_code == 403
    assert not is_signed_in(client)


def test_a_code_of_one_sign_in_does_not_work_in_another(provider, client):
    """A stolen code does not work in the thief's sign-in: verifier and nonce differ."""
    stolen = dict(parse_qsl(urlsplit(visit_provider(Client())).query))["code"]
    own = dict(parse_qsl(urlsplit(visit_provider(client)).query))
    response = client.get(f"/sign-in/oidc/callback?{urlencode(own | {'code': stolen})}")
    assert response.status_code == 403
    assert not User.objects.exists()


@pytest.mark.parametrize("query", ["", "?code=x", "?state=x", "?error=access_denied", "?state=%00"])
def test_an_unexpected_callback_of_the_provider_is_refused(provider, client, query):
    assert client.get(f"/sign-in/oidc/callback{query}").status_code == 403


def test_a_user_who_cancels_at_the_provider_gets_a_message(provider, client):
    state = dict(parse_qsl(urlsplit(visit_provider(client)).query))["state"]
    response = client.get(f"/sign-in/oidc/callback?error=access_denied&state={state}")
    assert response.status_code == 403


@pytest.mark.parametrize(
    "discovery",
    [
        {"issuer": "https://other.example"},
        {"issuer": None},
        {"authorization_endpoint": None, "issuer": 5},
    ],
    ids=str,
)
def test_discovery_of_another_issuer_is_refused(provider, client, discovery):
    provider.discovery = discovery
    response = client.get("/sign-in/oidc")
    assert response.status_code == 503
    assert "did not respond as expected" in response.content.decode()


def test_a_provider_that_does_not_exist_is_reported(provider, client, settings):
    settings.OIDC_ISSUER = "http://127.0.0.1:9"
    assert client.get("/sign-in/oidc").status_code == 503


def test_a_slow_provider_delays_no_other_request(provider, client, monkeypatch):
    monkeypatch.setattr(oidc, "_TIMEOUT", 0.2)
    provider.drips = True
    assert client.get("/sign-in/oidc").status_code == 503


def test_an_endless_answer_is_cut(provider, client, monkeypatch):
    monkeypatch.setattr(oidc, "_MAX_RESPONSE_SIZE", 100)
    assert client.get("/sign-in/oidc").status_code == 503


def test_compressed_answers_are_limited_after_decompression(provider, client):
    provider.is_compressed = True
    assert sign_in().status_code == 302
    provider.filler = 5_000_000
    assert client.get("/sign-in/oidc").status_code == 503


def test_a_redirect_of_the_provider_is_not_followed(provider, client):
    with running_provider() as other:
        provider.redirects_to = f"{other.issuer}/.well-known/openid-configuration"
        provider.discovery = {"issuer": "nobody"}
        assert client.get("/sign-in/oidc").status_code == 503
        assert other.asked == []


@pytest.mark.parametrize(
    "host", ["127.0.0.2", "localhost", "[::ffff:127.0.0.1]", "169.254.169.254"]
)
def test_discovery_cannot_name_other_hosts_of_our_own_network(provider, client, host):
    """The operator names the host of OIDC_ISSUER, so that host may be anywhere."""
    provider.discovery = {"jwks_uri": f"{provider.issuer}/keys".replace("127.0.0.1", host)}
    assert sign_in(client).status_code == 403
    assert not is_signed_in(client)
    assert "/keys" not in provider.asked


def test_the_provider_is_requested_through_the_egress_proxy_only(
    provider, client, settings, monkeypatch
):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    assert client.get("/sign-in/oidc").status_code == 302
    settings.EGRESS_PROXY = "http://127.0.0.1:9"
    assert client.get("/sign-in/oidc").status_code == 503
    settings.EGRESS_BYPASS = ["127.0.0.0/8"]
    assert client.get("/sign-in/oidc").status_code == 302


def test_groups_may_come_from_the_userinfo_of_the_same_subject(provider):
    del provider.claims["groups"]
    provider.userinfo = {"sub": "1234", "groups": ["c"]}
    assert sign_in().status_code == 302
    assert role_of(User.objects.get()) is Role.VIEWER
    provider.userinfo = {"sub": "other", "groups": ["a"]}
    assert sign_in().status_code == 403
    assert role_of(User.objects.get()) is Role.VIEWER


@pytest.mark.parametrize(
    "claims",
    [
        {"preferred_username": "<script>"},
        {"preferred_username": "x" * 500},
        {"preferred_username": "a\0b"},
        {"preferred_username": "", "name": "\0" * 300, "given_name": "x" * 500},
        {"email": "no address"},
        {"email": "x" * 400 + "@example.org"},
    ],
    ids=lambda claims: str(claims)[:40],
)
def test_hostile_claims_do_no_harm(provider, claims):
    provider.claims |= claims
    assert sign_in().status_code == 302
    user = User.objects.get()
    assert "<" not in user.username
    assert "\0" not in user.username
    user.full_clean(exclude=["password"])


@pytest.mark.parametrize("claims", [{"preferred_username": {"a": 1}}, {"email": 7}])
def test_malformed_claims_are_refused(provider, client, claims):
    provider.claims |= claims
    assert sign_in(client).status_code in (302, 403)
    assert len(User.objects.all()) <= 1


def test_an_inactive_user_is_refused(provider, client):
    sign_in()
    User.objects.update(is_active=False)
    response = sign_in(client)
    assert "not active" in response.content.decode()
    assert not is_signed_in(client)


def test_signing_out_ends_our_session_only(provider, client):
    sign_in(client)
    provider.asked.clear()
    assert client.post("/sign-out").headers["Location"] == "/sign-in"
    assert not is_signed_in(client)
    assert provider.asked == []


def test_a_link_of_another_site_starts_no_sign_in(provider, client):
    response = client.get("/sign-in/oidc", headers={"sec-fetch-site": "cross-site"})
    assert response.headers["Location"] == "/sign-in"
    assert provider.asked == []


def test_starting_counts_as_an_attempt(provider, client, settings):
    settings.SIGN_IN_LIMIT = (1, timedelta(minutes=1))
    assert client.get("/sign-in/oidc").status_code == 302
    assert client.get("/sign-in/oidc").status_code == 429


def test_the_address_does_not_exist_without_a_provider(client, db):
    assert client.get("/sign-in/oidc").status_code == 404
    assert client.get("/sign-in/oidc/callback").status_code == 404
    assert "/sign-in/oidc" not in client.get("/sign-in").content.decode()


def test_an_account_of_the_provider_has_no_password_to_change_or_reset(
    provider, client, settings, mailoutbox
):
    provider.claims["email"] = "ada@example.org"
    sign_in(client)
    assert client.get("/account/password").headers["Location"] == "/account"
    settings.EMAIL_URL = "smtp://127.0.0.1:1"
    assert client.post("/account/reset", {"email": "ada@example.org"}).status_code == 302
    assert mailoutbox == []


def test_an_unchanged_role_is_not_assigned_again(provider, django_assert_num_queries):
    sign_in()
    user = User.objects.get()
    user.user_permissions.add(1)
    sign_in()
    assert user.user_permissions.exists()
    assign(user, Role.OPERATOR)
    assert not user.user_permissions.exists()


def test_the_provider_is_responsible_for_the_second_step(provider, client):
    sign_in()
    user = User.objects.get()
    user.set_password("correct horse")
    user.save()
    Authenticator.objects.create(user=user, type="totp", data={"secret": "A" * 32})
    assert sign_in(client).headers["Location"] == "/"
    assert is_signed_in(client)
    by_password = Client().post("/sign-in", {"username": "ada", "password": "correct horse"})
    assert by_password.headers["Location"] == "/sign-in/code"


def test_groups_add_users_to_teams_and_remove_them(provider, settings):
    settings.OIDC_TEAMS = {"w": "Docs", "b": "Members too"}
    for groups, names in ((["b", "w"], {"Docs", "Members too"}), (["b"], {"Members too"})):
        provider.claims["groups"] = groups
        assert sign_in().status_code == 302
        assert {team.name for team in User.objects.get().teams.all()} == names
    provider.claims["groups"] = ["w"]  # which gives no role
    assert sign_in().status_code == 403
    assert not User.objects.get().teams.exists()


def test_a_person_whose_team_is_full_signs_in_without_it(provider, settings, monkeypatch, caplog):
    settings.OIDC_TEAMS = {"a": "Docs"}
    monkeypatch.setattr(teams, "MAX_MEMBERS", 0)
    for _ in ("first", "second"):
        assert sign_in().status_code == 302
        user = User.objects.get()
        assert role_of(user) is Role.OPERATOR
        assert not user.teams.exists()
    warning = "ada was not added to the team Docs: A team can have at most 0 members."
    assert [record.getMessage() for record in caplog.records if record.levelno >= 30] == [
        warning,
        warning,
    ]
