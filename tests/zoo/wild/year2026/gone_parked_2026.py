"""Parking, registrars' and fresh servers' pages of 2026, with a 200 unless a case says more."""

# ruff: noqa: RUF001
from collections.abc import Iterator

from tests.zoo.wild.case import ELSE, Case, Reply, gone, html, only, plain, redirect
from tests.zoo.wild.year2026.forms import document, document_reply

_FLAGS = ("parked", "error_page", "same_for_all")
_D = "$HOST"

_PARKING: dict[str, tuple[str, Reply]] = {
    "Xserver's first page": (
        "Xserver: サーバー初期ページ",
        document_reply(
            "エックスサーバー サーバー初期ページ",
            f"<h1>{_D}</h1><p>このウェブスペースへは、まだホームページがアップロードされていません"
            f"。</p>",
            lang="ja",
        ),
    ),
    "Xserver's domain without a site": (
        "Xserver Domain: このドメインは取得されています",
        document_reply(
            "Xserverドメイン",
            f"<p>{_D} は、Xserverドメインで取得されています。</p><p>ドメインを取得するなら</p>",
            lang="ja",
        ),
    ),
    "Sakura's first page": (
        "Sakura Internet: さくらのレンタルサーバ, index of nothing",
        document_reply(
            "さくらのレンタルサーバ",
            "<h1>さくらのレンタルサーバ</h1><p>このサーバにはまだコンテンツが公開されていません"
            "。</p>",
            lang="ja",
        ),
    ),
    "Sakura's domain that is held": (
        "Sakura Internet: ドメイン取得",
        document_reply(
            f"{_D}",
            "<p>このドメインは、さくらインターネットで取得されています。現在ウェブサイトは公開され"
            "ていません。</p>",
            lang="ja",
        ),
    ),
    "Onamae's parking": (
        "GMO Onamae.com: このドメインはお名前.comで取得されています",
        document_reply(
            "このドメインはお名前.comで取得されています。",
            "<h1>このドメインはお名前.comで取得されています。</h1><p>お名前.com は GMO"
            " インターネットグループが運営しています</p>",
            lang="ja",
        ),
    ),
    "IONOS parks it": (
        "IONOS: Diese Domain ist bereits registriert",
        document_reply(
            _D,
            "<h1>Diese Domain ist bereits registriert.</h1><p>Sie möchten auch eine eigene Domain?"
            " Jetzt bei IONOS Wunschdomain finden.</p>",
            lang="de",
        ),
    ),
    "IONOS says already registered": (
        "IONOS, English",
        document_reply(
            f"{_D} is already registered",
            f"<h1>{_D}</h1><p>This domain name has been registered with IONOS. If you are the"
            " owner, log in to start your website.</p>",
        ),
    ),
    "IONOS in Spanish": (
        "IONOS, Spanish",
        document_reply(
            _D,
            "<h1>¡Este dominio ya ha sido registrado!</h1><p>Registra tu dominio con IONOS.</p>",
            lang="es",
        ),
    ),
    "OVH congratulates": (
        "OVH: Félicitations ! Votre domaine a bien été créé",
        document_reply(
            "Félicitations ! Votre domaine a bien été créé chez OVHcloud !",
            "<h1>Félicitations !</h1><p>Votre domaine a bien été créé chez OVHcloud. Par quoi"
            " commencer ?</p>",
            lang="fr",
        ),
    ),
    "OVH congratulates, in English": (
        "OVH: Congratulations! Your domain has been created",
        document_reply(
            "Congratulations! Your domain has been successfully created with OVHcloud!",
            "<h1>Congratulations!</h1><p>You can now set up your website and e-mail.</p>",
        ),
    ),
    "OVH's hosting without a site": (
        "OVH: Site en construction",
        document_reply(
            "Site en construction",
            "<h1>Site en construction</h1><p>Ce site est hébergé par OVHcloud et n'a pas encore été"
            " publié.</p>",
            lang="fr",
        ),
    ),
    "United Domains parks it": (
        "United Domains: Domain im Kundenauftrag registriert",
        document_reply(
            "Domain im Kundenauftrag registriert",
            f"<h1>{_D}</h1><p>Diese neue Domain wurde im Kundenauftrag registriert. Hier"
            " entsteht in Kürze eine neue Webpräsenz.</p>",
            lang="de",
        ),
    ),
    "United Domains' reserved address": (
        "United Domains: udag, reserviert",
        document_reply(
            "Domain reserviert",
            "<frameset><p>Die Domain ist über united-domains reserviert. Sichern Sie sich jetzt"
            " Ihre eigene Domain.</p></frameset>",
            lang="de",
        ),
    ),
    "Beget has no folder for it": (
        "Beget: Домен не прилинкован ни к одной из директорий на сервере",
        document_reply(
            "Домен не прилинкован ни к одной из директорий на сервере!",
            "<h1>Домен не прилинкован ни к одной из директорий на сервере!</h1><p>Прилинковать"
            " домен можно в Панели управления.</p>",
            lang="ru",
        ),
    ),
    "Beget's site is created": (
        "Beget: Новый сайт успешно создан и готов к работе",
        document_reply(
            "Новый сайт успешно создан и готов к работе",
            "<h1>Новый сайт успешно создан и готов к работе</h1><p>Загрузите файлы сайта.</p>",
            lang="ru",
        ),
    ),
    "a Russian registrar's shop window": (
        "reg.ru: Срок регистрации домена истёк; domain lists of crawlers",
        document_reply(
            "Срок подключения домена истёк",
            f"<h1>{_D}</h1><p>Срок подключения домена истёк. Если вы владелец, продлите"
            f" услугу.</p>",
            lang="ru",
        ),
    ),
    "a Russian domain for sale": (
        "Russian parking: Домен продаётся",
        document_reply(
            f"Домен {_D} продаётся",
            f"<h1>Домен {_D} продаётся</h1><p>Цена: 49 000 ₽. Купить домен.</p>",
            lang="ru",
        ),
    ),
    "Dynadot parks it": (
        "Dynadot: parking and for sale",
        document_reply(
            f"{_D}",
            f"<h1>{_D}</h1><p>This domain is registered at Dynadot.com. Website coming soon.</p>",
        ),
    ),
    "Dynadot sells it": (
        "Dynadot marketplace",
        document_reply(
            f"{_D} is for sale",
            f"<h1>{_D} is for sale!</h1><p>Buy now $1,488 or make an offer at Dynadot.</p>",
        ),
    ),
    "NameSilo parks it": (
        "NameSilo: This domain is registered at NameSilo",
        document_reply(_D, f"<h1>{_D}</h1><p>This domain is registered at NameSilo.</p>"),
    ),
    "Spaceship sells it": (
        "Spaceship SellerHub, 2026",
        document_reply(
            f"{_D} on Spaceship", f"<h1>{_D}</h1><p>This domain is for sale. Buy it now.</p>"
        ),
    ),
    "Atom sells it": (
        "Atom.com, formerly Squadhelp",
        document_reply(f"{_D} is for sale | Atom", f"<h1>{_D}</h1><p>Premium domain for sale.</p>"),
    ),
    "GoDaddy's lander of 2026": (
        "GoDaddy: a script to /lander",
        html(
            "<!DOCTYPE html><html><head><script>window.onload=function(){window.location.href="
            '"/lander?oref="+encodeURIComponent(document.referrer)}</script></head></html>'
        ),
    ),
    "Porkbun parks it": (
        "Porkbun",
        document_reply(
            f"{_D} | parked domain",
            f"<h1>{_D}</h1><p>A brand new domain! Congratulations on your new domain! It is parked"
            " at Porkbun.</p>",
        ),
    ),
}

_SERVERS: dict[str, tuple[str, Reply]] = {
    "Render's page of a suspended service, 200": (
        "Render: Service Suspended with a 200 (bug threads)",
        document_reply("Service Suspended", "This service has been suspended by its owner."),
    ),
    "Caddy's first page": (
        "Caddy: Caddy works!",
        document_reply(
            "Caddy works!",
            "<h1>Congratulations!</h1><p>Your web server is working. Now make it work for you."
            " &#128170;</p><p>Caddy is ready to serve your site over HTTPS.</p>",
        ),
    ),
    "Caddy's shortest page": (
        "Caddy's tests: a static response",
        plain("Congratulations! Your web server is working."),
    ),
    "LiteSpeed's first page": (
        "OpenLiteSpeed: Congratulation",
        document_reply(
            "Welcome to Open LiteSpeed Web Server",
            "<h1>Congratulation</h1><p>You have successfully installed the OpenLiteSpeed Web"
            " Server!</p>",
            "Server: LiteSpeed",
        ),
    ),
    "LiteSpeed's page without a site": (
        "CyberPanel: CyberPanel Installed",
        document_reply(
            "CyberPanel Installed", "<h1>CyberPanel Installed</h1>", "Server: LiteSpeed"
        ),
    ),
    "DirectAdmin's first page": (
        "DirectAdmin: the new user's index.html",
        html(
            "<html>\n<head><title>$HOST</title></head>\n<body>\n<div align=center><b>Website"
            " $HOST</b><br>Under Construction<br><small>This page is generated by <a href='http://"
            "www.directadmin.com'>DirectAdmin</a></small></div></body></html>"
        ),
    ),
    "DirectAdmin's page of a shared address": (
        "DirectAdmin: Apache is functioning normally",
        html("<html><body>Apache is functioning normally</body></html>"),
    ),
    "HestiaCP's first page": (
        "HestiaCP: Success! Your new web server is ready to use.",
        document_reply(
            "Success!", "<h1>$HOST</h1><p>Success! Your new web server is ready to use.</p>"
        ),
    ),
    "ISPConfig's first page": (
        "ISPConfig: Welcome to your website!",
        document_reply(
            "Welcome!",
            "<h1>Welcome to your website!</h1><p>This is the default index page of your website."
            "</p><p>Powered by ISPConfig</p>",
        ),
    ),
    "a panel of Chinese hosts says that it works": (
        "Baota panel: 恭喜，站点创建成功！",
        document_reply(
            "恭喜，站点创建成功！",
            "<h1>恭喜, 站点创建成功！</h1><p>这是默认index.html，本页面由系统自动生成</p>",
            lang="zh",
        ),
    ),
    "Tomcat's first page": (
        "Apache Tomcat",
        document_reply(
            "Apache Tomcat/10.1.19",
            "<h2>If you're seeing this, you've successfully installed Tomcat."
            " Congratulations!</h2>",
        ),
    ),
    "WordPress's first page": (
        "WordPress: just another site that was never filled",
        html(
            document(
                f"{_D} – Just another WordPress site",
                "<h2>Hello world!</h2><p>Welcome to WordPress. This is your first post. Edit or"
                " delete it, then start writing!</p>",
            )
        ),
    ),
}


def _sent() -> Iterator[Case]:
    """Yield domains that lead to a parking service's own address."""
    for name, host, location in (
        (
            "sent to Dynadot's market",
            "old-lock.example",
            "http://www.dynadot.example:PORT/market/old-lock",
        ),
        ("sent to a lander of its own", "old-weir.example", "/lander"),
        (
            "sent to a counter of visitors",
            "old-quay.example",
            "http://ww25.old-quay.example:PORT/?subid1=2026",
        ),
    ):
        offer = document_reply(
            f"{host} is for sale", f"<h1>{host}</h1><p>This domain is for sale.</p>"
        )
        other = location.split("/")[2].split(":")[0] if "//" in location else ""
        site = {ELSE: redirect(location)}
        if not other:
            site[location] = offer
        others = {other: only(offer)} if other else {}
        yield gone(
            name, "parking by redirect", site, *_FLAGS, "home_page", host=host, others=others
        )


CASES: list[Case] = [
    *(
        gone(name, f"public form: {who}", only(reply), *_FLAGS)
        for name, (who, reply) in {**_PARKING, **_SERVERS}.items()
    ),
    *_sent(),
]
