"""Whole pages again: blogs, manuals, offices, counters, boards, papers, applications, lone pages."""

# ruff: noqa: E501, RUF001
from dataclasses import dataclass

from tests.zoo.wild.case import ELSE, Answer, Reply, Site, html

_MENU = {
    "en": ("Home", "Harbour", "Library", "Contact"),
    "de": ("Startseite", "Hafen", "Bibliothek", "Kontakt"),
    "fr": ("Accueil", "Le port", "Bibliothèque", "Contact"),
    "es": ("Inicio", "El puerto", "Biblioteca", "Contacto"),
    "it": ("Home", "Il porto", "Biblioteca", "Contatti"),
    "pt": ("Início", "O porto", "Biblioteca", "Contacto"),
    "nl": ("Home", "De haven", "Bibliotheek", "Contact"),
    "sv": ("Start", "Hamnen", "Bibliotek", "Kontakt"),
    "da": ("Forside", "Havnen", "Bibliotek", "Kontakt"),
    "nb": ("Hjem", "Havna", "Bibliotek", "Kontakt"),
    "fi": ("Etusivu", "Satama", "Kirjasto", "Yhteystiedot"),
    "pl": ("Strona główna", "Port", "Biblioteka", "Kontakt"),
    "cs": ("Úvod", "Přístav", "Knihovna", "Kontakt"),
    "sk": ("Úvod", "Prístav", "Knižnica", "Kontakt"),
    "sl": ("Domov", "Pristanišče", "Knjižnica", "Kontakt"),
    "hr": ("Početna", "Luka", "Knjižnica", "Kontakt"),
    "sr": ("Почетна", "Лука", "Библиотека", "Контакт"),
    "bg": ("Начало", "Пристанище", "Библиотека", "Контакти"),
    "ro": ("Acasă", "Portul", "Biblioteca", "Contact"),
    "hu": ("Főoldal", "Kikötő", "Könyvtár", "Kapcsolat"),
    "el": ("Αρχική", "Λιμάνι", "Βιβλιοθήκη", "Επικοινωνία"),
    "ru": ("Главная", "Порт", "Библиотека", "Контакты"),
    "uk": ("Головна", "Порт", "Бібліотека", "Контакти"),
    "lt": ("Pradžia", "Uostas", "Biblioteka", "Kontaktai"),
    "lv": ("Sākums", "Osta", "Bibliotēka", "Kontakti"),
    "et": ("Avaleht", "Sadam", "Raamatukogu", "Kontakt"),
    "tr": ("Ana Sayfa", "Liman", "Kütüphane", "İletişim"),
    "ar": ("الرئيسية", "الميناء", "المكتبة", "اتصل بنا"),
    "fa": ("صفحه اصلی", "بندر", "کتابخانه", "تماس با ما"),
    "he": ("ראשי", "הנמל", "ספרייה", "צור קשר"),
    "hi": ("होम", "बंदरगाह", "पुस्तकालय", "संपर्क"),
    "bn": ("হোম", "বন্দর", "গ্রন্থাগার", "যোগাযোগ"),
    "th": ("หน้าหลัก", "ท่าเรือ", "ห้องสมุด", "ติดต่อเรา"),
    "vi": ("Trang chủ", "Cảng", "Thư viện", "Liên hệ"),
    "id": ("Beranda", "Pelabuhan", "Perpustakaan", "Kontak"),
    "ca": ("Inici", "El port", "Biblioteca", "Contacte"),
    "gl": ("Inicio", "O porto", "Biblioteca", "Contacto"),
    "ja": ("トップ", "港", "図書室", "お問い合わせ"),
    "ko": ("홈", "항구", "도서관", "문의하기"),
    "zh": ("首页", "港口", "图书馆", "联系我们"),
    "zh-TW": ("首頁", "港口", "圖書館", "聯絡我們"),
}
# What living pages are about.
_STORY = {
    "en": "<p>The tide gauge at the end of the mole has been read twice a day since 1864. The first keeper wrote the heights with a steel pen in a book bound in sailcloth; the twenty-third sends them by radio every six minutes. Between the two lie four floats, two wars and a rise of nineteen centimetres.</p><p>The well is cleaned each spring, when the mussels are scraped from the pipe. Anybody may look on, and children are given the scraper.</p>",
    "de": "<p>Der Pegel am Ende der Mole wird seit 1864 zweimal täglich abgelesen. Der erste Wärter schrieb die Höhen mit der Stahlfeder in ein Buch, das in Segeltuch gebunden war; der dreiundzwanzigste sendet sie alle sechs Minuten über Funk. Dazwischen liegen vier Schwimmer, zwei Kriege und neunzehn Zentimeter.</p>",
    "fr": "<p>Le marégraphe au bout du môle est relevé deux fois par jour depuis 1864. Le premier gardien notait les hauteurs à la plume d'acier dans un livre relié en toile à voile ; le vingt-troisième les envoie par radio toutes les six minutes.</p>",
    "es": "<p>El mareógrafo del final del muelle se lee dos veces al día desde 1864. El primer guarda anotaba las alturas con pluma de acero en un libro encuadernado en lona; el vigesimotercero las envía por radio cada seis minutos.</p>",
    "it": "<p>Il mareografo in fondo al molo viene letto due volte al giorno dal 1864. Il primo guardiano annotava le altezze con il pennino in un libro rilegato in tela da vele; il ventitreesimo le trasmette via radio ogni sei minuti.</p>",
    "pt": "<p>O marégrafo na ponta do molhe é lido duas vezes por dia desde 1864. O primeiro guarda anotava as alturas a aparo num livro encadernado em lona; o vigésimo terceiro envia-as por rádio de seis em seis minutos.</p>",
    "nl": "<p>De peilschaal aan het eind van de pier wordt sinds 1864 twee keer per dag afgelezen. De eerste wachter schreef de standen met een stalen pen in een boek dat in zeildoek was gebonden.</p>",
    "sv": "<p>Pegeln längst ut på piren har lästs av två gånger om dagen sedan 1864. Den förste vaktaren skrev höjderna med stålpenna i en bok inbunden i segelduk.</p>",
    "pl": "<p>Mareograf na końcu falochronu odczytuje się dwa razy dziennie od 1864 roku. Pierwszy dozorca zapisywał stany stalówką w księdze oprawionej w płótno żaglowe.</p>",
    "cs": "<p>Vodočet na konci mola se odečítá dvakrát denně od roku 1864. První hlídač zapisoval stavy ocelovým perem do knihy vázané v plachtovině.</p>",
    "ru": "<p>Футшток в конце мола снимают дважды в день с 1864 года. Первый смотритель записывал высоты стальным пером в книгу, переплетённую в парусину; двадцать третий передаёт их по радио каждые шесть минут.</p>",
    "tr": "<p>Mendireğin ucundaki mareograf 1864'ten beri günde iki kez okunuyor. İlk bekçi yükseklikleri çelik uçlu kalemle yelken bezine ciltli bir deftere yazardı.</p>",
    "ja": "<p>防波堤の先の験潮儀は一八六四年から日に二度読み取られている。最初の番人は帆布で装丁した帳面に鋼のペンで潮位を書きつけ、二十三代目は六分ごとに無線で送る。</p>",
    "ko": "<p>방파제 끝의 검조기는 1864년부터 하루에 두 번 읽어 왔다. 첫 관리인은 돛천으로 제본한 장부에 강철 펜으로 높이를 적었고, 스물세 번째 관리인은 육 분마다 무선으로 보낸다.</p>",
    "zh": "<p>防波堤尽头的验潮仪自一八六四年起每日读两次。第一任看守用钢笔把潮高写进帆布面的簿子里，第二十三任则每六分钟用无线电发送一次。</p>",
    "ar": "<p>يُقرأ مقياس المد في نهاية الرصيف مرتين كل يوم منذ عام 1864. كان الحارس الأول يدوّن الارتفاعات بريشة فولاذية في دفتر مجلّد بقماش الأشرعة.</p>",
}


def menu(lang: str) -> tuple[str, str, str, str]:
    return _MENU.get(lang, _MENU["en"])


def story(lang: str = "en", times: int = 1) -> str:
    return _STORY.get(lang, _STORY["en"]) * times


def _start(title: str, lang: str, head: str = "") -> str:
    right = ' dir="rtl"' if lang in ("ar", "fa", "he") else ""
    return (
        f'<!doctype html>\n<html lang="{lang}"{right}>\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
        f'<meta name="viewport" content="width=device-width,initial-scale=1">\n{head}\n</head>\n'
    )


def blog(
    title: str, main: str, *, lang: str = "en", name: str = "Tidewrack", head: str = ""
) -> str:
    """Return a page of WordPress under a theme of blocks, with what was posted last."""
    first, harbour, library, contact = menu(lang)
    return (
        _start(
            title,
            lang,
            '<meta name="generator" content="WordPress 6.8.3"><link rel="stylesheet" id="wp-block-library-css" href="/wp-includes/css/dist/block-library/style.min.css?ver=6.8.3">'
            + head,
        )
        + f'<body class="wp-singular wp-theme"><div class="wp-site-blocks"><header class="wp-block-template-part"><p class="wp-block-site-title"><a href="/" rel="home">{name}</a></p>'
        f'<nav class="wp-block-navigation"><ul><li><a href="/">{first}</a></li><li><a href="/harbour/">{harbour}</a></li><li><a href="/library/">{library}</a></li><li><a href="/contact/">{contact}</a></li></ul></nav></header>'
        f'<main class="wp-block-group" id="wp--skip-link--target">{main}</main>'
        f'<aside><ul class="wp-block-latest-posts"><li><a href="/2026/09/mussels/">1864</a></li><li><a href="/2026/08/floats/">23</a></li></ul></aside><footer class="wp-block-template-part"><p>{name} &copy; 2026</p></footer></div>'
        '<script src="/wp-includes/js/dist/script-modules/block-library/navigation/view.min.js" type="module"></script></body></html>\n'
    )


def manual(title: str, main: str, *, lang: str = "en", name: str = "tidegauge") -> str:
    """Return a page of a manual made with Sphinx."""
    return (
        _start(
            f"{title} &#8212; {name} 3.2 documentation",
            lang,
            '<link rel="stylesheet" type="text/css" href="/en/stable/_static/pygments.css?v=fa44fd50"><script src="/en/stable/_static/doctools.js?v=9bcbadda"></script><link rel="search" title="Search" href="/en/stable/search.html">',
        )
        + f'<body class="wy-body-for-nav"><div class="wy-grid-for-nav"><nav data-toggle="wy-nav-shift" class="wy-nav-side"><a href="/en/stable/index.html" class="icon icon-home">{name}</a><div role="search"><form id="rtd-search-form" action="/en/stable/search.html"><input type="text" name="q" placeholder="Search docs"></form></div>'
        '<ul><li class="toctree-l1"><a href="/en/stable/install.html">Installation</a></li><li class="toctree-l1"><a href="/en/stable/reading.html">Reading heights</a></li><li class="toctree-l1"><a href="/en/stable/changes.html">Changelog</a></li></ul></nav>'
        f'<section class="wy-nav-content-wrap"><div role="main" class="document"><div itemprop="articleBody">{main}</div></div><footer><p>&#169; Copyright 2026, the {name} authors.</p>Built with <a href="https://www.sphinx-doc.org/">Sphinx</a></footer></section></div></body></html>\n'
    )


def office(
    title: str, main: str, *, lang: str = "en", name: str = "Harbour Office", head: str = ""
) -> str:
    """Return a page of an office, a library or a university, with its path and its corner."""
    first, harbour, library, contact = menu(lang)
    return (
        _start(
            title,
            lang,
            '<meta name="generator" content="TYPO3 CMS"><link rel="stylesheet" href="/typo3temp/assets/compressed/merged-4c2.css?1759">'
            + head,
        )
        + f'<body id="p42"><div class="frame-container"><header class="page-header"><a class="navbar-brand" href="/">{name}</a><form class="searchbox" action="/search"><input type="search" name="tx_indexedsearch[sword]"></form>'
        f'<ul class="navbar-nav"><li><a href="/">{first}</a></li><li><a href="/harbour">{harbour}</a></li><li><a href="/library">{library}</a></li></ul></header>'
        f'<nav class="breadcrumb" aria-label="breadcrumb"><ol><li><a href="/">{first}</a></li></ol></nav><main id="page-content">{main}</main>'
        f'<aside class="rail"><p>{name}<br>Mole 1</p><a href="/contact">{contact}</a></aside><footer class="page-footer"><p>&copy; {name} 2026</p></footer></div></body></html>\n'
    )


def counter(
    title: str,
    main: str,
    *,
    lang: str = "en",
    name: str = "Ropewalk &amp; Daughters",
    head: str = "",
) -> str:
    """Return a page of a shop under a theme like Shopify's."""
    first, harbour, library, contact = menu(lang)
    return (
        _start(
            f"{title} &ndash; {name}",
            lang,
            '<link rel="preconnect" href="https://cdn.shop.example" crossorigin><link href="/cdn/shop/t/7/assets/base.css?v=1448" rel="stylesheet" type="text/css">'
            + head,
        )
        + f'<body class="gradient"><a class="skip-to-content-link button visually-hidden" href="#MainContent">&darr;</a><div class="shopify-section-group-header-group"><div class="announcement-bar"><p>&#9875; 1864</p></div><header class="header"><a href="/" class="header__heading-link">{name}</a>'
        f'<nav class="header__inline-menu"><ul><li><a href="/">{first}</a></li><li><a href="/collections/all">{harbour}</a></li><li><a href="/pages/library">{library}</a></li></ul></nav><a href="/account/login" class="header__icon--account">&#128100;</a><a href="/cart" class="header__icon--cart">0</a></header></div>'
        f'<main id="MainContent" class="content-for-layout focus-none" role="main" tabindex="-1">{main}</main>'
        f'<footer class="footer"><form action="/contact#ContactFooter" method="post" class="newsletter-form"><input type="email" name="contact[email]"></form><a href="/pages/contact">{contact}</a><small>&copy; 2026, {name}</small></footer></body></html>\n'
    )


def forum(title: str, main: str, *, lang: str = "en", name: str = "Slipway Forum") -> str:
    """Return a page of a board, with its box to log in at the top."""
    first, harbour, library, contact = menu(lang)
    return (
        _start(
            title,
            lang,
            '<link rel="stylesheet" href="/styles/prosilver/theme/stylesheet.css?assets_version=42">',
        )
        + f'<body id="phpbb" class="nojs notouch section-viewtopic ltr"><div id="wrap" class="wrap"><div id="page-header"><div class="headerbar"><h1>{name}</h1></div><div class="navbar"><ul id="nav-main"><li><a href="/faq">FAQ</a></li><li class="rightside"><a href="/ucp.php?mode=login" accesskey="x">&#128273;</a></li></ul><ul id="nav-breadcrumbs"><li><a href="/">{first}</a></li><li><a href="/viewforum.php?f=4">{harbour}</a></li></ul></div></div>'
        f'<div id="page-body" class="page-body" role="main">{main}</div><div id="page-footer" class="page-footer"><a href="/library">{library}</a> <a href="/contact">{contact}</a></div></div></body></html>\n'
    )


def paper(
    title: str, main: str, *, lang: str = "en", name: str = "The Mole Courier", head: str = ""
) -> str:
    """Return a page of a paper or a broadcaster, with what is read most."""
    first, harbour, library, contact = menu(lang)
    return (
        _start(
            title,
            lang,
            f'<meta property="og:site_name" content="{name}"><meta property="og:locale" content="{lang}"><script async src="https://cmp.example/tcf.js"></script>'
            + head,
        )
        + f'<body class="news"><header role="banner"><a class="brand" href="/">{name}</a><nav><a href="/">{first}</a> <a href="/harbour">{harbour}</a> <a href="/library">{library}</a> <a href="/login">&#128100;</a></nav></header><main>{main}</main>'
        f'<section class="most-read"><ol><li><a href="/harbour/1864">1864</a></li><li><a href="/harbour/float">23</a></li><li><a href="/harbour/mussels">6</a></li></ol></section><footer role="contentinfo"><a href="/contact">{contact}</a> &copy; 2026 {name}</footer></body></html>\n'
    )


def app(title: str, root: str = "", *, lang: str = "en", head: str = "", data: str = "") -> str:
    """Return what an application of Next.js or Vite sends, with `root` as rendered on a server."""
    return (
        _start(
            title,
            lang,
            '<link rel="stylesheet" href="/_next/static/css/9a1.css" data-precedence="next"><script src="/_next/static/chunks/main-app-77.js" async=""></script>'
            + head,
        )
        + f'<body><div id="__next">{root}</div>{data}</body></html>\n'
    )


def alone(title: str, body: str, *, lang: str = "en", head: str = "") -> str:
    """Return a page that stands alone, as services make them."""
    return (
        _start(
            title,
            lang,
            "<style>body{font:17px/1.5 system-ui;text-align:center;padding:12vh 2em}</style>"
            + head,
        )
        + f"<body>\n{body}\n</body></html>\n"
    )


def home(lang: str = "en") -> Reply:
    """Return a home page in that language."""
    first, harbour, library, _ = menu(lang)
    return html(
        office(
            f"Harbour Office – {first}",
            f"<h1>Harbour Office</h1>{story(lang)}<ul><li><a href='/harbour'>{harbour}</a></li><li><a href='/library'>{library}</a></li></ul>",
            lang=lang,
        )
    )


LOST = html(
    "<html>\r\n<head><title>404 Not Found</title></head>\r\n<body>\r\n<center><h1>404 Not Found</h1></center>\r\n<hr><center>nginx/1.26.3</center>\r\n</body>\r\n</html>\r\n",
    "Server: nginx/1.26.3",
    status=404,
)


@dataclass(frozen=True, kw_only=True)
class Met:
    """An answer as it was met."""

    source: str  # where such are known from
    reply: Answer
    path: str
    lang: str = "en"
    everywhere: bool = False  # whatever is asked for is answered so, but for the home page

    @property
    def site(self) -> Site:
        if self.everywhere:
            return {"/": home(self.lang), ELSE: self.reply}
        return {"/": home(self.lang), self.path: self.reply, ELSE: LOST}


def met(
    source: str,
    page: str,
    path: str,
    *headers: str,
    lang: str = "en",
    status: int = 200,
    everywhere: bool = False,
) -> Met:
    """Return what was met: that page at that path."""
    reply = html(page, *headers, status=status)
    return Met(source=source, reply=reply, path=path, lang=lang, everywhere=everywhere)
