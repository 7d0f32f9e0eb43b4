"""Whole pages of the makes that links meet most, with their menus, footers and scripts."""

# ruff: noqa: E501, RUF001
from collections.abc import Callable
from dataclasses import dataclass

from tests.zoo.wild.case import ELSE, Answer, Reply, Site, html

# What pages are about, by language: ordinary text that speaks of no error.
TEXT = {
    "en": "<p>The allotments behind the railway opened in 1908 and still number forty-two. Each is ten rods long, and the rent is paid on Lady Day. Most holders grow potatoes, leeks and sweet peas; two keep bees.</p><p>The society meets in the old signal box on the first Tuesday of the month. Visitors are welcome at the plant sale in May, when surplus seedlings go for a few coins.</p>",
    "de": "<p>Der Verein wurde 1908 gegründet und zählt heute zweiundvierzig Parzellen. Angebaut werden vor allem Kartoffeln, Lauch und Wicken; zwei Pächter halten Bienen.</p><p>Die Versammlung findet am ersten Dienstag im Monat im alten Stellwerk statt. Gäste sind beim Pflanzenmarkt im Mai herzlich willkommen.</p>",
    "fr": "<p>L'association a été fondée en 1908 et compte aujourd'hui quarante-deux parcelles. On y cultive surtout des pommes de terre, des poireaux et des pois de senteur.</p><p>Les réunions ont lieu le premier mardi du mois dans l'ancien poste d'aiguillage. La vente de plants du mois de mai est ouverte à tous.</p>",
    "es": "<p>La asociación se fundó en 1908 y reúne hoy cuarenta y dos huertos. Se cultivan sobre todo patatas, puerros y guisantes de olor.</p><p>Las reuniones se celebran el primer martes de cada mes en la antigua caseta de señales. El mercadillo de plantas de mayo está abierto a todos.</p>",
    "it": "<p>L'associazione è nata nel 1908 e conta oggi quarantadue orti. Si coltivano soprattutto patate, porri e piselli odorosi.</p><p>Le riunioni si tengono il primo martedì del mese nella vecchia cabina degli scambi.</p>",
    "pt": "<p>A associação foi fundada em 1908 e reúne hoje quarenta e duas hortas. Cultivam-se sobretudo batatas, alhos-porros e ervilhas-de-cheiro.</p><p>As reuniões acontecem na primeira terça-feira de cada mês na antiga cabine de sinalização.</p>",
    "nl": "<p>De vereniging werd in 1908 opgericht en telt vandaag tweeënveertig tuinen. Er groeien vooral aardappelen, prei en lathyrus.</p><p>De vergadering is elke eerste dinsdag van de maand in het oude seinhuis. Op de plantenmarkt in mei is iedereen welkom.</p>",
    "sv": "<p>Föreningen bildades 1908 och har i dag fyrtiotvå lotter. Här odlas mest potatis, purjolök och luktärter.</p><p>Mötena hålls första tisdagen i månaden i det gamla ställverket. Till växtmarknaden i maj är alla välkomna.</p>",
    "pl": "<p>Stowarzyszenie powstało w 1908 roku i liczy dziś czterdzieści dwie działki. Uprawia się głównie ziemniaki, pory i groszek pachnący.</p><p>Zebrania odbywają się w pierwszy wtorek miesiąca w dawnej nastawni.</p>",
    "cs": "<p>Spolek byl založen roku 1908 a má dnes dvaačtyřicet zahrádek. Pěstují se hlavně brambory, pórek a hrachor.</p><p>Schůze se konají první úterý v měsíci ve starém stavědle.</p>",
    "ru": "<p>Товарищество основано в 1908 году и насчитывает сегодня сорок два участка. Выращивают в основном картофель, лук-порей и душистый горошек.</p><p>Собрания проходят в первый вторник месяца в бывшей будке стрелочника.</p>",
    "uk": "<p>Товариство засноване 1908 року і має сьогодні сорок дві ділянки. Вирощують переважно картоплю, порей і запашний горошок.</p>",
    "tr": "<p>Dernek 1908 yılında kuruldu ve bugün kırk iki bahçesi var. En çok patates, pırasa ve kokulu bezelye yetiştirilir.</p><p>Toplantılar her ayın ilk salı günü eski makasçı kulübesinde yapılır.</p>",
    "ar": "<p>تأسست الجمعية عام 1908 وتضم اليوم اثنتين وأربعين حديقة. يزرع الأعضاء البطاطا والكراث والبازلاء العطرية.</p><p>تُعقد الاجتماعات في أول ثلاثاء من كل شهر.</p>",
    "fa": "<p>این انجمن در سال ۱۹۰۸ بنیاد نهاده شد و امروز چهل و دو باغچه دارد. بیشتر سیب‌زمینی، تره‌فرنگی و نخود معطر می‌کارند.</p><p>جلسه‌ها نخستین سه‌شنبهٔ هر ماه برگزار می‌شود.</p>",
    "vi": "<p>Hội được thành lập năm 1908 và hiện có bốn mươi hai mảnh vườn. Người ta trồng chủ yếu khoai tây, tỏi tây và đậu hoa.</p><p>Các buổi họp diễn ra vào thứ Ba đầu tiên của tháng.</p>",
    "zh": "<p>协会成立于1908年，现有四十二块园地，主要种植土豆、韭葱和香豌豆。</p><p>每月第一个星期二在旧信号楼集会，五月的苗木集市欢迎各界人士参加。</p>",
    "ja": "<p>当会は一九〇八年に発足し、現在四十二の区画があります。じゃがいも、ねぎ、スイートピーが主に育てられています。</p><p>例会は毎月第一火曜日に旧信号所で行われます。</p>",
    "ko": "<p>이 모임은 1908년에 만들어져 지금은 마흔두 개의 텃밭이 있습니다. 주로 감자와 대파, 스위트피를 기릅니다.</p><p>모임은 매달 첫째 화요일에 옛 신호소에서 열립니다.</p>",
    "id": "<p>Perkumpulan ini berdiri pada 1908 dan kini memiliki empat puluh dua petak kebun. Tanaman utamanya kentang, daun bawang dan kacang polong.</p>",
    "el": "<p>Ο σύλλογος ιδρύθηκε το 1908 και έχει σήμερα σαράντα δύο κήπους. Καλλιεργούνται κυρίως πατάτες, πράσα και μοσχομπίζελα.</p>",
    "hu": "<p>Az egyesület 1908-ban alakult, ma negyvenkét kertje van. Főleg burgonyát, póréhagymát és szagosbükkönyt termesztenek.</p>",
}
_MENU = {
    "en": ("Home", "About us", "Shop", "Blog", "Contact"),
    "de": ("Startseite", "Über uns", "Angebote", "Blog", "Kontakt"),
    "fr": ("Accueil", "Qui sommes-nous", "Boutique", "Actualités", "Contact"),
    "es": ("Inicio", "Nosotros", "Tienda", "Blog", "Contacto"),
    "it": ("Home", "Chi siamo", "Negozio", "Notizie", "Contatti"),
    "pt": ("Início", "Sobre nós", "Loja", "Notícias", "Contato"),
    "nl": ("Home", "Over ons", "Winkel", "Nieuws", "Contact"),
    "sv": ("Hem", "Om oss", "Butik", "Nyheter", "Kontakt"),
    "pl": ("Strona główna", "O nas", "Sklep", "Aktualności", "Kontakt"),
    "cs": ("Úvod", "O nás", "Obchod", "Aktuality", "Kontakt"),
    "ru": ("Главная", "О нас", "Каталог", "Новости", "Контакты"),
    "uk": ("Головна", "Про нас", "Каталог", "Новини", "Контакти"),
    "tr": ("Ana Sayfa", "Hakkımızda", "Mağaza", "Haberler", "İletişim"),
    "ar": ("الرئيسية", "من نحن", "المتجر", "الأخبار", "اتصل بنا"),
    "fa": ("خانه", "درباره ما", "فروشگاه", "اخبار", "تماس با ما"),
    "vi": ("Trang chủ", "Giới thiệu", "Sản phẩm", "Tin tức", "Liên hệ"),
    "zh": ("首页", "关于我们", "产品", "新闻", "联系我们"),
    "ja": ("ホーム", "会社概要", "商品一覧", "お知らせ", "お問い合わせ"),
    "ko": ("홈", "소개", "상품", "소식", "문의"),
    "id": ("Beranda", "Tentang Kami", "Toko", "Berita", "Kontak"),
    "el": ("Αρχική", "Σχετικά", "Κατάστημα", "Νέα", "Επικοινωνία"),
    "hu": ("Főoldal", "Rólunk", "Bolt", "Hírek", "Kapcsolat"),
}
_SMALL = {
    "en": ("Search", "Privacy policy", "Terms of service", "All rights reserved."),
    "de": ("Suche", "Datenschutz", "Impressum", "Alle Rechte vorbehalten."),
    "fr": ("Rechercher", "Confidentialité", "Mentions légales", "Tous droits réservés."),
    "es": ("Buscar", "Privacidad", "Aviso legal", "Todos los derechos reservados."),
    "it": ("Cerca", "Privacy", "Note legali", "Tutti i diritti riservati."),
    "pt": ("Buscar", "Privacidade", "Termos de uso", "Todos os direitos reservados."),
    "nl": ("Zoeken", "Privacy", "Voorwaarden", "Alle rechten voorbehouden."),
    "sv": ("Sök", "Integritet", "Villkor", "Alla rättigheter förbehållna."),
    "pl": ("Szukaj", "Polityka prywatności", "Regulamin", "Wszelkie prawa zastrzeżone."),
    "cs": ("Hledat", "Ochrana údajů", "Podmínky", "Všechna práva vyhrazena."),
    "ru": ("Поиск", "Конфиденциальность", "Соглашение", "Все права защищены."),
    "uk": ("Пошук", "Конфіденційність", "Умови", "Усі права захищено."),
    "tr": ("Ara", "Gizlilik", "Kullanım Şartları", "Tüm hakları saklıdır."),
    "ar": ("بحث", "الخصوصية", "الشروط", "جميع الحقوق محفوظة"),
    "fa": ("جستجو", "حریم خصوصی", "قوانین", "تمامی حقوق محفوظ است"),
    "vi": ("Tìm kiếm", "Bảo mật", "Điều khoản", "Đã đăng ký bản quyền."),
    "zh": ("搜索", "隐私政策", "服务条款", "版权所有"),
    "ja": ("検索", "プライバシーポリシー", "利用規約", "無断転載を禁じます"),
    "ko": ("검색", "개인정보처리방침", "이용약관", "무단 전재 금지"),
    "id": ("Cari", "Privasi", "Ketentuan", "Hak cipta dilindungi."),
    "el": ("Αναζήτηση", "Απόρρητο", "Όροι", "Με επιφύλαξη παντός δικαιώματος."),
    "hu": ("Keresés", "Adatvédelem", "ÁSZF", "Minden jog fenntartva."),
}
_DIRECTION = {"ar": ' dir="rtl"', "fa": ' dir="rtl"'}


def text(lang: str = "en", times: int = 1) -> str:
    return TEXT[lang] * times


def _head(title: str, lang: str, head: str = "") -> str:
    return (
        f'<!DOCTYPE html>\n<html lang="{lang}"{_DIRECTION.get(lang, "")}>\n<head>\n'
        '<meta charset="UTF-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n{head}\n</head>\n"
    )


def _items(lang: str, form: str) -> str:
    return "".join(form.format(n=n, word=word) for n, word in enumerate(_MENU[lang]))


def plain_site(
    title: str, main: str, *, lang: str = "en", name: str = "Allotment", head: str = ""
) -> str:
    """Return a page of an agency's own make: Bootstrap, a navigation bar, a footer, cookies."""
    search, privacy, terms, rights = _SMALL[lang]
    return (
        _head(title, lang, '<link href="/css/bootstrap.min.css" rel="stylesheet">' + head)
        + f'<body>\n<nav class="navbar navbar-expand-lg"><div class="container"><a class="navbar-brand" href="/">{name}</a><ul class="navbar-nav">'
        + _items(lang, '<li class="nav-item"><a class="nav-link" href="/p/{n}">{word}</a></li>')
        + f'</ul><form class="d-flex" action="/search"><input name="q" placeholder="{search}"></form></div></nav>\n'
        + f'<main class="container">\n{main}\n</main>\n'
        + f'<footer class="footer"><div class="container"><p>&copy; 2026 {name}. {rights}</p><a href="/privacy">{privacy}</a> <a href="/terms">{terms}</a></div></footer>\n'
        + '<script src="/js/bootstrap.bundle.min.js"></script>\n<script async src="https://www.googletagmanager.com/gtag/js?id=G-4KQ1"></script>\n</body>\n</html>\n'
    )


def wordpress(
    title: str,
    main: str,
    *,
    lang: str = "en",
    name: str = "Allotment",
    kind: str = "single",
    head: str = "",
) -> str:
    """Return a page of a classic theme of WordPress: a menu, widgets, the scripts of its core."""
    search, privacy, _terms, _rights = _SMALL[lang]
    return (
        _head(
            f"{title} &#8211; {name}",
            lang,
            "<meta name='robots' content='max-image-preview:large' />\n<link rel='stylesheet' id='wp-block-library-css' href='/wp-includes/css/dist/block-library/style.min.css?ver=6.8.3' media='all' />"
            + head,
        )
        + f'<body class="{kind} wp-embed-responsive wp-theme-astra">\n<a class="skip-link screen-reader-text" href="#content">#</a>\n'
        + f'<header id="masthead" class="site-header"><p class="site-title"><a href="/" rel="home">{name}</a></p><nav id="site-navigation"><ul id="menu-main" class="menu">'
        + _items(lang, '<li class="menu-item menu-item-{n}"><a href="/m{n}/">{word}</a></li>')
        + f'</ul></nav></header>\n<div id="content" class="site-content"><main id="primary" class="site-main">\n{main}\n</main>\n'
        + f'<aside id="secondary" class="widget-area"><section class="widget widget_search"><form role="search" method="get" class="search-form" action="/"><input type="search" name="s" placeholder="{search} &hellip;" /><input type="submit" value="{search}" /></form></section></aside></div>\n'
        + f'<footer id="colophon" class="site-footer"><a href="/privacy/">{privacy}</a> <a href="https://wordpress.org/">WordPress</a></footer>\n'
        + '<script type="speculationrules">{"prefetch":[{"source":"document"}]}</script>\n<script src="/wp-includes/js/comment-reply.min.js?ver=6.8.3"></script>\n</body>\n</html>\n'
    )


def shopify(
    title: str, main: str, *, lang: str = "en", name: str = "Leek &amp; Pea", kind: str = "product"
) -> str:
    """Return a page of a shop of Shopify with the theme Dawn."""
    search, privacy, terms, _rights = _SMALL[lang]
    return (
        _head(
            f"{title} &ndash; {name}",
            lang,
            '<link rel="preconnect" href="https://cdn.shopify.com" crossorigin><script>window.Shopify = window.Shopify || {};Shopify.shop = "leek-pea.myshopify.com";Shopify.theme = {"name":"Dawn","id":123,"schema_version":"15.3.0"};</script>',
        )
        + f'<body class="gradient template-{kind}">\n<div id="shopify-section-header" class="shopify-section section-header"><sticky-header><header class="header"><a href="/" class="header__heading-link">{name}</a><nav class="header__inline-menu"><ul class="list-menu">'
        + _items(lang, '<li><a href="/collections/{n}" class="header__menu-item">{word}</a></li>')
        + f'</ul></nav><details-modal class="header__search" aria-label="{search}"></details-modal><a href="/cart" class="header__icon--cart"><span class="svg-wrapper"></span></a></header></sticky-header></div>\n'
        + f'<main id="MainContent" class="content-for-layout" role="main">\n{main}\n</main>\n'
        + f'<div class="shopify-section section-footer"><footer class="footer"><ul><li><a href="/policies/privacy-policy">{privacy}</a></li><li><a href="/policies/terms-of-service">{terms}</a></li></ul><small>&copy; 2026, <a href="/">{name}</a> <a href="https://www.shopify.com?utm_campaign=poweredby">Powered by Shopify</a></small></footer></div>\n'
        + '<script src="/cdn/shop/t/5/assets/global.js" defer></script>\n</body>\n</html>\n'
    )


def magento(
    title: str,
    main: str,
    *,
    lang: str = "en",
    name: str = "Rods &amp; Seeds",
    kind: str = "catalog-product-view",
) -> str:
    """Return a page of a shop of Magento with the theme Luma."""
    search, privacy, terms, rights = _SMALL[lang]
    return (
        _head(
            title,
            lang,
            '<link rel="stylesheet" type="text/css" media="all" href="/static/version17/frontend/Magento/luma/css/styles-m.css" />',
        )
        + f'<body data-container="body" class="{kind} page-layout-1column">\n<div class="page-wrapper"><header class="page-header"><a class="logo" href="/" title="{name}"><img src="/static/logo.svg" alt="{name}" /></a><div data-block="minicart" class="minicart-wrapper"><a class="action showcart" href="/checkout/cart/"></a></div><form id="search_mini_form" action="/catalogsearch/result/"><input type="text" name="q" placeholder="{search}" /></form></header>\n<nav class="navigation"><ul>'
        + _items(lang, '<li class="level0 nav-{n}"><a href="/c{n}.html">{word}</a></li>')
        + f'</ul></nav>\n<main id="maincontent" class="page-main">{main}</main>\n<footer class="page-footer"><ul class="footer links"><li><a href="/privacy">{privacy}</a></li><li><a href="/terms">{terms}</a></li></ul><small class="copyright"><span>{rights}</span></small></footer></div>\n<script type="text/x-magento-init">{{"*":{{"Magento_PageCache/js/form-key-provider":{{}}}}}}</script>\n</body>\n</html>\n'
    )


def next_app(
    title: str,
    main: str,
    *,
    lang: str = "en",
    name: str = "Trellis",
    head: str = "",
    script: str = "",
) -> str:
    """Return a page of Next.js with the streamed scripts of its app router."""
    return (
        _head(
            title,
            lang,
            '<link rel="stylesheet" href="/_next/static/css/4f1a.css" data-precedence="next"/><script src="/_next/static/chunks/webpack-9a1.js" async=""></script>'
            + head,
        )
        + f'<body class="antialiased"><header><a href="/">{name}</a><nav>'
        + _items(lang, '<a href="/{n}">{word}</a>')
        + f"</nav></header>{main}<footer><small>&copy; 2026 {name}</small></footer>"
        + f'<script>(self.__next_f=self.__next_f||[]).push([0])</script><script>self.__next_f.push([1,"1:\\"$Sreact.fragment\\"\\n"])</script>{script}</body></html>\n'
    )


def news(title: str, main: str, *, lang: str = "en", name: str = "The Signal Box") -> str:
    """Return an article of a newspaper: sections, the most read, a consent script."""
    search, privacy, terms, rights = _SMALL[lang]
    return (
        _head(
            f"{title} | {name}",
            lang,
            f'<meta property="og:type" content="article"><meta property="og:title" content="{title}"><script type="application/ld+json">{{"@context":"https://schema.org","@type":"NewsArticle","headline":"{title}","datePublished":"2025-11-04T07:30:00+00:00"}}</script><script src="https://cdn.privacy-mgmt.example/consent.js"></script>',
        )
        + f'<body><header class="masthead"><a href="/">{name}</a><a class="subscribe" href="/subscribe">+</a><nav>'
        + _items(lang, '<a href="/section/{n}">{word}</a>')
        + f'</nav></header>\n<article class="story">{main}</article>\n<aside class="most-read"><ol><li><a href="/a/1">Leeks at the show</a></li><li><a href="/a/2">Forty-two gardens</a></li></ol></aside>\n<footer><form action="/search"><input name="q" aria-label="{search}"></form><a href="/privacy">{privacy}</a><a href="/terms">{terms}</a><p>&copy; 2026 {name}. {rights}</p></footer></body></html>\n'
    )


def phpbb(title: str, inner: str, *, lang: str = "en", name: str = "Growers' Board") -> str:
    """Return a page of a board of phpBB with the style prosilver."""
    search, privacy, terms, _rights = _SMALL[lang]
    return (
        _head(
            f"{name} - {title}",
            lang,
            '<link href="./styles/prosilver/theme/stylesheet.css?assets_version=41" rel="stylesheet">',
        )
        + f'<body id="phpbb" class="nojs notouch section-viewtopic ltr">\n<div id="wrap" class="wrap"><div id="page-header"><div class="headerbar"><h1>{name}</h1><div id="search-box" class="search-box search-header"><form action="./search.php" method="get" id="search"><input name="keywords" type="search" class="inputbox search tiny" placeholder="{search}…" /></form></div></div><div class="navbar"><ul id="nav-main" class="nav-main linklist">'
        + _items(lang, '<li data-last-responsive="true"><a href="./app.php/{n}">{word}</a></li>')
        + f'</ul></div></div>\n<div id="page-body" class="page-body" role="main">\n{inner}\n</div>\n<div id="page-footer" class="page-footer" role="contentinfo"><div class="copyright"><p class="footer-row"><span class="footer-copyright">Powered by <a href="https://www.phpbb.com/">phpBB</a>&reg; Forum Software &copy; phpBB Limited</span></p><p class="footer-row"><a class="footer-link" href="./ucp.php?mode=privacy">{privacy}</a> | <a class="footer-link" href="./ucp.php?mode=terms">{terms}</a></p></div></div></div>\n<script src="./assets/javascript/jquery-3.7.1.min.js?assets_version=41"></script>\n</body>\n</html>\n'
    )


def mediawiki(
    title: str, inner: str, *, lang: str = "en", name: str = "Gardenpedia", tabs: str = ""
) -> str:
    """Return a page of MediaWiki with the skin Vector."""
    search, privacy, terms, _rights = _SMALL[lang]
    return (
        _head(
            f"{title} - {name}",
            lang,
            f'<meta name="generator" content="MediaWiki 1.43.3"/><script>RLCONF={{"wgBreakFrames":false,"wgCanonicalNamespace":"","wgNamespaceNumber":0,"wgPageName":"{title}"}};</script>',
        )
        + f'<body class="skin-vector skin-vector-search-vue mediawiki ltr ns-0">\n<div class="vector-header-container"><header class="vector-header"><a href="/wiki/Main_Page" class="mw-logo">{name}</a><form action="/w/index.php" id="searchform"><input type="search" name="search" placeholder="{search} {name}"></form></header></div>\n<div class="mw-page-container"><div class="vector-main-menu"><ul>'
        + _items(
            lang,
            '<li id="n-{n}" class="mw-list-item"><a href="/wiki/Special:{n}"><span>{word}</span></a></li>',
        )
        + f'</ul></div><main id="content" class="mw-body"><header class="mw-body-header"><h1 id="firstHeading" class="firstHeading mw-first-heading">{title}</h1>{tabs}</header><div id="bodyContent" class="vector-body"><div id="mw-content-text" class="mw-body-content">{inner}</div></div></main></div>\n<footer id="footer" class="mw-footer"><ul id="footer-places"><li><a href="/wiki/{name}:Privacy">{privacy}</a></li><li><a href="/wiki/{name}:Terms">{terms}</a></li></ul></footer>\n</body>\n</html>\n'
    )


def document(
    title: str,
    body: str,
    *,
    lang: str = "en",
    head: str = "",
    style: str = "body{font-family:sans-serif;text-align:center;padding:10%}",
) -> str:
    """Return a page that stands alone, as hosts and walls send it."""
    return (
        _head(title, lang, f"<style>{style}</style>{head}") + f"<body>\n{body}\n</body>\n</html>\n"
    )


def front(lang: str = "en") -> Reply:
    """Return a home page in that language."""
    first = _MENU[lang][0]
    links = _items(lang, '<li><a href="/n/{n}">{word}</a></li>')
    return html(
        plain_site(
            f"Allotment | {first}", f"<h1>Allotment</h1>{text(lang)}<ul>{links}</ul>", lang=lang
        )
    )


LOST = html(
    "<html>\r\n<head><title>404 Not Found</title></head>\r\n<body>\r\n<center><h1>404 Not Found</h1></center>\r\n<hr><center>nginx/1.26.2</center>\r\n</body>\r\n</html>\r\n",
    "Server: nginx/1.26.2",
    status=404,
)


@dataclass(frozen=True, kw_only=True)
class Met:
    """An answer as it was met: where such are known from, at which path, in which language."""

    source: str
    reply: Answer
    path: str = "/archive/2019/annual-report"
    lang: str = "en"
    everywhere: bool = False  # whatever is asked for is answered so, but for the home page

    @property
    def site(self) -> Site:
        if self.everywhere:
            return {"/": front(self.lang), ELSE: self.reply}
        return {"/": front(self.lang), self.path: self.reply, ELSE: LOST}


Frame = Callable[..., str]
