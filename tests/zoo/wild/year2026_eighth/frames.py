"""Whole pages in another arrangement: guides, presses, stalls, threads, lone pages, shells."""

# ruff: noqa: E501, RUF001
from dataclasses import dataclass

from tests.zoo.wild.case import ELSE, Answer, Reply, Site, html

# By language: the name of the site, and four entries of its menu.
_SITE = {
    "en": ("Orchard Trust", "Home", "Varieties", "Events", "About us"),
    "de": ("Obstbauverein", "Start", "Sorten", "Termine", "Über uns"),
    "fr": ("Vergers réunis", "Accueil", "Variétés", "Agenda", "À propos"),
    "es": ("Huertos del Valle", "Inicio", "Variedades", "Agenda", "Quiénes somos"),
    "it": ("Frutteti Riuniti", "Home", "Varietà", "Eventi", "Chi siamo"),
    "pt": ("Pomares do Vale", "Início", "Variedades", "Eventos", "Sobre nós"),
    "nl": ("Boomgaardvereniging", "Home", "Rassen", "Agenda", "Over ons"),
    "sv": ("Fruktodlarna", "Hem", "Sorter", "Evenemang", "Om oss"),
    "da": ("Frugtavlerne", "Forside", "Sorter", "Kalender", "Om os"),
    "fi": ("Hedelmätarha", "Etusivu", "Lajikkeet", "Tapahtumat", "Tietoa meistä"),
    "pl": ("Sady Doliny", "Start", "Odmiany", "Wydarzenia", "O nas"),
    "cs": ("Sady v údolí", "Domů", "Odrůdy", "Akce", "O nás"),
    "hu": ("Gyümölcsös Egylet", "Kezdőlap", "Fajták", "Események", "Rólunk"),
    "ro": ("Livezile Văii", "Acasă", "Soiuri", "Evenimente", "Despre noi"),
    "el": ("Οπωρώνες", "Αρχική", "Ποικιλίες", "Εκδηλώσεις", "Σχετικά"),
    "ru": ("Сады долины", "Главная", "Сорта", "События", "О нас"),
    "uk": ("Сади долини", "Головна", "Сорти", "Події", "Про нас"),
    "tr": ("Meyve Bahçeleri", "Anasayfa", "Çeşitler", "Etkinlikler", "Hakkımızda"),
    "ar": ("بساتين الوادي", "الرئيسية", "الأصناف", "الفعاليات", "من نحن"),
    "fa": ("باغ‌های دره", "خانه", "ارقام", "رویدادها", "درباره ما"),
    "he": ("מטעי העמק", "בית", "זנים", "אירועים", "אודות"),
    "vi": ("Vườn Thung Lũng", "Trang chủ", "Giống cây", "Sự kiện", "Giới thiệu"),
    "id": ("Kebun Lembah", "Beranda", "Varietas", "Acara", "Tentang"),
    "th": ("สวนหุบเขา", "หน้าแรก", "พันธุ์", "กิจกรรม", "เกี่ยวกับเรา"),
    "ja": ("谷の果樹園", "ホーム", "品種", "催し", "私たちについて"),
    "ko": ("골짜기 과수원", "홈", "품종", "행사", "소개"),
    "zh": ("山谷果园", "首页", "品种", "活动", "关于我们"),
}
_TALE = {
    "en": "<p>The oldest tree of the collection was grafted in 1871 and still bears in two years of three. Its apples are small, hard until Christmas and kept in straw under the mill. Grafts are cut in January, wrapped in damp moss and handed out in March to whoever brings a knife and a rootstock.</p><p>Each tree has a number, a card and a guardian. The card tells when it was pruned, by whom, and what it bore.</p>",
    "de": "<p>Der älteste Baum der Sammlung wurde 1871 veredelt und trägt noch in zwei von drei Jahren. Seine Äpfel sind klein, bis Weihnachten hart und liegen im Stroh unter der Mühle. Reiser werden im Januar geschnitten und im März ausgegeben.</p>",
    "fr": "<p>Le plus vieil arbre de la collection fut greffé en 1871 et donne encore deux années sur trois. Ses pommes sont petites, dures jusqu'à Noël, et se gardent sur la paille sous le moulin.</p>",
    "es": "<p>El árbol más viejo de la colección se injertó en 1871 y aún da fruto dos años de cada tres. Sus manzanas son pequeñas, duras hasta Navidad, y se guardan en paja bajo el molino.</p>",
    "it": "<p>L'albero più vecchio della raccolta fu innestato nel 1871 e dà ancora frutto due anni su tre. Le sue mele sono piccole, dure fino a Natale, e si conservano nella paglia sotto il mulino.</p>",
    "pt": "<p>A árvore mais velha da coleção foi enxertada em 1871 e ainda dá fruto em dois de cada três anos. As maçãs são pequenas e guardam-se em palha debaixo do moinho.</p>",
    "nl": "<p>De oudste boom van de verzameling werd in 1871 geënt en draagt nog twee van de drie jaar. De appels zijn klein en worden in stro onder de molen bewaard.</p>",
    "sv": "<p>Samlingens äldsta träd ympades 1871 och bär ännu två år av tre. Äpplena är små, hårda till jul och förvaras i halm under kvarnen.</p>",
    "pl": "<p>Najstarsze drzewo kolekcji zaszczepiono w 1871 roku i wciąż owocuje dwa lata na trzy. Jabłka są małe i leżą w słomie pod młynem.</p>",
    "cs": "<p>Nejstarší strom sbírky byl naroubován roku 1871 a dodnes plodí dva roky ze tří. Jablka jsou malá a uchovávají se ve slámě pod mlýnem.</p>",
    "hu": "<p>A gyűjtemény legöregebb fáját 1871-ben oltották, és három évből kettőben ma is terem. Almái aprók, és a malom alatt szalmában tartják őket.</p>",
    "ru": "<p>Самое старое дерево собрания привито в 1871 году и до сих пор плодоносит два года из трёх. Яблоки его мелкие, твёрдые до Рождества и хранятся в соломе под мельницей.</p>",
    "uk": "<p>Найстаріше дерево зібрання прищеплено 1871 року, і воно досі родить два роки з трьох. Яблука дрібні й лежать у соломі під млином.</p>",
    "tr": "<p>Koleksiyonun en yaşlı ağacı 1871'de aşılandı ve hâlâ üç yılın ikisinde meyve verir. Elmaları küçüktür, değirmenin altında samanda saklanır.</p>",
    "ar": "<p>طُعّمت أقدم شجرة في المجموعة عام 1871 وما زالت تثمر في سنتين من كل ثلاث. تفاحها صغير ويُحفظ في القش تحت الطاحونة.</p>",
    "ja": "<p>この園でいちばん古い木は一八七一年に接ぎ木され、いまも三年に二年は実をつける。実は小さく、水車小屋の下の藁に貯えられる。</p>",
    "ko": "<p>이 과수원에서 가장 오래된 나무는 1871년에 접붙인 것으로 지금도 세 해에 두 해는 열매를 맺는다. 사과는 작고 물레방앗간 아래 짚 속에 보관한다.</p>",
    "zh": "<p>园中最老的一棵树嫁接于一八七一年，至今三年里仍有两年结果。果子不大，贮藏在磨坊下的稻草里。</p>",
}


def _of(lang: str) -> tuple[str, str, str, str, str]:
    return _SITE.get(lang, _SITE["en"])


def tale(lang: str = "en", times: int = 1) -> str:
    return _TALE.get(lang, _TALE["en"]) * times


def _head(title: str, lang: str, more: str = "") -> str:
    way = "rtl" if lang in ("ar", "fa", "he") else "ltr"
    return f'<!DOCTYPE html><html lang="{lang}" dir="{way}"><head><meta charset="UTF-8"/><meta name="viewport" content="width=device-width, initial-scale=1"/><title>{title}</title>{more}</head>'


def guide(title: str, main: str, *, lang: str = "en", name: str = "", more: str = "") -> str:
    """Return a page of a guide for developers, with its side bar and what is on the page."""
    own, first, varieties, _, _ = _of(lang)
    return (
        _head(title, lang, '<link rel="stylesheet" href="/_astro/common.B3kx.css"/>' + more)
        + f'<body><a class="skip" href="#_top">&rarr;</a><header class="header"><a href="/" class="site-title">{name or own}</a><button data-open-modal aria-label="Search">&#8981;</button></header>'
        f'<div class="page sidebar-pane"><nav class="sidebar"><ul><li><a href="/">{first}</a></li><li><a href="/start/">Getting started</a></li><li><a href="/varieties/">{varieties}</a></li><li><a href="/reference/cli/">CLI</a></li></ul></nav>'
        f'<div class="main-frame"><main data-pagefind-body><div class="content-panel">{main}</div></main></div></div></body></html>'
    )


def press(title: str, main: str, *, lang: str = "en", name: str = "", more: str = "") -> str:
    """Return a page of a society, a town, a paper or a school."""
    own, first, varieties, events, about = _of(lang)
    own = name or own
    return (
        _head(
            title,
            lang,
            '<link rel="stylesheet" media="all" href="/sites/themes/bark/style.css?t3k"/>' + more,
        )
        + f'<body class="path"><div class="layout"><div class="topbar"><a href="/" class="brand" rel="home">{own}</a></div><nav role="navigation"><ul class="menu"><li><a href="/">{first}</a></li><li><a href="/varieties">{varieties}</a></li><li><a href="/events">{events}</a></li><li><a href="/about">{about}</a></li></ul></nav>'
        f'<div class="wrap"><main role="main">{main}</main></div><footer role="contentinfo"><ul><li><a href="/about">{about}</a></li><li><a href="/privacy">&sect;</a></li></ul><div>&copy; 1998&ndash;2026 {own}</div></footer></div></body></html>'
    )


def stall(title: str, main: str, *, lang: str = "en", name: str = "", more: str = "") -> str:
    """Return a page of a shop or a market, with its box to search and its basket."""
    own, first, varieties, events, about = _of(lang)
    own = name or own
    return (
        _head(
            title,
            lang,
            '<link rel="stylesheet" href="/themes/classic/assets/cache/theme-8f1.css"/>' + more,
        )
        + f'<body id="product"><header id="header"><a href="/"><img class="logo" src="/img/logo.png" alt="{own}"/></a><form id="search_widget" action="/search"><input type="text" name="s"/></form><a class="cart" href="/cart">(0)</a></header><nav><ul id="top-menu"><li><a href="/c/1">{varieties}</a></li><li><a href="/c/2">{events}</a></li></ul></nav>'
        f'<section id="wrapper"><ol class="breadcrumb"><li><a href="/">{first}</a></li></ol><div id="content-wrapper">{main}</div></section><footer id="footer"><a href="/content/4">{about}</a></footer></body></html>'
    )


def thread(title: str, main: str, *, lang: str = "en", name: str = "") -> str:
    """Return a page of a board for talk."""
    own, first, varieties, _, _ = _of(lang)
    own = name or own
    return (
        _head(title, lang, '<link rel="stylesheet" href="/cache/themes/theme1/global.css"/>')
        + f'<body><div id="container"><div id="header"><div id="logo"><a href="/">{own}</a></div><div id="panel"><a href="/login">&#9998;</a> <a href="/register">+</a></div></div><div class="navigation"><a href="/">{first}</a> &rsaquo; <a href="/forum-3.html">{varieties}</a></div>'
        f'<div id="content">{main}</div><div id="footer">&copy; 2026 {own}</div></div></body></html>'
    )


def shell(title: str, root: str = "", *, lang: str = "en", more: str = "", data: str = "") -> str:
    """Return what an application sends: a root, and its scripts."""
    return (
        _head(
            title,
            lang,
            '<script type="module" crossorigin src="/assets/index-C4v.js"></script>' + more,
        )
        + f'<body><div id="app" data-v-app>{root}</div>{data}</body></html>'
    )


def bare(title: str, body: str, *, lang: str = "en", more: str = "") -> str:
    """Return a page of a service that stands alone."""
    return (
        _head(
            title,
            lang,
            "<style>*{margin:0}main{max-width:40rem;margin:10vh auto;font:16px sans-serif}</style>"
            + more,
        )
        + f"<body><main>{body}</main></body></html>"
    )


def home(lang: str = "en", name: str = "") -> Reply:
    """Return a home page in that language."""
    own, _, varieties, events, _ = _of(lang)
    own = name or own
    return html(
        press(
            own,
            f"<h1>{own}</h1>{tale(lang)}<section><h2>{varieties}</h2><h2>{events}</h2></section>",
            lang=lang,
            name=own,
        )
    )


LOST = html(
    '<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">\n<html><head>\n<title>404 Not Found</title>\n</head><body>\n<h1>Not Found</h1>\n<p>The requested URL was not found on this server.</p>\n</body></html>\n',
    "Server: Apache",
    status=404,
)


@dataclass(frozen=True, kw_only=True)
class Seen:
    """An answer as it was seen, at its path."""

    source: str
    reply: Answer
    path: str
    lang: str = "en"
    name: str = ""
    everywhere: bool = False  # all but the home page is answered so

    @property
    def site(self) -> Site:
        if self.everywhere:
            return {"/": home(self.lang, self.name), ELSE: self.reply}
        return {"/": home(self.lang, self.name), self.path: self.reply, ELSE: LOST}


def seen(
    source: str,
    page: str,
    path: str,
    *headers: str,
    lang: str = "en",
    name: str = "",
    status: int = 200,
    everywhere: bool = False,
) -> Seen:
    """Return what was seen: that page at that path."""
    return Seen(
        source=source,
        reply=html(page, *headers, status=status),
        path=path,
        lang=lang,
        name=name,
        everywhere=everywhere,
    )
