"""Whole pages in the layouts of common systems: sites of blocks, offices, shops, boards, apps."""

# ruff: noqa: E501, RUF001
from dataclasses import dataclass

from tests.zoo.server import Visit
from tests.zoo.wild.case import ELSE, Answer, Reply, Site, html, plain

# By language: the name of the site, and four entries of its menu.
_SITE = {
    "en": "Harbor Lights|Home|Lighthouses|Journal|Contact us",
    "de": "Leuchtfeuer|Startseite|Leuchttürme|Magazin|Impressum",
    "fr": "Feux de mer|Accueil|Phares|Journal|Mentions légales",
    "es": "Luces del Puerto|Inicio|Faros|Revista|Contacto",
    "ca": "Llums del Port|Inici|Fars|Revista|Contacte",
    "it": "Luci del Porto|Home|Fari|Rivista|Contatti",
    "pt": "Luzes do Porto|Início|Faróis|Revista|Contato",
    "nl": "Havenlichten|Home|Vuurtorens|Nieuws|Contact",
    "sv": "Hamnljus|Start|Fyrar|Nyheter|Kontakt",
    "da": "Havnelys|Forside|Fyrtårne|Nyheder|Kontakt",
    "no": "Havnelys|Hjem|Fyr|Nyheter|Kontakt oss",
    "fi": "Satamavalot|Etusivu|Majakat|Uutiset|Yhteystiedot",
    "pl": "Światła Portu|Strona główna|Latarnie|Aktualności|Kontakt",
    "cs": "Světla přístavu|Úvod|Majáky|Aktuality|Kontakty",
    "sk": "Svetlá prístavu|Domov|Majáky|Novinky|Kontakt",
    "hu": "Kikötői fények|Főoldal|Világítótornyok|Hírek|Kapcsolat",
    "ro": "Luminile Portului|Acasă|Faruri|Știri|Contact",
    "bg": "Пристанищни светлини|Начало|Фарове|Новини|Контакти",
    "hr": "Svjetla luke|Naslovnica|Svjetionici|Vijesti|Kontakt",
    "lt": "Uosto žiburiai|Pradžia|Švyturiai|Naujienos|Kontaktai",
    "lv": "Ostas gaismas|Sākums|Bākas|Jaunumi|Kontakti",
    "et": "Sadamatuled|Avaleht|Tuletornid|Uudised|Kontakt",
    "el": "Φώτα Λιμανιού|Αρχική|Φάροι|Νέα|Επικοινωνία",
    "ru": "Огни гавани|Главная|Маяки|Новости|Контакты",
    "uk": "Вогні гавані|Головна|Маяки|Новини|Контакти",
    "tr": "Liman Işıkları|Ana Sayfa|Fenerler|Haberler|İletişim",
    "ar": "أضواء الميناء|الرئيسية|المنارات|الأخبار|اتصل بنا",
    "fa": "چراغ‌های بندر|خانه|فانوس‌ها|اخبار|تماس",
    "he": "אורות הנמל|דף הבית|מגדלורים|חדשות|צור קשר",
    "hi": "बंदरगाह की रोशनी|मुखपृष्ठ|प्रकाशस्तंभ|समाचार|संपर्क",
    "vi": "Ánh sáng Cảng|Trang chủ|Hải đăng|Tin tức|Liên hệ",
    "id": "Cahaya Pelabuhan|Beranda|Mercusuar|Berita|Kontak",
    "th": "แสงท่าเรือ|หน้าหลัก|ประภาคาร|ข่าว|ติดต่อเรา",
    "ja": "港の灯|トップ|灯台|新着|お問い合わせ",
    "ko": "항구의 불빛|홈|등대|소식|문의하기",
    "zh": "港口灯火|首页|灯塔|资讯|联系我们",
    "tw": "港口燈火|首頁|燈塔|最新消息|聯絡我們",
}
_STORY = {
    "en": "<p>The lamp was first lit on a Tuesday in November 1843, and the keeper wrote in his book that nobody had come to see it. He burned colza oil, trimmed the wicks every four hours, and wound the clockwork by hand until the motor came in 1926. His log fills eleven volumes, most of it weather, with one page on a seal that learned to knock.</p><p>Today the lens stands in the hall of the museum. On clear evenings it is lit for an hour, and the beam reaches the ferry.</p>",
    "de": "<p>Die Lampe brannte zum ersten Mal an einem Dienstag im November 1843, und der Wärter schrieb in sein Buch, dass niemand gekommen sei, um sie zu sehen. Er verbrauchte Rüböl und zog das Uhrwerk von Hand auf, bis 1926 der Motor kam. Sein Tagebuch umfasst elf Bände, das meiste davon Wetter.</p>",
    "fr": "<p>La lampe fut allumée pour la première fois un mardi de novembre 1843, et le gardien nota dans son registre que personne n'était venu la voir. Il brûlait de l'huile de colza et remontait le mécanisme à la main jusqu'à l'arrivée du moteur en 1926.</p>",
    "es": "<p>La lámpara se encendió por primera vez un martes de noviembre de 1843, y el farero anotó en su libro que nadie había venido a verla. Quemaba aceite de colza y daba cuerda al mecanismo a mano hasta que llegó el motor en 1926.</p>",
    "it": "<p>La lampada fu accesa per la prima volta un martedì di novembre del 1843, e il guardiano scrisse nel suo registro che nessuno era venuto a vederla. Bruciava olio di colza e caricava il meccanismo a mano fino al 1926.</p>",
    "pt": "<p>A lâmpada foi acesa pela primeira vez numa terça-feira de novembro de 1843, e o faroleiro escreveu no seu livro que ninguém viera vê-la. Queimava óleo de colza e dava corda ao mecanismo à mão até chegar o motor, em 1926.</p>",
    "nl": "<p>De lamp brandde voor het eerst op een dinsdag in november 1843, en de wachter schreef in zijn boek dat niemand was komen kijken. Hij stookte raapolie en wond het uurwerk met de hand op tot de motor kwam in 1926.</p>",
    "sv": "<p>Lampan tändes första gången en tisdag i november 1843, och fyrvaktaren skrev i sin bok att ingen hade kommit för att se den. Han eldade med rovolja och drog upp urverket för hand fram till 1926.</p>",
    "da": "<p>Lampen blev tændt første gang en tirsdag i november 1843, og fyrmesteren skrev i sin bog, at ingen var kommet for at se den. Han brændte rapsolie og trak urværket op med hånden indtil 1926.</p>",
    "no": "<p>Lampen ble tent første gang en tirsdag i november 1843, og fyrvokteren skrev i boken sin at ingen var kommet for å se den. Han trakk opp urverket for hånd til motoren kom i 1926.</p>",
    "fi": "<p>Lamppu sytytettiin ensi kerran eräänä tiistaina marraskuussa 1843, ja majakanvartija kirjoitti kirjaansa, ettei kukaan ollut tullut katsomaan sitä. Hän veti koneiston käsin vuoteen 1926 asti.</p>",
    "pl": "<p>Lampę zapalono po raz pierwszy we wtorek w listopadzie 1843 roku, a latarnik zapisał w swojej księdze, że nikt nie przyszedł jej zobaczyć. Palił olejem rzepakowym i nakręcał mechanizm ręcznie, aż w 1926 roku pojawił się silnik.</p>",
    "cs": "<p>Lampa se poprvé rozsvítila v úterý v listopadu 1843 a strážce si do knihy zapsal, že se na ni nikdo nepřišel podívat. Svítil řepkovým olejem a hodinový stroj natahoval ručně až do roku 1926.</p>",
    "ro": "<p>Lampa a fost aprinsă prima dată într-o marți din noiembrie 1843, iar paznicul a scris în registru că nimeni nu venise să o vadă. Ardea ulei de rapiță și întorcea mecanismul cu mâna până în 1926.</p>",
    "el": "<p>Η λάμπα άναψε για πρώτη φορά μια Τρίτη του Νοεμβρίου του 1843 και ο φαροφύλακας έγραψε στο βιβλίο του ότι κανείς δεν ήρθε να τη δει. Κούρδιζε τον μηχανισμό με το χέρι ώς το 1926.</p>",
    "ru": "<p>Лампу впервые зажгли во вторник в ноябре 1843 года, и смотритель записал в журнал, что посмотреть на неё никто не пришёл. Он жёг сурепное масло и заводил механизм вручную, пока в 1926 году не появился мотор.</p>",
    "uk": "<p>Лампу вперше запалили у вівторок у листопаді 1843 року, і доглядач записав до книги, що подивитися на неї ніхто не прийшов. Він заводив механізм руками, аж доки 1926 року не з'явився мотор.</p>",
    "tr": "<p>Lamba ilk kez 1843 Kasım'ında bir salı günü yakıldı ve fenerci defterine kimsenin onu görmeye gelmediğini yazdı. Kolza yağı yakıyor, 1926'da motor gelene kadar düzeneği elle kuruyordu.</p>",
    "ar": "<p>أُضيء المصباح لأول مرة يوم ثلاثاء من نوفمبر 1843، وكتب الحارس في دفتره أن أحداً لم يأت لرؤيته. كان يحرق زيت اللفت ويدير الآلة بيده حتى وصل المحرك عام 1926.</p>",
    "fa": "<p>چراغ نخستین بار در سه‌شنبه‌ای از نوامبر ۱۸۴۳ روشن شد و نگهبان در دفترش نوشت که هیچ‌کس برای دیدنش نیامد.</p>",
    "he": "<p>המנורה הודלקה לראשונה ביום שלישי בנובמבר 1843, והשומר כתב ביומנו שאיש לא בא לראותה. הוא מתח את המנגנון ביד עד שנת 1926.</p>",
    "hi": "<p>दीप पहली बार नवंबर 1843 के एक मंगलवार को जलाया गया, और रखवाले ने अपनी पुस्तक में लिखा कि उसे देखने कोई नहीं आया। वह 1926 तक यंत्र को हाथ से चलाता रहा।</p>",
    "vi": "<p>Ngọn đèn được thắp lần đầu vào một ngày thứ Ba tháng 11 năm 1843, và người gác đèn ghi vào sổ rằng không ai đến xem. Ông lên dây cót bằng tay cho đến năm 1926.</p>",
    "id": "<p>Lampu itu pertama kali dinyalakan pada suatu Selasa di bulan November 1843, dan penjaganya menulis bahwa tak seorang pun datang melihatnya. Ia memutar mesinnya dengan tangan sampai 1926.</p>",
    "th": "<p>ตะเกียงถูกจุดครั้งแรกในวันอังคารหนึ่งของเดือนพฤศจิกายน ค.ศ. 1843 และผู้เฝ้าจดไว้ว่าไม่มีใครมาดู</p>",
    "ja": "<p>灯は一八四三年十一月のある火曜日に初めてともされ、灯台守は日誌に、見に来た者は一人もいなかったと記した。菜種油を焚き、一九二六年に発動機が来るまで、歯車は手で巻いていた。</p>",
    "ko": "<p>등불은 1843년 11월 어느 화요일에 처음 켜졌고, 등대지기는 아무도 보러 오지 않았다고 일지에 적었다. 그는 1926년 발동기가 올 때까지 태엽을 손으로 감았다.</p>",
    "zh": "<p>一八四三年十一月的一个星期二，灯第一次点亮，守灯人在簿子里写道：没有一个人来看。他烧菜籽油，用手给机器上弦，直到一九二六年装上马达。</p>",
    "tw": "<p>一八四三年十一月的一個星期二，燈第一次點亮，守燈人在簿子裡寫道：沒有一個人來看。他用手給機器上弦，直到一九二六年裝上馬達。</p>",
}
_RIGHT_TO_LEFT = ("ar", "fa", "he")


def _of(lang: str) -> list[str]:
    return _SITE.get(lang, _SITE["en"]).split("|")


def story(lang: str = "en", times: int = 1) -> str:
    return _STORY.get(lang, _STORY["en"]) * times


def _head(title: str, lang: str, more: str = "") -> str:
    tag = "zh-TW" if lang == "tw" else lang
    way = ' dir="rtl"' if lang in _RIGHT_TO_LEFT else ""
    return f'<!doctype html>\n<html lang="{tag}"{way}>\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width,initial-scale=1">\n<title>{title}</title>\n{more}</head>\n'


def blocks(title: str, main: str, *, lang: str = "en", name: str = "", more: str = "") -> str:
    """Return a page of a site built with blocks."""
    own, first, second, third, fourth = _of(lang)
    own = name or own
    style = '<link rel="stylesheet" id="block-style-css" href="/wp-content/themes/quay/style.min.css?ver=6.8">\n'
    return (
        _head(title, lang, style + more)
        + f'<body class="wp-embed-responsive">\n<div class="wp-site-blocks"><header class="wp-block-template-part"><p class="wp-block-site-title"><a href="/" rel="home">{own}</a></p><nav class="wp-block-navigation"><ul><li><a href="/">{first}</a></li><li><a href="/lights/">{second}</a></li><li><a href="/journal/">{third}</a></li><li><a href="/contact/">{fourth}</a></li></ul></nav></header>\n'
        f'<main class="wp-block-group" id="wp--skip-link--target">{main}</main>\n<footer class="wp-block-template-part"><p>&copy; 2026 {own}</p><p><a href="/privacy/">&middot;</a></p></footer></div>\n</body>\n</html>\n'
    )


def office(title: str, main: str, *, lang: str = "en", name: str = "", more: str = "") -> str:
    """Return a page of an authority, a school or a town, with breadcrumbs and a sidebar."""
    own, first, second, third, fourth = _of(lang)
    own = name or own
    return (
        _head(
            title,
            lang,
            '<link href="/typo3temp/assets/compressed/merged-7c.css" rel="stylesheet">\n' + more,
        )
        + f'<body id="p1843">\n<div id="top"><a class="logo" href="/"><img src="/fileadmin/logo.svg" alt="{own}"></a><form action="/search" role="search"><input name="q" type="search"></form></div>\n<ol class="breadcrumb"><li><a href="/">{first}</a></li></ol>\n<div class="row"><aside class="col-3"><ul><li><a href="/a">{second}</a></li><li><a href="/b">{third}</a></li></ul></aside>\n<div class="col-9" role="main">{main}</div></div>\n<footer><a href="/c">{fourth}</a> {own}</footer>\n</body></html>\n'
    )


def market(title: str, main: str, *, lang: str = "en", name: str = "", more: str = "") -> str:
    """Return a page of a shop or a market."""
    own, first, second, _, fourth = _of(lang)
    own = name or own
    return (
        _head(
            title,
            lang,
            '<link rel="preload" as="style" href="/cdn/shop/t/18/assets/base.css?v=43">\n' + more,
        )
        + f'<body class="template">\n<div class="header-wrapper"><a href="/" class="header__heading-link">{own}</a><a href="/cart" id="cart-icon-bubble">0</a><details-modal><form action="/search"><input name="q"></form></details-modal></div>\n<nav><a href="/">{first}</a><a href="/collections/all">{second}</a></nav>\n<main id="MainContent">{main}</main>\n<div class="footer"><a href="/pages/contact">{fourth}</a></div>\n</body></html>\n'
    )


def board(title: str, main: str, *, lang: str = "en", name: str = "") -> str:
    """Return a page of a message board."""
    own, first, second, _, _ = _of(lang)
    own = name or own
    return (
        _head(
            title, lang, '<link rel="stylesheet" href="/styles/prosilver/theme/stylesheet.css">\n'
        )
        + f'<body class="section-viewtopic ltr">\n<div id="wrap"><div id="page-header"><h1><a href="/">{own}</a></h1></div><ul id="nav-breadcrumbs"><li><a href="/">{first}</a></li><li><a href="/viewforum.php?f=2">{second}</a></li></ul>\n<div id="page-body" role="main">{main}</div>\n<div id="page-footer">{own}</div></div>\n</body></html>\n'
    )


def docs(title: str, main: str, *, lang: str = "en", name: str = "") -> str:
    """Return a page of a manual."""
    own, first, second, _, _ = _of(lang)
    own = name or own
    return (
        _head(title, lang, '<link rel="stylesheet" href="/assets/css/styles.1843.css">\n')
        + f'<body class="navigation-with-keyboard">\n<div id="__docusaurus"><nav class="navbar"><a class="navbar__brand" href="/">{own}</a><a href="/docs/intro">{second}</a></nav><div class="main-wrapper"><aside class="sidebar"><ul><li><a href="/">{first}</a></li><li><a href="/docs/install">Install</a></li><li><a href="/docs/lamp">Lamp</a></li></ul></aside><main>{main}</main></div></div>\n</body></html>\n'
    )


def app(title: str, root: str = "", *, lang: str = "en", more: str = "", data: str = "") -> str:
    """Return a page of an application: its rendered root, its scripts and its data."""
    script = '<script src="/_next/static/chunks/main-app-1843.js" async></script>\n'
    return (
        _head(title, lang, script + more)
        + f'<body>\n<div id="__next">{root}</div>{data}\n</body>\n</html>\n'
    )


def alone(title: str, body: str, *, lang: str = "en", more: str = "") -> str:
    """Return a page without a menu or a footer."""
    return (
        _head(title, lang, "<style>body{font-family:system-ui;text-align:center}</style>\n" + more)
        + f'<body>\n<div class="container">{body}</div>\n</body>\n</html>\n'
    )


def home(lang: str = "en", name: str = "") -> Reply:
    own, _, second, third, _ = _of(lang)
    own = name or own
    text = f"<h1>{own}</h1>{story(lang)}<h2>{second}</h2><ul><li><a href='/lights/1'>1</a></li><li><a href='/lights/2'>2</a></li></ul><h2>{third}</h2>"
    return html(blocks(own, text, lang=lang, name=own))


ROBOTS = plain("User-agent: *\nDisallow: /search\n")
LOST = html(
    "<html>\r\n<head><title>404 Not Found</title></head>\r\n<body>\r\n<center><h1>404 Not Found</h1></center>\r\n<hr><center>nginx/1.27.4</center>\r\n</body>\r\n</html>\r\n",
    "Server: nginx/1.27.4",
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
    everywhere: bool = False  # every path except the home page gets the reply
    under: str = ""  # every path with this prefix gets the reply; other unknown paths get a 404

    @property
    def site(self) -> Site:
        front = home(self.lang, self.name)
        if self.everywhere:
            return {"/": front, ELSE: self.reply}
        if self.under:
            return {"/": front, "/robots.txt": ROBOTS, ELSE: self._below}
        return {"/": front, "/robots.txt": ROBOTS, self.path: self.reply, ELSE: LOST}

    def _below(self, visit: Visit, times: int) -> Reply:
        if not visit.target.startswith(self.under):
            return LOST
        return self.reply if isinstance(self.reply, Reply) else self.reply(visit, times)


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
    """Return a page that was seen at a path."""
    reply = html(page, *headers, status=status)
    return Seen(source=source, reply=reply, path=path, lang=lang, name=name, everywhere=everywhere)


def every(
    source: str, page: str, path: str, *headers: str, lang: str = "en", name: str = ""
) -> Seen:
    """Return a reply with a 200 that every path except the home page gets."""
    return seen(source, page, path, *headers, lang=lang, name=name, everywhere=True)


def below(
    source: str,
    page: str,
    under: str,
    rest: str,
    *headers: str,
    lang: str = "en",
    name: str = "",
    status: int = 200,
) -> Seen:
    """Return a reply at `under` + `rest` that every path under `under` gets."""
    reply = html(page, *headers, status=status)
    return Seen(source=source, reply=reply, path=under + rest, lang=lang, name=name, under=under)
