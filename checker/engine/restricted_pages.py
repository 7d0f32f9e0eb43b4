"""Refusals of pages that are only for people who are signed in or in a given network.

A bare 403 proves nothing. A 403 that asks for a password, whose only link is to sign in, or that
mentions members, rights or a network concerns the client, not the page.
"""

# ruff: noqa: RUF001 (words in their own letters)
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from django.utils.functional import cached_property

from checker.engine.charset import decode, unescape
from checker.engine.gone_words import LOGIN, fold
from checker.engine.page import FetchedPage, words
from checker.engine.phrase_matching import PUNCTUATION, parts_of
from checker.engine.redirect_destinations import is_home_page, is_login
from checker.engine.refusal_words import Phrases
from foundation.net.inflate import inflate

# Headers that ask for authentication: those of SharePoint, Office servers and Nextcloud, and the
# standard one.
_LOGIN_HEADERS = (
    *("x-forms_based_auth_required", "x-forms_based_auth_return_url", "x-idcrl_auth_params_v1"),
    *("x-msdavext_error", "www-authenticate"),
)
# Networks that the client must be in. In lower case, with straight apostrophes, like everything
# below.
_NETWORKS = (
    *("within our network", "inside our network", "from our network", "on-site users"),
    *("on-site only", "on site only", "on our premises", "in the reading room"),
    *("reading rooms", "im lesesaal", "in den lesesälen", "en salle de lecture"),
    *("sala de lectura", "читальном зале", "читального зала", "館内限定", "館内でのみ", "馆内阅览"),
    *("vpn required", "vpn is required", "vpn erforderlich", "vpn requis"),
    *("campus network", "university network", "university's network", "college network"),
    *("library network", "library's network", "institutional network", "institution's network"),
    *("corporate network", "company network", "internal network", "hospital network"),
    *("government network", "school network", "on-campus", "on campus only", "off-campus"),
    *("off campus", "from campus", "campus ip", "intranet", "internal use only"),
    *("internal users", "inside the university", "within the university", "university vpn"),
    *("use the vpn", "use our vpn", "use a vpn", "via vpn", "via the vpn", "through the vpn"),
    *("connect to the vpn", "connected to the vpn", "connect to vpn", "connect via vpn"),
    *("using the vpn", "vpn access", "requires vpn", "require vpn", "ezproxy", "library proxy"),
    *("openathens", "shibboleth", "institutional login", "institutional access"),
    *("your institution", "subscribing institution", "licensed ip", "ip range", "ip ranges"),
    *("campusnetz", "hochschulnetz", "universitätsnetz", "uni-netz", "uninetz", "firmennetz"),
    *(
        "unternehmensnetz",
        "im hausnetz",
        "dem hausnetz",
        "behördennetz",
        "landesnetz",
        "verwaltungsnetz",
    ),
    *("schulnetz", "kliniknetz", "bibliotheksnetz", "institutsnetz", "internen netz"),
    *("lokalen netz", "netz der universität", "netz der hochschule", "netzwerk der universität"),
    *("netzwerk der hochschule", "netz der bibliothek", "nur intern", "nur für interne"),
    *("internen gebrauch", "innerhalb der universität", "innerhalb der hochschule"),
    *("innerhalb des campus", "auf dem campus", "vom campus", "per vpn", "über vpn", "mit vpn"),
    *("über das vpn", "über einen vpn", "vpn-verbindung", "vpn-zugang", "vpn nutzen"),
    *("réseau de l'université", "réseau de l'établissement", "réseau du campus"),
    *("réseau interne", "réseau universitaire", "réseau de l'école", "réseau de l'entreprise"),
    *("réseau de l'institut", "depuis le campus", "sur le campus", "hors campus"),
    *("via le vpn", "par vpn", "par le vpn", "le vpn de", "au vpn", "via un vpn"),
    *("red de la universidad", "red universitaria", "red del campus", "red interna"),
    *("red institucional", "red corporativa", "desde el campus", "dentro del campus"),
    *("fuera del campus", "por vpn", "a través de vpn", "a través de la vpn", "mediante vpn"),
    *("comunidad universitaria", "rete di ateneo", "rete d'ateneo", "rete dell'università"),
    *("rete universitaria", "rete interna", "rete del campus", "rete aziendale", "tramite vpn"),
    *("rede da universidade", "rede interna", "rede do campus", "rede institucional"),
    *("rede universitária", "rede corporativa", "dentro do campus", "campusnetwerk"),
    *("universiteitsnetwerk", "netwerk van de universiteit", "intern netwerk", "sieci uczelni"),
    *("sieci uniwersytet", "sieci wewnętrznej", "sieci kampus", "przez vpn", "sítě univerzity"),
    *("univerzitní sít", "vnitřní sít", "přes vpn", "universitetets nät", "intranät"),
    *("universitetets netværk", "universitetets nett", "yliopiston verko", "kampusverko"),
    *("intranetissä", "kampüs ağı", "üniversite ağı", "kampüs içi", "kampüs dışı", "vpn ile"),
    *("vpn üzerinden", "egyetemi hálózat", "rețeaua universității", "δίκτυο του πανεπιστημίου"),
    *("شبكة الجامعة", "الشبكة الداخلية", "mạng nội bộ", "jaringan kampus", "jaringan internal"),
    *("сети университета", "внутренней сети", "внутреннюю сеть", "локальной сети"),
    *("корпоративной сети", "сети организации", "сети института", "сети библиотеки"),
    *("сети вуза", "интранет", "через vpn", "по vpn", "мережі університету", "внутрішньої мережі"),
    *("校园网", "校園網", "校内网", "校內網", "校园内", "校園內", "校内访问", "校内ip", "校內ip"),
    *("校内用户", "限校内", "限校內", "仅校内", "校外访问", "校外用户", "内网", "內網", "局域网"),
    *("内部网", "內部網", "单位内部", "仅限内部", "通过vpn", "使用vpn", "连接vpn", "webvpn"),
    *("学内から", "学内ネットワーク", "学内lan", "学内限定", "学内専用", "学内のみ", "学外から"),
    *("学外アクセス", "社内から", "社内ネットワーク", "社内限定", "社内専用", "イントラネット"),
    *("vpn接続", "vpnに接続", "vpnを利用", "vpn経由", "교내에서", "교내망", "교내 네트워크"),
    *("교내 ip", "교내ip", "교내 접속", "학내", "사내망", "사내에서", "사내 네트워크", "내부망"),
    *("내부 네트워크", "인트라넷", "vpn을 통해", "vpn 접속", "vpn을 이용", "vpn에 접속"),
)
# Words for the people who may see the page.
_MEMBERS = (
    *("login_required", "authentication credentials were not", "subscribe to continue"),
    *("subscribe to read", "this channel is private", "private group", "private page"),
    *("people in the organi", "people in your organi", "members of the organi"),
    *("members of the university", "members of this", "authentification nécessaire"),
    *("nécessite une connexion", "necesario identificarse", "necesario autenticarse"),
    *("necesario iniciar sesión", "debe estar registrado", "debes estar registrado"),
    *("musisz być zalogowany", "wymaga zalogowania", "только для читателей"),
    *("только для студентов", "только после авторизации", "нужно авторизоваться"),
    *("you must be logged in", "you must log in", "you must login", "you must sign in"),
    *("you must be signed in", "need to be logged in", "need to log in", "need to login"),
    *("need to sign in", "need to be signed in", "have to log in", "have to sign in"),
    *("have to be logged in", "please log in", "please login", "please sign in", "log in to view"),
    *("log in to continue", "log in to access", "log in to see", "log in to proceed"),
    *("log in to read", "sign in to read", "login to read", "log in to open", "sign in to open"),
    *("log in to download", "sign in to download", "available to customers", "support contract"),
    *("content is restricted", "restricted content"),
    *("login to view", "login to continue", "login to access", "sign in to view"),
    *("sign in to continue", "sign in to access", "sign in to see", "login required"),
    *("log-in required", "sign-in required", "sign in required", "authentication required"),
    *("authentication is required", "requires authentication", "requires login"),
    *("requires a login", "requires you to log in", "requires you to sign in", "members only"),
    *("members-only", "only members", "only for members", "available to members"),
    *("available to subscribers", "available to registered", "available to authori"),
    *("reserved for members", "limited to members", "restricted to members", "subscribers only"),
    *("for subscribers", "registered users", "limited to users in", "staff only"),
    *("employees only", "staff and students", "students and staff", "this page is private"),
    *("this site is private", "this wiki is private", "this repository is private"),
    *("this group is private", "this blog is private", "this content is private"),
    *("this document is private", "this space is private", "this file is private"),
    *("this project is private", "private repository", "private wiki", "private workspace"),
    *("you need access", "you need permission", "need permission to", "request access"),
    *("ask for access", "request permission", "shared with you", "has not been shared"),
    *("hasn't been shared", "password protected", "password-protected", "access is restricted to"),
    *("access restricted to", "access limited to", "authorized users only"),
    *("authorised users only", "authorized personnel", "authorised personnel"),
    *("melden sie sich", "melde dich an", "bitte anmelden", "bitte einloggen", "loggen sie sich"),
    *("sie müssen sich anmelden", "müssen angemeldet", "müssen eingeloggt", "musst angemeldet"),
    *("musst eingeloggt", "müssen sie sich", "anmeldung erforderlich", "anmeldung notwendig"),
    *("login erforderlich", "nur für mitglieder", "nur mitglieder", "nur für angemeldete"),
    *("nur angemeldete", "nur für registrierte", "nur für mitarbeit", "nur für abonnent"),
    *("nur für angehörige", "mitgliedern vorbehalten", "geschützter bereich"),
    *("geschlossener bereich", "interner bereich", "passwortgeschützt", "mitgliederbereich"),
    *("nur für berechtigte", "nicht angemeldet", "nicht eingeloggt"),
    *("vous devez vous connecter", "devez être connecté", "veuillez vous connecter"),
    *("connectez-vous", "merci de vous connecter", "identifiez-vous", "veuillez vous identifier"),
    *("authentification requise", "connexion requise", "réservé aux", "réservée aux"),
    *("réservé à nos", "accès réservé", "espace membre", "accès restreint aux"),
    *("protégé par mot de passe", "protégée par un mot de passe", "contenu privé", "page privée"),
    *("debe iniciar sesión", "debes iniciar sesión", "inicie sesión", "inicia sesión"),
    *("iniciar sesión para", "necesita iniciar sesión", "necesitas iniciar sesión"),
    *("debe identificarse", "debe autenticarse", "solo para miembros", "sólo para miembros"),
    *("exclusivo para", "solo para suscriptores", "sólo para suscriptores"),
    *("usuarios registrados", "usuarios autorizados", "acceso restringido a", "área privada"),
    *("contenido privado", "página privada", "devi effettuare il login", "devi accedere"),
    *("effettua il login", "effettuare il login", "effettuare l'accesso", "accedi per"),
    *("necessario autenticarsi", "necessario accedere", "riservato agli", "riservato ai"),
    *("riservata agli", "riservata ai", "area riservata", "accesso riservato", "faça login"),
    *("faça o login", "fazer login para", "precisa estar logado", "inicie sessão"),
    *("iniciar sessão para", "efetue login", "somente para membros", "apenas para membros"),
    *("acesso restrito a", "área restrita", "utilizadores registados", "usuários cadastrados"),
    *("moet inloggen", "log in om", "inloggen om", "alleen voor leden", "ingelogd zijn"),
    *("musisz się zalogować", "zaloguj się", "wymagane logowanie", "tylko dla zalogowanych"),
    *("tylko dla członków", "tylko dla pracowników", "musíte se přihlásit", "přihlaste se"),
    *("pouze pro přihlášené", "pouze pro členy", "prihláste sa", "måste logga in"),
    *("logga in för att", "endast för medlemmar", "skal logge ind", "må logge inn"),
    *("logg inn for å", "log ind for at", "kun for medlemmer", "kirjaudu sisään"),
    *("vain jäsenille", "giriş yapmanız", "giriş yapmalısınız", "üyelere özel", "sadece üyeler"),
    *("jelentkezzen be", "csak tagok", "trebuie să vă autentificați", "πρέπει να συνδεθείτε"),
    *("vui lòng đăng nhập", "cần đăng nhập", "silakan masuk", "silakan login"),
    *("يجب تسجيل الدخول", "الرجاء تسجيل الدخول", "יש להתחבר", "وارد شوید"),
    *("только для сотрудников", "только сотрудникам", "только для зарегистрированных"),
    *("только зарегистрированным", "только для авторизованных", "только авторизованным"),
    *("только для членов", "только для участников", "только для подписчиков"),
    *("необходимо авторизоваться", "необходимо войти", "нужно войти", "требуется авторизация"),
    *("необходима авторизация", "войдите, чтобы", "войдите в", "авторизуйтесь", "увійдіть"),
    *("тільки для зареєстрованих", "лише для зареєстрованих", "请先登录", "請先登入", "请登录"),
    *("請登入", "登录后", "登入後", "需要登录", "需要登入", "需登录", "未登录", "仅限会员"),
    *("会员专享", "仅对会员", "限會員", "仅限内部人员", "ログインしてください"),
    *("ログインが必要", "ログインしてから", "ログイン後", "会員限定", "会員専用", "会員のみ"),
    *("関係者以外", "関係者限定", "関係者のみ", "限定公開", "로그인이 필요", "로그인 후"),
    *("로그인하", "로그인 하", "로그인해", "회원 전용", "회원전용", "회원만", "관계자 외"),
    *("представиться системе", "oturum açmanız", "необхідно увійти", "потрібно увійти"),
)
# Rights that the reader lacks: a privilege, a subscription, enrolment in a course. For files that
# nobody may see, servers say: "you don't have permission to access this resource" or "… to view
# this directory".
_RIGHTS = (
    *("privileges are required", "privileges required", "required privileges"),
    *("required permissions", "sufficient privileges", "sufficient permissions"),
    *(
        "sufficient rights",
        "necessary permissions",
        "necessary privileges",
        "appropriate privileges",
    ),
    *("appropriate permissions", "permission to view this object", "permission to view this page"),
    *(
        "permission to view this topic",
        "permission to view this thread",
        "permission to view this forum",
    ),
    *(
        "permission to view this post",
        "permission to view this content",
        "permission to view this profile",
    ),
    *(
        "permission to view this course",
        "permission to view this project",
        "permission to view this issue",
    ),
    *(
        "permission to view this task",
        "permission to view this document",
        "permission to view this board",
    ),
    *(
        "permission to view this record",
        "permission to view this item",
        "permission to view this group",
    ),
    *("permission to read this", "permission to see this", "rights to view this", "rights to see"),
    *("restricted to subscribers", "restricted to registered", "restricted to staff"),
    *(
        "restricted to students",
        "restricted to employees",
        "restricted to users",
        "only subscribers",
    ),
    *("subscription required", "subscription is required", "requires a subscription"),
    *("subscription to access", "paid subscribers", "paying subscribers"),
    *("paying members", "paid members", "premium members", "membership required"),
    *("membership is required", "requires membership", "requires a membership", "must be a member"),
    *("not a member of this", "not enrolled", "be enrolled in", "enrol in this", "enroll in this"),
    # German, Dutch, Scandinavian, Finnish
    *("ausreichenden rechte", "ausreichende rechte", "ausreichende berechtigung"),
    *(
        "ausreichenden berechtigung",
        "notwendigen rechte",
        "erforderlichen rechte",
        "nötigen rechte",
    ),
    *("notwendigen berechtigung", "erforderlichen berechtigung", "nötigen berechtigung"),
    *(
        "fehlende berechtigung",
        "fehlen die rechte",
        "fehlt die berechtigung",
        "nicht eingeschrieben",
    ),
    *("nur für kursteilnehmer", "nur für teilnehmer", "abonnement erforderlich", "nur mit abo"),
    *("mitgliedschaft erforderlich", "voldoende rechten", "voldoende machtigingen"),
    *(
        "abonnement vereist",
        "alleen voor abonnees",
        "niet ingeschreven",
        "tillräckliga rättigheter",
    ),
    *("tillräcklig behörighet", "endast för prenumeranter", "tilstrækkelige rettigheder"),
    *("tilstrækkelige tilladelser", "kun for abonnenter", "tilstrekkelige rettigheter"),
    *("riittäviä oikeuksia", "riittävät oikeudet", "vain tilaajille"),
    # French, Spanish, Italian, Portuguese, Romanian
    *(
        "droits suffisants",
        "permissions suffisantes",
        "privilèges suffisants",
        "permissions requises",
    ),
    *("privilèges requis", "abonnement requis", "abonnement nécessaire", "abonnés uniquement"),
    *("pas inscrit à ce", "pas inscrite à ce", "permisos suficientes", "suficientes permisos"),
    *("privilegios suficientes", "suficientes privilegios", "permisos necesarios"),
    *("requiere suscripción", "requiere una suscripción", "suscripción requerida"),
    *("solo suscriptores", "sólo suscriptores", "inscrito en este curso", "matriculado en"),
    *("permessi sufficienti", "privilegi sufficienti", "permessi necessari", "privilegi necessari"),
    *("abbonamento richiesto", "richiede un abbonamento", "solo per abbonati", "iscritto a questo"),
    *("permissões suficientes", "permissão suficiente", "privilégios suficientes"),
    *("permissões necessárias", "requer assinatura", "para assinantes", "inscrito neste curso"),
    *("matriculado neste", "permisiuni suficiente", "drepturi suficiente", "doar pentru abonați"),
    # Slavic, Hungarian, Greek, Turkish
    *("wystarczających uprawnień", "odpowiednich uprawnień", "wymaganych uprawnień"),
    *("tylko dla prenumerat", "tylko dla subskryb", "zapisany na ten kurs", "dostatečná práva"),
    *("dostatečná oprávnění", "potřebná oprávnění", "potřebná práva", "pouze pro předplatitele"),
    *("dostatočné práva", "dostatočné oprávneni", "potrebné oprávneni", "len pre predplatiteľov"),
    *("недостаточно прав", "необходимых прав", "достаточных прав", "требуется подписка"),
    *("только по подписке", "доступно по подписке", "не записаны на курс", "недостатньо прав"),
    *("необхідних прав", "лише для передплатників", "недостатъчни права", "само за абонати"),
    *("nemate dovoljna prava", "samo za pretplatnike", "megfelelő jogosults", "csak előfizető"),
    *("επαρκή δικαιώματα", "απαραίτητα δικαιώματα", "μόνο για συνδρομητές", "yeterli yetki"),
    *("gerekli yetki", "abonelere özel", "sadece abone"),
    # Asia, Arabic, Hebrew
    *("权限不足", "權限不足", "阅读权限", "閱讀權限", "所在的用户组", "所在的用戶組", "仅限订阅"),
    *(
        "订阅后",
        "訂閱後",
        "付费会员",
        "付費會員",
        "未选修",
        "権限が不足",
        "閲覧権限",
        "閲覧する権限",
    ),
    *("有料会員", "購読者限定", "受講登録", "열람 권한", "읽기 권한", "읽을 권한", "조회 권한"),
    *("권한이 부족", "구독자 전용", "수강생만", "không đủ quyền", "không có quyền xem"),
    *("izin untuk melihat", "khusus pelanggan", "صلاحيات كافية", "الصلاحيات الكافية"),
    *("للمشتركين فقط", "دسترسی کافی", "ویژه مشترکین", "הרשאות מתאימות", "הרשאות מספיקות"),
    *("למנויים בלבד",),
    # The right to view or read the page, in languages other than English
    *("keine berechtigung, diese", "keine berechtigung diese", "keine rechte, diese"),
    *("droits pour consulter", "droits pour voir", "permission de lire", "permission de voir"),
    *("autorisé à voir", "autorisé à consulter", "permiso para ver", "permisos para ver"),
    *("permiso para leer", "autorizado a ver", "autorizado para ver", "permissão para ver"),
    *("permissão para visualizar", "permissão para ler", "autorização para ver"),
    *("permesso di vedere", "permesso di leggere", "permessi per visualizzare"),
    *("autorizzato a visualizzare", "autorizzato a vedere", "rechten om deze"),
    *("toestemming om deze", "gemachtigd om deze", "behörighet att se", "behörighet att visa"),
    *("behörighet att läsa", "rettigheder til at se", "tilladelse til at se"),
    *("rettigheter til å se", "tillatelse til å se", "oikeutta nähdä", "oikeuksia nähdä"),
    *("oikeutta katsella", "uprawnień do przeglądania", "uprawnień do wyświetl"),
    *("uprawnień do oglądania", "oprávnění k zobrazení", "oprávnění zobrazit"),
    *("oprávnenie na zobraz", "jogosultsága az oldal", "jogosultsága megtekinteni"),
    *("permisiunea de a vizualiza", "permisiunea de a vedea", "dreptul de a vizualiza"),
    *("прав для просмотра", "прав на просмотр", "прав просматривать", "прав для перегляду"),
    *("прав на перегляд", "görüntüleme yetkiniz", "görme yetkiniz", "görüntüleme izniniz"),
    *("δικαίωμα να δείτε", "άδεια να δείτε", "を表示する権限", "を見る権限"),
    *("볼 수 있는 권한", "볼 권한", "열람할 권한", "没有权限查看", "没有权限浏览"),
    *("權限閱讀", "權限檢視", "權限查看", "صلاحية لعرض", "صلاحية عرض", "إذن لعرض"),
    *("הרשאה לצפות", "הרשאה לראות", "اجازه دیدن", "اجازه مشاهده", "สิทธิ์ดู", "देखने की अनुमति"),
    # Groups of users of a wiki
    *("beschränkt auf benutzer", "qu'aux utilisateurs du groupe", "limitada a los usuarios"),
    *("limitado a usuarios", "limitata agli utenti", "limitada a utilizadores"),
    *("beperkt tot gebruikers", "jedynie użytkownicy", "могут выполнять только участники"),
    *("グループの利用者", "以下用户组", "以下用戶組", "begränsad till användare"),
    # Communities by invitation, private profiles, adults
    *("invitation only", "invite only", "invite-only", "by invitation", "nur auf einladung"),
    *("sur invitation", "solo por invitación", "solo su invito", "somente para convidados"),
    *("profile is private", "account is private", "community is private", "only followers can"),
    *("not allowed to see this", "not allowed to view this", "the owner for permission"),
    *("profil ist privat", "profil est privé", "perfil es privado", "perfil é privado"),
    *("confirm your age", "verify your age", "age verification", "altersprüfung"),
    *("altersverifikation", "vérification de l'âge", "verificación de edad", "verifica dell'età"),
)
_PHRASES = Phrases({"network": _NETWORKS, "members": (*_MEMBERS, *_RIGHTS)})
_MAX_READ = 8000  # characters of a refusal that are read
_LINK = re.compile(r"<(?:a|form|button)\b([^<>]{0,2000})>")
_ADDRESS = re.compile(r"(?:href|action)\s{0,3}=\s{0,3}[\"']?([^\"'\s<>]{0,1000})")
_MAX_LINKS = 20  # of a refusal that has no menu
_MAX_LINK_TEXT = 100  # characters
_MAX_OTHER_LINKS = 1  # links other than the home page and the login page
_NON_PAGE_PREFIXES = ("#", "javascript:", "mailto:", "tel:", "data:")
_PLAIN_LETTERS = str.maketrans({"’": "'", "ё": "е"})


@dataclass(frozen=True)
class BareRefusal:
    """A response that refuses a page; `page` is its HTML, if any."""

    headers: Mapping[str, str]
    body: bytes
    page: FetchedPage | None

    @cached_property
    def _words(self) -> str:
        """The words in lower case.

        The only links included are those to sign in, because menus have many links.
        """
        if self.page is not None:
            first, *others = self.page.markup.split("<a ")
            text = words("".join((first, *map(_without_link, others)))[: 4 * _MAX_READ])
        else:
            content_type = self.headers.get("content-type", "")
            encoding = self.headers.get("content-encoding", "")
            body = inflate(self.body[:_MAX_READ], encoding=encoding)
            source = decode(body, content_type=content_type)
            text = " ".join(unescape(source).lower().split())
        return text[:_MAX_READ].translate(_PLAIN_LETTERS)

    @cached_property
    def login_or_network_mark(self) -> str | None:
        """A certain mark that the page is only for people who are signed in, or for a network."""
        for name in _LOGIN_HEADERS:
            if name in self.headers:
                return f"log-in: header {name}"
        if self.page is not None and self.page.asks_for_password:
            return "log-in: a password field"
        network = self._phrases.get("network")
        return f"network: {network}" if network else None

    @cached_property
    def members_mark(self) -> str | None:
        """The mark of words, a title or a link that asks the reader to sign in, or None."""
        if phrase := self._phrases.get("members"):
            return f"members: {phrase}"
        if self.page is None:
            return None
        for part in (*parts_of(self.page.title), fold(self.page.title)):
            if LOGIN.fullmatch(part.strip(PUNCTUATION)):
                return f"log-in: title {self.page.title}"
        return _find_login_link(self.page)

    @cached_property
    def _phrases(self) -> dict[str, str]:
        return _PHRASES.first_of_each(self._words)


def _without_link(part: str) -> str:
    """Return what follows a link in markup, and the link's words if they say "log in"."""
    link, _, rest = part.partition("</a")
    text = words(link.partition(">")[2][:_MAX_LINK_TEXT])
    return f"{text if LOGIN.fullmatch(fold(text)) else ''} {rest.partition('>')[2]}"


def _find_login_link(page: FetchedPage) -> str | None:
    """Return the mark of a link to sign in; None if there is none, or more than one other link."""
    login_link, others = None, 0
    for url, text in islice(_links(page.markup), _MAX_LINKS + 1):
        if is_login(url) or (text and LOGIN.search(fold(text))):
            login_link = login_link or f"log-in: the only link, {url or text}"
        elif url and not url.startswith(_NON_PAGE_PREFIXES) and not is_home_page(url):
            others += 1
    return login_link if others <= _MAX_OTHER_LINKS else None


def _links(markup: str) -> Iterator[tuple[str, str]]:
    """Yield the addresses and words of links, forms and buttons; each may be empty."""
    for match in _LINK.finditer(markup):
        href = _ADDRESS.search(match[1])
        is_form = match[0].startswith("<form")
        end = markup.find("<" if is_form else "</", match.end(), match.end() + 10 * _MAX_LINK_TEXT)
        text = "" if is_form or end < 0 else words(markup[match.end() : end])[:_MAX_LINK_TEXT]
        yield unescape(href[1]) if href else "", text
