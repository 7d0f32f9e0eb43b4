"""Refusals of visitors who are not signed in or outside a network: success with a flag, and no
death."""

# ruff: noqa: RUF001
import pytest

from targets.state import Outcome
from tests.zoo.checks import check
from tests.zoo.rows import by_target
from tests.zoo.server import answer
from tests.zoo.wild.pages import modern

pytestmark = pytest.mark.any_database

HTML = "Content-Type: text/html; charset=utf-8"


def found_for(body, *headers, status=403):
    """Return the result of a check of one page with this answer, on an open site."""
    page = answer(status, *(headers or (HTML,)), body=body.encode())
    found, zoo = check(by_target({"/": answer()}, other=page), path="/deep/page")
    assert found.identity is None or found.status_code == 200
    return found, zoo


def rule_of(body, *headers, status=403):
    return found_for(body, *headers, status=status)[0].evidence["rule"]


def small(text):
    return f"<!DOCTYPE html><title>403</title><h1>403</h1><p>{text}</p>"


def test_a_restricted_page_is_a_success_with_a_flag_and_requests_no_root():
    found, zoo = found_for(modern("No", "<form><input type='password' name='p'></form>"))

    assert (found.outcome, found.reason) == (Outcome.SUCCESS, None)
    assert found.flags == ("restricted",)
    assert found.evidence["mark"] == "log-in: a password field"
    assert zoo.targets == ["/deep/page"]


@pytest.mark.parametrize(
    "header",
    [
        "X-Forms_Based_Auth_Required: https://a.example/_forms/default.aspx",
        "X-FORMS_BASED_AUTH_RETURN_URL: https://a.example/",
        "WWW-Authenticate: Bearer realm=a",
        "X-MSDAVEXT_Error: 917656; Access denied",
    ],
)
def test_a_header_that_asks_for_credentials_restricts(header):
    assert rule_of("403 FORBIDDEN", header) == "for members"


@pytest.mark.parametrize(
    "text",
    [
        "This report can be read on the campus network only.",
        "Off-campus? Use the VPN.",
        "Nur aus dem Netz der Universität oder über VPN erreichbar.",
        "Accessible uniquement depuis le réseau de l'université.",
        "Solo accesible desde la red de la universidad.",
        "Accesso consentito dalla rete di ateneo o tramite VPN.",
        "Acesso permitido na rede interna.",
        "Доступ только из внутренней сети.",
        "该文献仅限校园网内访问",
        "学内からのみ閲覧できます",
        "교내에서만 이용할 수 있습니다",
        "Your IP address 203.0.113.7 is not in the IP ranges of a subscribing institution.",
        "Only in the reading rooms of the library.",
        "VPN required.",
        '{"error": "login_required"}',
        "You must be logged in to view this page.",
        "This wiki is for members only.",
        "You need access. Ask for access, or switch to an account with access.",
        "The action you have requested is limited to users in the group: Users.",
        "Bitte melden Sie sich an, um fortzufahren.",
        "Cette page est réservée aux membres de l’association.",
        "Debe iniciar sesión para ver esta página.",
        "Per continuare devi effettuare il login.",
        "Faça login para continuar.",
        "Zaloguj się, aby zobaczyć tę stronę.",
        "Раздел доступен только зарегистрированным пользователям.",
        "请先登录后再查看",
        "この記事は会員限定です",
        "로그인이 필요한 서비스입니다",
        "TICKET_VIEW privileges are required to perform this operation.",
        "You do not have permission to view this thread.",
        "You do not have sufficient permissions to see this record.",
        "You are not enrolled in this course.",
        "A subscription is required to read this article.",
        "Ihnen fehlen die Rechte: Sie haben keine ausreichenden Rechte.",
        "Vous n’avez pas les droits suffisants.",
        "No tiene permisos suficientes para ver este curso.",
        "Non hai permessi sufficienti.",
        "Você não tem permissões suficientes.",
        "U heeft onvoldoende rechten.",
        "Nie masz wystarczających uprawnień.",
        "Nemáte dostatečná oprávnění.",
        "Недостаточно прав для просмотра.",
        "抱歉，您的权限不足",
        "この資料の閲覧権限がありません",
        "글을 읽을 권한이 없습니다",
    ],
)
def test_words_that_name_a_network_or_members_restrict(text):
    assert rule_of(small(text)) == "for members"
    assert rule_of(text, "Content-Type: text/plain; charset=utf-8") == "for members"
    assert rule_of(modern("Forbidden", f"<p>{text}</p>")) == "for members"


@pytest.mark.parametrize(
    "way",
    [
        "<a href='/users/sign_in'>Sign in</a>",
        "<a href='/Shibboleth.sso/Login?target=%2Fx'>With your university's account</a>",
        "<a href='/go'>Anmelden</a> <a href='/help'>?</a>",
        "<a href='/'>Museum</a><a href='/auth'>Se connecter</a>",
        "<a href='#top'></a><a href='/x'>ログイン</a>",
        "<form action='/account/login'><button>OK</button></form>",
        "<button onclick='go()'>Log in</button>",
    ],
)
def test_a_log_in_as_the_only_link_restricts(way):
    assert rule_of(f"<h1>403</h1>{way}") == "for members"


@pytest.mark.parametrize(
    "body",
    [
        "<h1>403 Forbidden</h1><hr><center>nginx</center>",
        small("You don't have permission to access this resource."),
        small("You do not have permission to view this directory or page."),
        small("You don't have permission to access /report/ on this server."),
        small("Sie haben keine Berechtigung zum Anzeigen dieses Verzeichnisses oder dieser Seite."),
        small("Vous ne disposez pas de l'autorisation d'afficher ce répertoire ou cette page."),
        small("您无权使用所提供的凭据查看此目录或页面。"),
        small("This page was withdrawn by its author."),
        small("Zugriff verweigert."),
        small("Доступ запрещён."),
        small("访问被拒绝"),
        modern("Forbidden", "<a href='/login'>Log in</a><p>This page is not available.</p>"),
        "".join(f"<a href='/{n}'>{n}</a>" for n in ("news", "people", "visit")) + "<a href=/login>",
        modern("Forbidden", "<nav><a href='/intranet'>Intranet</a></nav><p>Withdrawn.</p>"),
        modern("Forbidden", "<!-- you must be logged in --><p>Withdrawn.</p>"),
        "<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>",
    ],
)
def test_a_refusal_of_this_page_only_is_a_failure(body):
    assert rule_of(body) == "bare refusal"


@pytest.mark.parametrize("status", [400, 404, 406, 410, 418])
def test_only_a_403_restricts_by_its_words(status):
    found, _ = found_for(small("You must be logged in to view this page."), status=status)

    assert found.outcome is Outcome.FAILURE


def test_a_wall_that_offers_a_log_in_is_a_wall():
    page = "<h1>You've been blocked by network security.</h1><p>To continue, log in to your account"

    assert rule_of(page) == "bot wall"


def test_a_log_in_with_a_captcha_is_a_log_in_unless_a_product_asks():
    form = "<form><input type=password><p>Confirm that you are not a robot</p></form>"

    assert rule_of(form) == "for members"
    assert rule_of(f"{form}<script>window._cf_chl_opt={{}}</script>") == "bot wall"


def test_the_content_of_a_refusal_is_never_stored_as_the_page():
    found, _ = found_for(modern("Sign in", "<h1>Sign in</h1>"), HTML, status=401)

    assert found.flags == ("restricted",)
    assert found.identity is None
