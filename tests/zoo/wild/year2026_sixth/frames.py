"""Whole pages once more: universities, libraries, boards, shops, dailies, handbooks, bare shells."""

# ruff: noqa: E501, RUF001
from dataclasses import dataclass

from tests.zoo.wild.case import ELSE, Answer, Reply, Site, html

_MENU = {
    "en": ("Home", "About", "News", "Contact us", "Privacy"),
    "de": ("Start", "Über uns", "Neues", "Kontakt", "Datenschutz"),
    "fr": ("Accueil", "À propos", "Actualités", "Nous contacter", "Vie privée"),
    "es": ("Portada", "Quiénes somos", "Novedades", "Contacto", "Privacidad"),
    "it": ("Home", "Chi siamo", "Novità", "Contatti", "Privacy"),
    "pt": ("Início", "Quem somos", "Novidades", "Fale conosco", "Privacidade"),
    "nl": ("Home", "Over ons", "Nieuws", "Contact", "Privacy"),
    "sv": ("Hem", "Om oss", "Nyheter", "Kontakt", "Integritet"),
    "da": ("Forside", "Om os", "Nyheder", "Kontakt", "Privatliv"),
    "nb": ("Forside", "Om oss", "Nyheter", "Kontakt", "Personvern"),
    "fi": ("Etusivu", "Meistä", "Uutiset", "Yhteystiedot", "Tietosuoja"),
    "is": ("Forsíða", "Um okkur", "Fréttir", "Hafa samband", "Persónuvernd"),
    "pl": ("Start", "O nas", "Nowości", "Kontakt", "Prywatność"),
    "cs": ("Domů", "O nás", "Novinky", "Kontakty", "Soukromí"),
    "sk": ("Domov", "O nás", "Novinky", "Kontakt", "Súkromie"),
    "sl": ("Domov", "O nas", "Novice", "Kontakt", "Zasebnost"),
    "hr": ("Naslovnica", "O nama", "Novosti", "Kontakt", "Privatnost"),
    "sr": ("Почетна", "О нама", "Вести", "Контакт", "Приватност"),
    "bg": ("Начало", "За нас", "Новини", "Контакти", "Поверителност"),
    "mk": ("Почетна", "За нас", "Вести", "Контакт", "Приватност"),
    "ro": ("Acasă", "Despre noi", "Noutăți", "Contact", "Confidențialitate"),
    "hu": ("Kezdőlap", "Rólunk", "Hírek", "Kapcsolat", "Adatkezelés"),
    "el": ("Αρχική", "Ποιοι είμαστε", "Νέα", "Επικοινωνία", "Απόρρητο"),
    "ru": ("Главная", "О нас", "Новости", "Контакты", "Конфиденциальность"),
    "uk": ("Головна", "Про нас", "Новини", "Контакти", "Конфіденційність"),
    "lt": ("Pradžia", "Apie mus", "Naujienos", "Kontaktai", "Privatumas"),
    "lv": ("Sākums", "Par mums", "Jaunumi", "Kontakti", "Privātums"),
    "et": ("Avaleht", "Meist", "Uudised", "Kontakt", "Privaatsus"),
    "tr": ("Ana sayfa", "Hakkımızda", "Haberler", "İletişim", "Gizlilik"),
    "az": ("Ana səhifə", "Haqqımızda", "Xəbərlər", "Əlaqə", "Məxfilik"),
    "ka": ("მთავარი", "ჩვენ შესახებ", "სიახლეები", "კონტაქტი", "კონფიდენციალურობა"),
    "hy": ("Գլխավոր", "Մեր մասին", "Նորություններ", "Կապ", "Գաղտնիություն"),
    "kk": ("Басты бет", "Біз туралы", "Жаңалықтар", "Байланыс", "Құпиялық"),
    "ar": ("الرئيسية", "من نحن", "الأخبار", "اتصل بنا", "الخصوصية"),
    "fa": ("خانه", "درباره ما", "خبرها", "تماس", "حریم خصوصی"),
    "ur": ("صفحۂ اول", "ہمارے بارے میں", "خبریں", "رابطہ", "رازداری"),
    "he": ("דף הבית", "אודות", "חדשות", "צור קשר", "פרטיות"),
    "hi": ("मुखपृष्ठ", "हमारे बारे में", "समाचार", "संपर्क", "गोपनीयता"),
    "bn": ("প্রচ্ছদ", "আমাদের সম্পর্কে", "খবর", "যোগাযোগ", "গোপনীয়তা"),
    "ne": ("गृहपृष्ठ", "हाम्रो बारेमा", "समाचार", "सम्पर्क", "गोपनीयता"),
    "ta": ("முகப்பு", "எங்களைப் பற்றி", "செய்திகள்", "தொடர்பு", "தனியுரிமை"),
    "th": ("หน้าแรก", "เกี่ยวกับเรา", "ข่าว", "ติดต่อ", "ความเป็นส่วนตัว"),
    "vi": ("Trang chủ", "Giới thiệu", "Tin tức", "Liên hệ", "Riêng tư"),
    "id": ("Beranda", "Tentang", "Berita", "Kontak", "Privasi"),
    "ms": ("Laman utama", "Tentang kami", "Berita", "Hubungi", "Privasi"),
    "tl": ("Home", "Tungkol sa amin", "Balita", "Makipag-ugnayan", "Privacy"),
    "sw": ("Mwanzo", "Kuhusu sisi", "Habari", "Wasiliana", "Faragha"),
    "ca": ("Inici", "Qui som", "Notícies", "Contacte", "Privadesa"),
    "eu": ("Hasiera", "Gutaz", "Albisteak", "Kontaktua", "Pribatutasuna"),
    "mn": ("Нүүр", "Бидний тухай", "Мэдээ", "Холбоо барих", "Нууцлал"),
    "zh": ("首页", "关于", "新闻", "联系", "隐私"),
    "zh-TW": ("首頁", "關於", "新聞", "聯絡", "隱私"),
    "ja": ("ホーム", "概要", "ニュース", "お問い合わせ", "個人情報保護"),
    "ko": ("홈", "소개", "뉴스", "문의", "개인정보"),
}
# What living pages are about.
_TEXT = {
    "en": "<p>The orchard was planted in 1892 by the schoolmaster, who had twelve sorts of pear sent by rail. Nine of them still bear. The oldest tree leans on an iron prop and is picked last, after the first frost.</p><p>Cuttings are given away in February. Whoever takes one writes the name of the sort on a slip and hangs it in the porch.</p>",
    "de": "<p>Der Obstgarten wurde 1892 vom Schulmeister angelegt, der zwölf Birnensorten mit der Bahn kommen ließ. Neun davon tragen noch. Der älteste Baum ruht auf einer eisernen Stütze und wird zuletzt gepflückt.</p>",
    "fr": "<p>Le verger fut planté en 1892 par l'instituteur, qui fit venir douze variétés de poires par le chemin de fer. Neuf donnent encore. Le plus vieil arbre s'appuie sur un étai de fer et se cueille en dernier.</p>",
    "es": "<p>El huerto lo plantó en 1892 el maestro, que hizo traer por ferrocarril doce clases de pera. Nueve siguen dando fruto. El árbol más viejo se apoya en un puntal de hierro y se recoge el último.</p>",
    "it": "<p>Il frutteto fu piantato nel 1892 dal maestro, che fece arrivare per ferrovia dodici varietà di pere. Nove danno ancora frutto. L'albero più vecchio si appoggia a un puntello di ferro.</p>",
    "pt": "<p>O pomar foi plantado em 1892 pelo mestre-escola, que mandou vir de comboio doze variedades de pera. Nove ainda dão fruto. A árvore mais velha apoia-se numa escora de ferro.</p>",
    "nl": "<p>De boomgaard werd in 1892 geplant door de schoolmeester, die twaalf perenrassen per spoor liet komen. Negen dragen er nog. De oudste boom leunt op een ijzeren stut.</p>",
    "sv": "<p>Fruktträdgården planterades 1892 av skolmästaren, som lät sända tolv päronsorter med tåget. Nio av dem bär ännu. Det äldsta trädet stöder sig på en järnstötta.</p>",
    "pl": "<p>Sad założył w 1892 roku nauczyciel, który sprowadził koleją dwanaście odmian grusz. Dziewięć wciąż owocuje. Najstarsze drzewo wspiera się na żelaznej podporze.</p>",
    "cs": "<p>Sad založil roku 1892 učitel, který si nechal vlakem poslat dvanáct odrůd hrušní. Devět z nich dosud plodí.</p>",
    "ru": "<p>Сад заложил в 1892 году школьный учитель, выписавший по железной дороге двенадцать сортов груш. Девять из них плодоносят до сих пор. Самое старое дерево опирается на железную подпорку.</p>",
    "tr": "<p>Bahçeyi 1892'de okul öğretmeni dikti; on iki çeşit armudu trenle getirtmişti. Dokuzu hâlâ meyve veriyor. En yaşlı ağaç demir bir desteğe yaslanır.</p>",
    "zh": "<p>果园是一八九二年由小学校长种下的，他托火车运来十二种梨树苗，其中九种至今仍在结果。最老的一棵倚着铁架，总是最后采摘。</p>",
    "ja": "<p>この果樹園は一八九二年に校長が開いたもので、十二種の梨の苗が鉄道で届けられた。今も九種が実をつける。最も古い木は鉄の支えにもたれている。</p>",
    "ko": "<p>과수원은 1892년 학교 선생이 가꾸기 시작했다. 그는 열두 가지 배나무를 기차로 들여왔고 그중 아홉 가지가 지금도 열매를 맺는다.</p>",
    "ar": "<p>غرس المعلم البستان عام 1892 بعد أن جلب اثني عشر صنفاً من الكمثرى بالقطار، ولا يزال تسعة منها يثمر. وتستند أقدم شجرة إلى دعامة من حديد.</p>",
}
_RIGHT = {"ar": ' dir="rtl"', "fa": ' dir="rtl"', "he": ' dir="rtl"', "ur": ' dir="rtl"'}


def _menu(lang: str) -> tuple[str, str, str, str, str]:
    return _MENU.get(lang, _MENU["en"])


def tale(lang: str = "en", times: int = 1) -> str:
    return _TEXT[lang] * times


def _top(title: str, lang: str, head: str = "") -> str:
    return (
        f'<!DOCTYPE html>\n<html lang="{lang}"{_RIGHT.get(lang, "")}>\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{title}</title>\n{head}\n</head>\n'
    )


def campus(
    title: str, main: str, *, lang: str = "en", name: str = "Orchard University", head: str = ""
) -> str:
    """Return a page of a university or an office, made with Drupal or TYPO3."""
    home, about, newest, contact, privacy = _menu(lang)
    return (
        _top(
            title,
            lang,
            '<meta name="generator" content="Drupal 11 (https://www.drupal.org)">'
            '<link rel="stylesheet" media="all" href="/sites/default/files/css/css_q1.css?delta=0">'
            + head,
        )
        + '<body class="path-node page-node-type-page"><a href="#main-content" class="visually-hidden focusable">#</a>'
        f'<div class="dialog-off-canvas-main-canvas"><header class="header"><a href="/" rel="home" class="site-logo">{name}</a>'
        f'<nav role="navigation" class="menu--main"><ul><li><a href="/">{home}</a></li><li><a href="/about">{about}</a></li><li><a href="/news">{newest}</a></li></ul></nav></header>'
        f'<main role="main"><a id="main-content" tabindex="-1"></a><div class="layout-content">{main}</div></main>'
        f'<footer role="contentinfo"><a href="/contact">{contact}</a> <a href="/privacy">{privacy}</a><p>&copy; 2026 {name}</p></footer></div>'
        '<script type="application/json" data-drupal-selector="drupal-settings-json">{"path":{"baseUrl":"\\/","currentLanguage":"'
        + lang
        + '"}}</script></body></html>\n'
    )


def store(
    title: str,
    main: str,
    *,
    lang: str = "en",
    name: str = "Pear &amp; Prop",
    head: str = "",
    kind: str = "product",
) -> str:
    """Return a page of a shop: a basket, a newsletter, what others bought."""
    home, about, _newest, contact, privacy = _menu(lang)
    return (
        _top(title, lang, '<link rel="stylesheet" href="/theme/shop.min.css?v=312">' + head)
        + f'<body class="{kind}-page"><div id="page"><header id="header"><a id="logo" href="/"><img src="/img/logo.png" alt="{name}"></a>'
        f'<form id="searchbox" action="/search"><input type="text" name="s"></form><a class="cart" href="/cart"><span class="count">0</span></a>'
        f'<ul class="menu"><li><a href="/">{home}</a></li><li><a href="/c/12-trees">1892</a></li><li><a href="/about">{about}</a></li></ul></header>'
        f'<section id="content">{main}</section>'
        f'<footer id="footer"><form class="newsletter" action="/newsletter"><input name="email" type="email"></form><a href="/contact">{contact}</a><a href="/privacy">{privacy}</a><p>&copy; 2026 {name}</p></footer></div>'
        '<script src="/theme/shop.min.js?v=312"></script></body></html>\n'
    )


def board(title: str, main: str, *, lang: str = "en", name: str = "Pomology Board") -> str:
    """Return a page of a board."""
    home, _about, newest, contact, privacy = _menu(lang)
    return (
        _top(title, lang, '<link rel="stylesheet" href="/css/forum.css?t=17">')
        + f'<body class="forum"><div id="top"><a href="/index.php">{name}</a><ul><li><a href="/index.php">{home}</a></li><li><a href="/index.php?action=recent">{newest}</a></li><li><a href="/index.php?action=login">&#128100;</a></li></ul></div>'
        f'<div id="main_content">{main}</div><div id="bottom"><a href="/contact">{contact}</a> <a href="/privacy">{privacy}</a></div></body></html>\n'
    )


def daily(
    title: str, main: str, *, lang: str = "en", name: str = "The Orchard Post", head: str = ""
) -> str:
    """Return a page of a newspaper, with its sections and what is read most."""
    home, about, newest, contact, privacy = _menu(lang)
    return (
        _top(
            title,
            lang,
            f'<meta property="og:site_name" content="{name}"><meta name="robots" content="max-image-preview:large">'
            + head,
        )
        + f'<body><div id="app"><header class="site-header"><a class="logo" href="/">{name}</a><nav><a href="/">{home}</a><a href="/latest">{newest}</a><a href="/sport">1892</a></nav></header>'
        f'<main class="content">{main}</main><aside class="ad-slot" data-ad="right"></aside>'
        f'<footer class="site-footer"><a href="/about">{about}</a><a href="/contact">{contact}</a><a href="/privacy">{privacy}</a><p>&copy; {name} 2026</p></footer></div>'
        '<script async src="https://securepubads.g.doubleclick.net/tag/js/gpt.js"></script></body></html>\n'
    )


def handbook(title: str, main: str, *, lang: str = "en", name: str = "Graft") -> str:
    """Return a page of a handbook, made with Docusaurus."""
    return (
        f'<!doctype html>\n<html lang="{lang}" dir="ltr" class="docs-wrapper plugin-docs" data-has-hydrated="false">\n<head>\n<meta charset="UTF-8">\n<meta name="generator" content="Docusaurus v3.9.2">\n<title data-rh="true">{title} | {name}</title>\n<link rel="stylesheet" href="/assets/css/styles.3a1b.css">\n<script src="/assets/js/main.9c1d.js" defer="defer"></script>\n</head>\n'
        '<body class="navigation-with-keyboard"><div id="__docusaurus"><div role="region" aria-label="Skip to main content"><a class="skipToContent" href="#__docusaurus_skipToContent_fallback">Skip to main content</a></div>'
        f'<nav aria-label="Main" class="navbar navbar--fixed-top"><a class="navbar__brand" href="/"><b class="navbar__title">{name}</b></a><a class="navbar__item navbar__link" href="/docs/intro">Docs</a><a class="navbar__item navbar__link" href="/blog">Blog</a></nav>'
        f'<div id="__docusaurus_skipToContent_fallback" class="main-wrapper">{main}</div>'
        f'<footer class="theme-layout-footer footer footer--dark"><div class="footer__copyright">Copyright © 2026 {name}. Built with Docusaurus.</div></footer></div></body></html>\n'
    )


def shell(title: str, root: str = "", *, lang: str = "en", head: str = "", after: str = "") -> str:
    """Return what an application of one page sends before its script runs."""
    return (
        _top(
            title,
            lang,
            '<script type="module" crossorigin src="/assets/index-B7kd1.js"></script><link rel="stylesheet" crossorigin href="/assets/index-Ck20.css">'
            + head,
        )
        + f'<body>\n<noscript>You need to enable JavaScript to run this app.</noscript>\n<div id="root">{root}</div>\n{after}</body>\n</html>\n'
    )


def lone(title: str, body: str, *, lang: str = "en", head: str = "") -> str:
    """Return a page that stands alone, without a menu."""
    return (
        _top(
            title,
            lang,
            "<style>body{margin:15vh auto;max-width:36em;font:16px/1.5 sans-serif}</style>" + head,
        )
        + f"<body>\n{body}\n</body>\n</html>\n"
    )


def home(lang: str = "en") -> Reply:
    """Return a home page in that language."""
    first = _menu(lang)[0]
    return html(
        campus(
            f"{first} | Orchard University",
            f"<h1>Orchard University</h1>{tale(lang if lang in _TEXT else 'en')}<ul><li><a href='/pears'>1892</a></li></ul>",
            lang=lang,
        )
    )


LOST = html(
    '<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">\n<html><head>\n<title>404 Not Found</title>\n</head><body>\n<h1>Not Found</h1>\n<p>The requested URL was not found on this server.</p>\n</body></html>\n',
    "Server: Apache",
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
