"""Page layouts and hosts for the eleventh part: blogs, offices, shops, boards, docs, forges, apps."""

# ruff: noqa: E501, RUF001
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape

from tests.zoo.server import Visit
from tests.zoo.wild.case import ELSE, Answer, Reply, Site, html, plain

# By language: the name of the site, and four entries of its menu.
_NAMES = {
    "en": "The Lighthouse Log|Home|Lights|Archive|Contact",
    "de": "Leuchtturmblatt|Startseite|Türme|Archiv|Kontakt",
    "fr": "Le Journal des phares|Accueil|Phares|Archives|Contact",
    "es": "Cuaderno de Faros|Inicio|Faros|Archivo|Contacto",
    "it": "Il Quaderno dei fari|Home|Fari|Archivio|Contatti",
    "pt": "Caderno dos Faróis|Início|Faróis|Arquivo|Contacto",
    "nl": "Vuurtorenblad|Home|Torens|Archief|Contact",
    "sv": "Fyrbladet|Hem|Fyrar|Arkiv|Kontakt",
    "da": "Fyrbladet Nord|Forside|Fyrtårne|Arkiv|Kontakt",
    "no": "Fyrposten|Forsiden|Fyr|Arkiv|Kontakt",
    "fi": "Majakkalehti|Etusivu|Majakat|Arkisto|Yhteystiedot",
    "pl": "Kurier Latarników|Strona główna|Latarnie|Archiwum|Kontakt",
    "cs": "Majákový list|Domů|Majáky|Archiv|Kontakt",
    "hu": "Világítótorony Lap|Kezdőlap|Tornyok|Archívum|Kapcsolat",
    "ro": "Caietul Farurilor|Acasă|Faruri|Arhivă|Contact",
    "el": "Τετράδιο των Φάρων|Αρχική|Φάροι|Αρχείο|Επικοινωνία",
    "ru": "Маячный листок|Главная|Маяки|Архив|Контакты",
    "uk": "Маяковий листок|Головна|Маяки|Архів|Контакти",
    "tr": "Fener Defteri|Ana Sayfa|Fenerler|Arşiv|İletişim",
    "ar": "دفتر المنارات|الرئيسية|المنارات|الأرشيف|اتصل بنا",
    "fa": "دفتر فانوس‌ها|خانه|فانوس‌ها|بایگانی|تماس",
    "he": "יומן המגדלורים|ראשי|מגדלורים|ארכיון|צור קשר",
    "hi": "दीपस्तंभ पत्र|मुखपृष्ठ|दीपस्तंभ|संग्रह|संपर्क",
    "vi": "Sổ tay Hải đăng|Trang chủ|Hải đăng|Lưu trữ|Liên hệ",
    "id": "Catatan Mercusuar|Beranda|Mercusuar|Arsip|Kontak",
    "th": "สมุดประภาคาร|หน้าหลัก|ประภาคาร|คลัง|ติดต่อเรา",
    "ja": "灯台通信|ホーム|灯台|アーカイブ|お問い合わせ",
    "ko": "등대 소식|홈|등대|자료실|문의",
    "zh": "灯塔札记|首页|灯塔|归档|联系我们",
    "tw": "燈塔札記|首頁|燈塔|彙整|聯絡我們",
}
# What the pages are about, in their language.
_PROSE = {
    "en": "<p>The light on the north rock was first lit in November 1862. Two keepers took turns of four hours, wound the clockwork by hand and carried the oil up 142 steps. A storm in 1911 broke three panes of the lantern, and the lens was turned by a motor from 1934. The tower has stood dark since 1988, but its stairs are swept every week.</p>",
    "de": "<p>Das Feuer auf dem Nordfelsen brannte zum ersten Mal im November 1862. Zwei Wärter lösten einander alle vier Stunden ab, zogen das Uhrwerk von Hand auf und trugen das Öl 142 Stufen hinauf. Ein Sturm zerschlug 1911 drei Scheiben der Laterne. Seit 1988 ist der Turm dunkel, doch die Treppe wird jede Woche gefegt.</p>",
    "fr": "<p>Le feu du rocher nord fut allumé pour la première fois en novembre 1862. Deux gardiens se relayaient toutes les quatre heures, remontaient le mécanisme à la main et portaient l'huile en haut des 142 marches. Une tempête brisa trois vitres de la lanterne en 1911.</p>",
    "es": "<p>La luz de la roca norte se encendió por primera vez en noviembre de 1862. Dos torreros se turnaban cada cuatro horas, daban cuerda al mecanismo y subían el aceite por 142 escalones. Un temporal rompió tres cristales de la linterna en 1911.</p>",
    "it": "<p>La luce sullo scoglio nord fu accesa per la prima volta nel novembre 1862. Due guardiani si davano il cambio ogni quattro ore, caricavano l'orologio a mano e portavano l'olio su per 142 gradini. Una tempesta ruppe tre vetri della lanterna nel 1911.</p>",
    "pt": "<p>A luz do rochedo norte foi acesa pela primeira vez em novembro de 1862. Dois faroleiros revezavam-se de quatro em quatro horas, davam corda ao mecanismo e levavam o óleo por 142 degraus acima. Um temporal partiu três vidros da lanterna em 1911.</p>",
    "nl": "<p>Het licht op de noordelijke rots werd in november 1862 voor het eerst ontstoken. Twee wachters losten elkaar om de vier uur af, wonden het uurwerk met de hand op en droegen de olie 142 treden omhoog. Een storm brak in 1911 drie ruiten van de lantaarn.</p>",
    "sv": "<p>Fyren på norra klippan tändes första gången i november 1862. Två fyrvaktare avlöste varandra var fjärde timme, drog upp urverket för hand och bar oljan uppför 142 trappsteg. En storm slog sönder tre av lanterninens rutor 1911.</p>",
    "da": "<p>Fyret på den nordlige klippe blev tændt første gang i november 1862. To fyrpassere afløste hinanden hver fjerde time, trak urværket op med håndkraft og bar olien op ad 142 trin.</p>",
    "no": "<p>Fyret på nordskjæret ble tent første gang i november 1862. To fyrvoktere løste hverandre av hver fjerde time, trakk opp urverket for hånd og bar oljen opp 142 trinn.</p>",
    "fi": "<p>Pohjoiskarin majakka sytytettiin ensi kerran marraskuussa 1862. Kaksi vartijaa vuorotteli neljän tunnin välein, veti koneiston käsin ja kantoi öljyn 142 askelmaa ylös.</p>",
    "pl": "<p>Światło na północnej skale zapalono po raz pierwszy w listopadzie 1862 roku. Dwóch latarników zmieniało się co cztery godziny, nakręcało mechanizm ręcznie i wnosiło olej po 142 stopniach. W 1911 roku sztorm wybił trzy szyby laterny.</p>",
    "cs": "<p>Světlo na severní skále se poprvé rozsvítilo v listopadu 1862. Dva strážci se střídali po čtyřech hodinách, natahovali hodinový stroj ručně a nosili olej po 142 schodech. Bouře v roce 1911 rozbila tři skla lucerny.</p>",
    "hu": "<p>Az északi sziklán 1862 novemberében gyújtották meg először a fényt. Két őr négyóránként váltotta egymást, kézzel húzták fel az óraművet, és 142 lépcsőn hordták fel az olajat.</p>",
    "ro": "<p>Lumina de pe stânca de nord a fost aprinsă prima oară în noiembrie 1862. Doi paznici se schimbau din patru în patru ore, întorceau mecanismul cu mâna și cărau uleiul pe 142 de trepte.</p>",
    "el": "<p>Το φως στον βόρειο βράχο άναψε πρώτη φορά τον Νοέμβριο του 1862. Δύο φαροφύλακες άλλαζαν βάρδια κάθε τέσσερις ώρες, κούρδιζαν τον μηχανισμό με το χέρι και ανέβαζαν το λάδι 142 σκαλιά.</p>",
    "ru": "<p>Огонь на северной скале впервые зажгли в ноябре 1862 года. Два смотрителя сменяли друг друга каждые четыре часа, заводили механизм вручную и носили масло по 142 ступеням. В 1911 году шторм выбил три стекла фонаря.</p>",
    "uk": "<p>Вогонь на північній скелі вперше запалили в листопаді 1862 року. Два доглядачі змінювалися кожні чотири години, накручували механізм вручну й носили олію 142 сходинками.</p>",
    "tr": "<p>Kuzey kayalığındaki fener ilk kez Kasım 1862'de yakıldı. İki bekçi dört saatte bir nöbet değiştirir, düzeneği elle kurar ve yağı 142 basamak yukarı taşırdı.</p>",
    "ar": "<p>أُضيئت منارة الصخرة الشمالية أول مرة في نوفمبر 1862. كان حارسان يتناوبان كل أربع ساعات، ويديران الآلة باليد، ويحملان الزيت صعوداً على 142 درجة.</p>",
    "fa": "<p>فانوس صخرهٔ شمالی نخستین بار در نوامبر ۱۸۶۲ روشن شد. دو نگهبان هر چهار ساعت جای خود را عوض می‌کردند، ساعت را با دست کوک می‌کردند و روغن را از ۱۴۲ پله بالا می‌بردند.</p>",
    "he": "<p>האור בסלע הצפוני הודלק לראשונה בנובמבר 1862. שני שומרים התחלפו כל ארבע שעות, מתחו את המנגנון ביד ונשאו את השמן במעלה 142 מדרגות.</p>",
    "hi": "<p>उत्तरी चट्टान की बत्ती पहली बार नवंबर 1862 में जलाई गई। दो पहरेदार हर चार घंटे में बदलते थे, यंत्र को हाथ से चाबी देते थे और तेल 142 सीढ़ियाँ ऊपर ले जाते थे।</p>",
    "vi": "<p>Ngọn đèn trên mỏm đá phía bắc được thắp lần đầu vào tháng 11 năm 1862. Hai người gác thay phiên nhau bốn giờ một lần, lên dây cót bằng tay và mang dầu lên 142 bậc thang.</p>",
    "id": "<p>Lampu di karang utara pertama kali dinyalakan pada November 1862. Dua penjaga bergantian setiap empat jam, memutar mesin dengan tangan, dan membawa minyak menaiki 142 anak tangga.</p>",
    "th": "<p>ประภาคารบนโขดหินทิศเหนือจุดไฟครั้งแรกเมื่อเดือนพฤศจิกายน ค.ศ. 1862 ผู้เฝ้าสองคนผลัดเวรกันทุกสี่ชั่วโมง ไขลานด้วยมือ และแบกน้ำมันขึ้นบันได 142 ขั้น</p>",
    "ja": "<p>北の岩の灯は一八六二年十一月に初めてともされた。二人の灯台守が四時間ごとに交代し、機械を手で巻き、油を百四十二段の階段で運び上げた。一九一一年の嵐で灯籠の硝子が三枚割れた。</p>",
    "ko": "<p>북쪽 바위의 등대는 1862년 11월에 처음 불을 밝혔다. 등대지기 두 사람이 네 시간마다 교대하며 태엽을 손으로 감고 기름을 계단 142칸 위로 날랐다. 1911년 폭풍에 등롱의 유리 세 장이 깨졌다.</p>",
    "zh": "<p>北礁上的灯于一八六二年十一月首次点亮。两名守塔人每四小时轮换一次，用手给机械上弦，把油提上一百四十二级台阶。一九一一年的风暴打碎了灯笼的三块玻璃。</p>",
    "tw": "<p>北礁上的燈於一八六二年十一月首次點亮。兩名守塔人每四小時輪換一次，用手替機械上發條，把油提上一百四十二級台階。</p>",
}


def prose(lang: str = "en", times: int = 1) -> str:
    return _PROSE[lang] * times


def _names(lang: str) -> list[str]:
    return _NAMES[lang].split("|")


def _head(title: str, lang: str, more: str) -> str:
    tag = {"tw": "zh-TW", "zh": "zh-CN", "no": "nb"}.get(lang, lang)
    way = ' dir="rtl"' if lang in ("ar", "fa", "he") else ""
    return f'<!doctype html>\n<html lang="{tag}"{way}>\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{title}</title>\n{more}'


def blog(title: str, main: str, *, lang: str = "en", name: str = "", more: str = "") -> str:
    """Return a page of a blog or a magazine, as a block theme of WordPress makes it."""
    own, first, second, third, fourth = _names(lang)
    own = name or own
    return (
        _head(title, lang, more)
        + f'<link rel="alternate" type="application/rss+xml" title="{own} &raquo; Feed" href="/feed/">\n<link rel="stylesheet" id="wp-block-library-css" href="/wp-includes/css/dist/block-library/style.min.css?ver=6.8.2" media="all">\n<link rel="https://api.w.org/" href="/wp-json/">\n<meta name="generator" content="WordPress 6.8.2">\n</head>\n<body class="wp-embed-responsive wp-theme-twentytwentyfive">\n<div class="wp-site-blocks"><header class="wp-block-template-part"><p class="wp-block-site-title"><a href="/" rel="home">{own}</a></p><nav class="wp-block-navigation"><ul><li><a href="/">{first}</a></li><li><a href="/lights/">{second}</a></li><li><a href="/archive/">{third}</a></li></ul></nav></header>\n<main class="wp-block-group" id="wp--skip-link--target">{main}</main>\n<footer class="wp-block-template-part"><p><a href="/contact/">{fourth}</a></p><p>{own}</p></footer></div>\n<script type="speculationrules">{{"prefetch":[{{"source":"document"}}]}}</script>\n</body>\n</html>\n'
    )


def office(title: str, main: str, *, lang: str = "en", name: str = "", more: str = "") -> str:
    """Return a page of an authority, a school, a museum or a company, as TYPO3 and Drupal do."""
    own, first, second, third, fourth = _names(lang)
    own = name or own
    return (
        _head(title, lang, more)
        + f'<link rel="stylesheet" href="/typo3temp/assets/compressed/merged-1862.css">\n</head>\n<body id="p142" class="page-142 layout-default">\n<ul class="skiplinks"><li><a href="#content">&darr;</a></li></ul>\n<header class="page-header"><a class="logo" href="/"><img src="/_assets/logo.svg" alt="{own}"></a><nav aria-label="main"><ul><li><a href="/">{first}</a></li><li><a href="/lights">{second}</a></li><li><a href="/archive">{third}</a></li></ul></nav><form action="/search" role="search"><input type="search" name="q"></form></header>\n<div id="content" class="frame">{main}</div>\n<footer><nav><a href="/contact">{fourth}</a><a href="/sitemap">{own}</a></nav></footer>\n</body>\n</html>\n'
    )


def shop(title: str, main: str, *, lang: str = "en", name: str = "", more: str = "") -> str:
    """Return a page of a shop or of a board of advertisements."""
    own, first, second, _, fourth = _names(lang)
    own = name or own
    return (
        _head(title, lang, more)
        + f'<link rel="preconnect" href="https://cdn.shop-assets.example" crossorigin>\n<script>window.Shopify=window.Shopify||{{}};Shopify.locale="{lang}";</script>\n</head>\n<body class="gradient">\n<div class="announcement-bar"></div><header class="header"><a href="/" class="header__heading-link">{own}</a><ul class="list-menu"><li><a href="/">{first}</a></li><li><a href="/collections/all">{second}</a></li></ul><a href="/cart" id="cart-icon-bubble"><span>0</span></a></header>\n<main id="MainContent" class="content-for-layout">{main}</main>\n<footer class="footer"><a href="/pages/contact">{fourth}</a><small>&copy; 2026, {own}</small></footer>\n</body>\n</html>\n'
    )


def forum(title: str, main: str, *, lang: str = "en", name: str = "") -> str:
    """Return a page of a forum."""
    own, first, second, _, _ = _names(lang)
    own = name or own
    return (
        _head(title, lang, '<meta name="generator" content="Discourse 2026.1">\n')
        + f'</head>\n<body class="crawler browser-update">\n<header><a href="/">{own}</a></header>\n<nav class="crawler-nav"><a href="/">{first}</a><a href="/c/lights/7">{second}</a></nav>\n<div id="main-outlet" class="wrap">{main}</div>\n<footer class="container wrap"><nav><a href="/tos">{own}</a></nav></footer>\n</body>\n</html>\n'
    )


def docs(title: str, main: str, *, lang: str = "en", name: str = "", more: str = "") -> str:
    """Return a page of documentation, as Docusaurus makes it."""
    own, first, second, third, _ = _names(lang)
    own = name or own
    return (
        _head(f"{title} | {own}", lang, more)
        + f'<meta data-rh="true" name="docusaurus_locale" content="{lang}">\n<link rel="stylesheet" href="/assets/css/styles.1862.css">\n</head>\n<body class="navigation-with-keyboard">\n<div id="__docusaurus"><nav class="navbar"><a class="navbar__brand" href="/">{own}</a></nav><div class="theme-doc-sidebar"><ul class="menu__list"><li><a href="/docs/intro">{first}</a></li><li><a href="/docs/lights">{second}</a></li><li><a href="/docs/archive">{third}</a></li></ul></div>\n<main class="docMainContainer">{main}</main></div>\n<script src="/assets/js/main.1862.js" defer></script>\n</body>\n</html>\n'
    )


def forge(title: str, main: str) -> str:
    """Return a page of a code host."""
    return (
        _head(title, "en", "")
        + f'<link rel="stylesheet" href="/assets/css/index.css?v=13.0.2">\n</head>\n<body hx-swap="outerHTML">\n<div class="full height"><nav id="navbar" aria-label="Navigation Bar"><a class="item" id="navbar-logo" href="/">Forge</a><a class="item" href="/explore/repos">Explore</a><a class="item" href="/user/login">Sign in</a></nav>\n<div role="main" aria-label="{title}" class="page-content repository">{main}</div></div>\n<footer class="page-footer" role="group">Powered by Forgejo</footer>\n</body>\n</html>\n'
    )


def app(title: str, root: str = "", *, lang: str = "en", more: str = "", data: str = "") -> str:
    """Return a page of an application: its rendered root, its scripts and its data."""
    return (
        _head(title, lang, more)
        + f'<link rel="preload" href="/_next/static/media/a1862.woff2" as="font" crossorigin>\n<script src="/_next/static/chunks/main-app-1862.js" async></script>\n</head>\n<body>\n<div id="__next">{root}</div>{data}\n<div id="portal"></div>\n</body>\n</html>\n'
    )


def bare(title: str, body: str, *, lang: str = "en", more: str = "") -> str:
    """Return a page without a menu or a footer."""
    return (
        _head(title, lang, more)
        + f"<style>body{{font-family:system-ui;text-align:center;padding:12vh 1rem}}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def home(lang: str = "en", name: str = "") -> Reply:
    own, _, second, third, _ = _names(lang)
    own = name or own
    text = f"<h1>{own}</h1>{prose(lang)}<h2>{second}</h2><ul><li><a href='/lights/north'>1862</a></li><li><a href='/lights/south'>1874</a></li></ul><h2>{third}</h2><p><a href='/archive/1911'>1911</a></p>"
    return html(blog(own, text, lang=lang, name=own))


ROBOTS = plain("User-agent: *\nDisallow: /wp-admin/\nSitemap: http://$HOST/sitemap.xml\n")
LOST = html(
    "<html>\r\n<head><title>404 Not Found</title></head>\r\n<body>\r\n<center><h1>404 Not Found</h1></center>\r\n<hr><center>nginx/1.26.3</center>\r\n</body>\r\n</html>\r\n",
    "Server: nginx/1.26.3",
    status=404,
)


def answer(page: str, *headers: str, status: int = 200) -> Answer:
    """Return the page as a reply; `$PATH` in it becomes the address that was asked for."""
    if "$PATH" not in page:
        return html(page, *headers, status=status)
    return lambda visit, _times: html(
        page.replace("$PATH", escape(visit.target)), *headers, status=status
    )


@dataclass(frozen=True, kw_only=True)
class Seen:
    """A reply at its path, and what its host answers at other paths."""

    source: str
    reply: Answer
    path: str
    lang: str = "en"
    name: str = ""
    scope: str = "one"  # "one": the path alone; "all": every unknown path; else a prefix of paths
    near: Mapping[str, Answer] = field(default_factory=dict)  # living neighbors by path
    lost: Answer = LOST  # the answer to any other path

    @property
    def site(self) -> Site:
        known = {"/": home(self.lang, self.name), "/robots.txt": ROBOTS, **self.near}
        if self.scope == "all":
            return {**known, ELSE: self.reply}
        if self.scope == "one":
            return {**known, self.path: self.reply, ELSE: self.lost}
        return {**known, ELSE: self._below}

    def _below(self, visit: Visit, times: int) -> Reply:
        reply = self.reply if visit.target.startswith(self.scope) else self.lost
        return reply if isinstance(reply, Reply) else reply(visit, times)


def on(
    source: str,
    path: str,
    page: str,
    *headers: str,
    scope: str = "one",
    lang: str = "en",
    name: str = "",
    status: int = 200,
    near: Mapping[str, Answer] | None = None,
    lost: Answer = LOST,
) -> Seen:
    """Return the page at its path, on a host whose other paths answer as `scope` says."""
    return Seen(
        source=source,
        reply=answer(page, *headers, status=status),
        path=path,
        lang=lang,
        name=name,
        scope=scope,
        near=near or {},
        lost=lost,
    )
