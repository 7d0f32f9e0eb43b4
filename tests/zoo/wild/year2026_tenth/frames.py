"""Page layouts and hosts for the tenth part: news, authorities, shops, boards, manuals, apps."""

# ruff: noqa: E501, RUF001
from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.zoo.server import Visit
from tests.zoo.wild.case import ELSE, Answer, Reply, Site, html, plain

# By language: the name of the site, and four entries of its menu.
_NAMES = {
    "en": "Tramway Review|Home|Lines|Workshop|Contact",
    "de": "Straßenbahn-Rundschau|Start|Linien|Werkstatt|Kontakt",
    "fr": "La Revue du tram|Accueil|Lignes|Atelier|Contact",
    "es": "Revista del Tranvía|Inicio|Líneas|Taller|Contacto",
    "ca": "Revista del Tramvia|Inici|Línies|Taller|Contacte",
    "it": "Rivista del tram|Home|Linee|Officina|Contatti",
    "pt": "Revista do Elétrico|Início|Linhas|Oficina|Contactos",
    "nl": "Trambode|Home|Lijnen|Werkplaats|Contact",
    "sv": "Spårvägsbladet|Hem|Linjer|Verkstad|Kontakt",
    "da": "Sporvejsbladet|Forside|Linjer|Værksted|Kontakt",
    "no": "Trikkebladet|Forsiden|Linjer|Verksted|Kontakt",
    "fi": "Raitiotielehti|Etusivu|Linjat|Korjaamo|Yhteystiedot",
    "et": "Trammileht|Avaleht|Liinid|Töökoda|Kontakt",
    "lv": "Tramvaju ziņas|Sākums|Līnijas|Darbnīca|Kontakti",
    "lt": "Tramvajų žinios|Pradžia|Linijos|Dirbtuvė|Kontaktai",
    "pl": "Kurier Tramwajowy|Strona główna|Linie|Warsztat|Kontakt",
    "cs": "Tramvajový zpravodaj|Domů|Linky|Dílna|Kontakt",
    "sk": "Električkový spravodajca|Domov|Linky|Dielňa|Kontakt",
    "sl": "Tramvajske novice|Domov|Proge|Delavnica|Stik",
    "hr": "Tramvajski list|Početna|Linije|Radionica|Kontakt",
    "sr": "Трамвајски лист|Почетна|Линије|Радионица|Контакт",
    "bg": "Трамваен вестник|Начало|Линии|Работилница|Контакти",
    "hu": "Villamosposta|Kezdőlap|Vonalak|Műhely|Elérhetőség",
    "ro": "Revista Tramvaiului|Prima pagină|Linii|Atelier|Contact",
    "el": "Το Τραμ|Αρχική|Γραμμές|Συνεργείο|Επικοινωνία",
    "ru": "Трамвайный вестник|Главная|Маршруты|Депо|Контакты",
    "uk": "Трамвайний вісник|Головна|Маршрути|Депо|Контакти",
    "tr": "Tramvay Dergisi|Anasayfa|Hatlar|Atölye|İletişim",
    "ar": "مجلة الترام|الرئيسية|الخطوط|الورشة|اتصل بنا",
    "fa": "مجلهٔ تراموا|صفحهٔ اصلی|خطوط|کارگاه|تماس با ما",
    "he": "עיתון החשמלית|ראשי|קווים|בית מלאכה|צור קשר",
    "hi": "ट्राम पत्रिका|होम|मार्ग|कार्यशाला|संपर्क",
    "bn": "ট্রাম পত্রিকা|প্রচ্ছদ|রুট|কর্মশালা|যোগাযোগ",
    "vi": "Tạp chí Tàu điện|Trang nhất|Tuyến|Xưởng|Liên hệ",
    "id": "Majalah Trem|Beranda|Jalur|Bengkel|Kontak",
    "th": "วารสารรถราง|หน้าแรก|เส้นทาง|โรงซ่อม|ติดต่อ",
    "ja": "路面電車通信|ホーム|路線|工場|お問い合わせ",
    "ko": "노면전차 소식|홈|노선|정비소|문의",
    "zh": "有轨电车通讯|首页|线路|车间|联系",
    "tw": "路面電車通訊|首頁|路線|車間|聯絡",
}
# What the pages are about, in their language.
_PROSE = {
    "en": "<p>Line 7 opened in the spring of 1904 with six open cars and a depot behind the fish market. The brakes were worked by hand, and on the hill the conductor walked ahead with a bucket of sand. The line was cut back in 1958, and two of the cars have run on summer Sundays since 1991.</p>",
    "de": "<p>Die Linie 7 wurde im Frühjahr 1904 mit sechs offenen Wagen und einem Betriebshof hinter dem Fischmarkt eröffnet. Gebremst wurde von Hand, und am Berg ging der Schaffner mit einem Eimer Sand voraus. 1958 wurde die Strecke verkürzt; zwei Wagen fahren seit 1991 an Sommersonntagen.</p>",
    "fr": "<p>La ligne 7 ouvrit au printemps 1904 avec six voitures ouvertes et un dépôt derrière la halle aux poissons. On freinait à la main et, dans la côte, le receveur marchait devant avec un seau de sable. Raccourcie en 1958, elle voit rouler deux voitures les dimanches d'été depuis 1991.</p>",
    "es": "<p>La línea 7 se inauguró en la primavera de 1904 con seis coches abiertos y una cochera detrás de la lonja. Se frenaba a mano y en la cuesta el cobrador iba delante con un cubo de arena. Se acortó en 1958 y dos coches circulan los domingos de verano desde 1991.</p>",
    "ca": "<p>La línia 7 es va inaugurar la primavera de 1904 amb sis cotxes oberts i una cotxera darrere la llotja. Es frenava a mà i a la pujada el cobrador anava davant amb una galleda de sorra.</p>",
    "it": "<p>La linea 7 fu aperta nella primavera del 1904 con sei vetture aperte e un deposito dietro il mercato del pesce. Si frenava a mano e sulla salita il bigliettaio camminava davanti con un secchio di sabbia. Due vetture circolano ancora nelle domeniche d'estate.</p>",
    "pt": "<p>A linha 7 abriu na primavera de 1904 com seis carros abertos e uma remise atrás do mercado do peixe. Travava-se à mão e, na subida, o cobrador ia à frente com um balde de areia. Dois dos carros ainda circulam aos domingos de verão.</p>",
    "nl": "<p>Lijn 7 werd in het voorjaar van 1904 geopend met zes open wagens en een remise achter de vismarkt. Er werd met de hand geremd en op de helling liep de conducteur met een emmer zand vooruit. Twee wagens rijden nog op zomerse zondagen.</p>",
    "sv": "<p>Linje 7 öppnades våren 1904 med sex öppna vagnar och en vagnhall bakom fisktorget. Man bromsade för hand, och i backen gick konduktören före med en hink sand. Två av vagnarna går ännu på sommarsöndagar.</p>",
    "da": "<p>Linje 7 åbnede i foråret 1904 med seks åbne vogne og en remise bag fisketorvet. Der blev bremset med håndkraft, og op ad bakken gik konduktøren foran med en spand sand.</p>",
    "no": "<p>Linje 7 åpnet våren 1904 med seks åpne vogner og en vognhall bak fisketorget. Man bremset for hånd, og i bakken gikk konduktøren foran med en bøtte sand.</p>",
    "fi": "<p>Linja 7 avattiin keväällä 1904 kuudella avovaunulla, ja varikko oli kalatorin takana. Jarrutettiin käsin, ja mäessä rahastaja kulki edellä hiekkasankon kanssa.</p>",
    "et": "<p>Liin 7 avati 1904. aasta kevadel kuue lahtise vaguniga, depoo oli kalaturu taga. Pidurdati käsitsi ja mäest üles kõndis konduktor liivaämbriga ees.</p>",
    "lv": "<p>7. līniju atklāja 1904. gada pavasarī ar sešiem vaļējiem vagoniem un depo aiz zivju tirgus. Bremzēja ar roku, un kalnā konduktors gāja pa priekšu ar smilšu spaini.</p>",
    "lt": "<p>7 linija atidaryta 1904 m. pavasarį su šešiais atvirais vagonais ir depu už žuvų turgaus. Stabdoma buvo rankomis, o į kalną konduktorius ėjo priekyje su smėlio kibiru.</p>",
    "pl": "<p>Linię 7 otwarto wiosną 1904 roku z sześcioma otwartymi wagonami i zajezdnią za targiem rybnym. Hamowano ręcznie, a pod górę konduktor szedł przodem z wiadrem piasku. Dwa wagony wciąż kursują w letnie niedziele.</p>",
    "cs": "<p>Linka 7 byla otevřena na jaře 1904 se šesti otevřenými vozy a vozovnou za rybím trhem. Brzdilo se ručně a do kopce šel průvodčí napřed s kbelíkem písku. Dva vozy dosud jezdí o letních nedělích.</p>",
    "sk": "<p>Linka 7 bola otvorená na jar 1904 so šiestimi otvorenými vozňami a depom za rybím trhom. Brzdilo sa ručne a do kopca šiel sprievodca vpredu s vedrom piesku.</p>",
    "sl": "<p>Proga 7 je bila odprta spomladi 1904 s šestimi odprtimi vozovi in remizo za ribjo tržnico. Zavirali so ročno, v klanec pa je sprevodnik hodil spredaj z vedrom peska.</p>",
    "hr": "<p>Linija 7 otvorena je u proljeće 1904. sa šest otvorenih kola i spremištem iza ribarnice. Kočilo se rukom, a uzbrdo je kondukter hodao ispred s kantom pijeska.</p>",
    "sr": "<p>Линија 7 отворена је у пролеће 1904. са шест отворених кола и депоом иза рибље пијаце. Кочило се руком, а узбрдо је кондуктер ишао испред с кофом песка.</p>",
    "bg": "<p>Линия 7 е открита през пролетта на 1904 г. с шест открити вагона и депо зад рибния пазар. Спирало се на ръка, а нагоре кондукторът вървял отпред с кофа пясък.</p>",
    "hu": "<p>A 7-es vonalat 1904 tavaszán nyitották meg hat nyitott kocsival és a halpiac mögötti kocsiszínnel. Kézzel fékeztek, és az emelkedőn a kalauz egy vödör homokkal ment elöl. Két kocsi nyári vasárnapokon ma is jár.</p>",
    "ro": "<p>Linia 7 s-a deschis în primăvara anului 1904 cu șase vagoane deschise și un depou în spatele pieței de pește. Se frâna cu mâna, iar la deal taxatorul mergea înainte cu o găleată de nisip.</p>",
    "el": "<p>Η γραμμή 7 άνοιξε την άνοιξη του 1904 με έξι ανοιχτά οχήματα και αμαξοστάσιο πίσω από την ιχθυαγορά. Το φρένο ήταν χειροκίνητο και στην ανηφόρα ο εισπράκτορας πήγαινε μπροστά με έναν κουβά άμμο.</p>",
    "ru": "<p>Маршрут № 7 открыли весной 1904 года: шесть открытых вагонов и депо за рыбным рынком. Тормозили вручную, а в гору кондуктор шёл впереди с ведром песка. Два вагона и теперь ходят по летним воскресеньям.</p>",
    "uk": "<p>Маршрут № 7 відкрили навесні 1904 року: шість відкритих вагонів і депо за рибним ринком. Гальмували вручну, а вгору кондуктор ішов попереду з відром піску.</p>",
    "tr": "<p>7 numaralı hat 1904 baharında altı açık vagonla ve balık pazarının arkasındaki depoyla açıldı. Fren elle yapılır, yokuşta biletçi bir kova kumla önden yürürdü. Vagonların ikisi yaz pazarlarında hâlâ çalışıyor.</p>",
    "ar": "<p>افتُتح الخط السابع في ربيع عام 1904 بست عربات مكشوفة ومستودع خلف سوق السمك. كانت الفرامل يدوية، وفي الصعود كان المحصّل يمشي أمام العربة حاملاً دلواً من الرمل.</p>",
    "fa": "<p>خط هفت در بهار ۱۹۰۴ با شش واگن روباز و توقفگاهی پشت بازار ماهی گشایش یافت. ترمز دستی بود و در سربالایی بلیت‌فروش با سطلی شن جلوتر راه می‌رفت.</p>",
    "he": "<p>קו 7 נפתח באביב 1904 עם שישה קרונות פתוחים ומוסך מאחורי שוק הדגים. בלמו ביד, ובעלייה הלך הכרטיסן לפני הקרון עם דלי חול.</p>",
    "hi": "<p>मार्ग 7 वर्ष 1904 के वसंत में छह खुली गाड़ियों और मछली बाज़ार के पीछे एक डिपो के साथ खुला। ब्रेक हाथ से लगते थे और चढ़ाई पर कंडक्टर रेत की बाल्टी लेकर आगे चलता था।</p>",
    "bn": "<p>৭ নম্বর রুট ১৯০৪ সালের বসন্তে ছয়টি খোলা গাড়ি আর মাছবাজারের পেছনে একটি ডিপো নিয়ে চালু হয়। ব্রেক ছিল হাতে চালানো, আর চড়াইয়ে কন্ডাক্টর এক বালতি বালি নিয়ে সামনে হাঁটতেন।</p>",
    "vi": "<p>Tuyến số 7 mở cửa mùa xuân năm 1904 với sáu toa hở và một xưởng phía sau chợ cá. Phanh bằng tay, và khi lên dốc người soát vé xách xô cát đi trước.</p>",
    "id": "<p>Jalur 7 dibuka pada musim semi 1904 dengan enam gerbong terbuka dan depo di belakang pasar ikan. Rem digerakkan dengan tangan, dan di tanjakan kondektur berjalan di depan membawa seember pasir.</p>",
    "th": "<p>สาย 7 เปิดให้บริการในฤดูใบไม้ผลิ ค.ศ. 1904 ด้วยรถเปิดประทุนหกคันและโรงเก็บรถหลังตลาดปลา เบรกใช้มือ และบนทางชันพนักงานเก็บเงินจะเดินนำหน้าพร้อมถังทราย</p>",
    "ja": "<p>七号線は一九〇四年の春、魚市場の裏の車庫と六両の開放客車で開業した。制動は手で行い、坂では車掌が砂のバケツを提げて前を歩いた。うち二両は今も夏の日曜に走っている。</p>",
    "ko": "<p>7호선은 1904년 봄, 어시장 뒤의 차고와 지붕 없는 차량 여섯 대로 개통되었다. 제동은 손으로 했고 언덕에서는 차장이 모래 양동이를 들고 앞서 걸었다. 그중 두 대는 지금도 여름 일요일마다 다닌다.</p>",
    "zh": "<p>七号线于一九〇四年春天通车，有六辆敞篷车和鱼市后面的一座车库。刹车全靠手，上坡时售票员提着一桶沙走在前面。其中两辆至今仍在夏天的星期日行驶。</p>",
    "tw": "<p>七號線於一九〇四年春天通車，有六輛敞篷車和魚市後面的一座車庫。煞車全靠手，上坡時車掌提著一桶沙走在前面。其中兩輛至今仍在夏天的星期日行駛。</p>",
}


def prose(lang: str = "en", times: int = 1) -> str:
    return _PROSE[lang] * times


def _names(lang: str) -> list[str]:
    return _NAMES[lang].split("|")


def _start(title: str, lang: str, more: str) -> str:
    tag = "zh-Hant" if lang == "tw" else lang
    way = ' dir="rtl"' if lang in ("ar", "fa", "he") else ""
    return f'<!DOCTYPE html>\n<html lang="{tag}"{way}>\n<head>\n<meta charset="UTF-8">\n<title>{title}</title>\n<meta name="viewport" content="width=device-width, initial-scale=1">\n{more}'


def news(title: str, main: str, *, lang: str = "en", name: str = "", more: str = "") -> str:
    """Return a page of a newspaper or a blog."""
    own, first, second, third, fourth = _names(lang)
    own = name or own
    return (
        _start(title, lang, more)
        + f'<link rel="alternate" type="application/rss+xml" title="{own}" href="/feed/">\n<link rel="stylesheet" href="/static/main.7c07.css">\n</head>\n<body class="no-js">\n<div id="cookie-bar" hidden></div><header class="masthead"><a class="masthead__logo" href="/">{own}</a><nav><a href="/">{first}</a><a href="/lines/">{second}</a><a href="/workshop/">{third}</a></nav></header>\n<div class="ad-slot" data-slot="top"></div>\n<main class="content">{main}</main>\n<footer class="site-footer"><a href="/contact/">{fourth}</a><span>&copy; 2026 {own}</span></footer>\n<script async src="/static/bundle.1904.js"></script>\n</body>\n</html>\n'
    )


def office(title: str, main: str, *, lang: str = "en", name: str = "", more: str = "") -> str:
    """Return a page of an authority, a school, a library or a company."""
    own, first, second, third, fourth = _names(lang)
    own = name or own
    return (
        _start(title, lang, more)
        + f'<link rel="stylesheet" href="/sites/default/files/css/css_1904.css">\n</head>\n<body class="path-node">\n<a href="#main-content" class="visually-hidden">&darr;</a>\n<div class="region-header"><a href="/" rel="home"><img src="/logo.svg" alt="{own}"></a><ul class="menu"><li><a href="/">{first}</a></li><li><a href="/l">{second}</a></li><li><a href="/w">{third}</a></li></ul><form action="/search/node"><input type="search" name="keys"></form></div>\n<main role="main"><a id="main-content"></a>{main}</main>\n<footer><ul><li><a href="/contact">{fourth}</a></li><li><a href="/sitemap">{own}</a></li></ul></footer>\n</body>\n</html>\n'
    )


def store(title: str, main: str, *, lang: str = "en", name: str = "", more: str = "") -> str:
    """Return a page of a shop, a market place or a board of classified advertisements."""
    own, first, second, _, fourth = _names(lang)
    own = name or own
    return (
        _start(title, lang, more)
        + f'<link rel="stylesheet" href="/wp-content/plugins/woocommerce/assets/css/woocommerce.css?ver=10.1">\n</head>\n<body class="storefront">\n<header><a href="/" class="brand">{own}</a><form class="search" action="/search"><input name="q"></form><a href="/cart/" class="cart"><span class="amount">0,00</span></a></header>\n<nav class="cats"><a href="/">{first}</a><a href="/c/">{second}</a></nav>\n<div id="content" class="site-content">{main}</div>\n<footer><a href="/contact/">{fourth}</a><ul class="payment"><li>Visa</li><li>Mastercard</li></ul></footer>\n</body>\n</html>\n'
    )


def board(title: str, main: str, *, lang: str = "en", name: str = "") -> str:
    """Return a page of a message board."""
    own, first, second, _, _ = _names(lang)
    own = name or own
    return (
        _start(title, lang, '<link rel="stylesheet" href="/css.php?css=public%3Anormalize.css">\n')
        + f'</head>\n<body data-template="thread_view">\n<div class="p-pageWrapper"><header class="p-header"><a href="/">{own}</a></header><ul class="p-breadcrumbs"><li><a href="/">{first}</a></li><li><a href="/forums/7/">{second}</a></li></ul>\n<div class="p-body-content">{main}</div>\n<footer class="p-footer">{own}</footer></div>\n</body>\n</html>\n'
    )


def manual(title: str, main: str, *, lang: str = "en", name: str = "", more: str = "") -> str:
    """Return a page of a manual."""
    own, first, second, third, _ = _names(lang)
    own = name or own
    return (
        _start(title, lang, more)
        + f'<link rel="stylesheet" href="_static/css/theme.css">\n</head>\n<body class="wy-body-for-nav">\n<div class="wy-grid-for-nav"><nav class="wy-nav-side"><a href="/">{own}</a><ul><li><a href="/install.html">{first}</a></li><li><a href="/usage.html">{second}</a></li><li><a href="/api.html">{third}</a></li></ul></nav>\n<section class="wy-nav-content-wrap"><div role="main" class="document">{main}</div></section></div>\n</body>\n</html>\n'
    )


def app(title: str, root: str = "", *, lang: str = "en", more: str = "", data: str = "") -> str:
    """Return a page of an application: its rendered root, its scripts and its data."""
    return (
        _start(title, lang, more)
        + f'<script type="module" crossorigin src="/assets/index-D1904x.js"></script>\n<link rel="stylesheet" href="/assets/index-B7.css">\n</head>\n<body>\n<div id="root">{root}</div>{data}\n</body>\n</html>\n'
    )


def alone(title: str, body: str, *, lang: str = "en", more: str = "") -> str:
    """Return a page without a menu or a footer."""
    return (
        _start(title, lang, more)
        + f'<style>*{{margin:0}}main{{max-width:40rem;margin:10vh auto}}</style>\n</head>\n<body>\n<main class="box">{body}</main>\n</body>\n</html>\n'
    )


def home(lang: str = "en", name: str = "") -> Reply:
    own, _, second, third, _ = _names(lang)
    own = name or own
    text = f"<h1>{own}</h1>{prose(lang)}<h2>{second}</h2><ul><li><a href='/lines/7'>7</a></li><li><a href='/lines/12'>12</a></li></ul><h2>{third}</h2>"
    return html(news(own, text, lang=lang, name=own))


ROBOTS = plain("User-agent: *\nDisallow: /cart/\nAllow: /\n")
LOST = html(
    '<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">\n<html><head>\n<title>404 Not Found</title>\n</head><body>\n<h1>Not Found</h1>\n<p>The requested URL was not found on this server.</p>\n<hr>\n<address>Apache/2.4.62 (Debian) Server at $HOST Port 80</address>\n</body></html>\n',
    "Server: Apache/2.4.62 (Debian)",
    status=404,
)


@dataclass(frozen=True, kw_only=True)
class Seen:
    """A reply at its path, and what its host answers at other paths."""

    source: str
    reply: Answer
    path: str
    lang: str = "en"
    name: str = ""
    everywhere: bool = False  # every path except the home page and robots.txt gets the reply
    under: str = ""  # every path with this prefix gets the reply; other unknown paths get a 404
    near: Mapping[str, Answer] = field(default_factory=dict)  # living neighbors by path

    @property
    def site(self) -> Site:
        known = {"/": home(self.lang, self.name), "/robots.txt": ROBOTS, **self.near}
        if self.everywhere:
            return {**known, ELSE: self.reply}
        if self.under:
            return {**known, ELSE: self._below}
        return {**known, self.path: self.reply, ELSE: LOST}

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
    near: Mapping[str, Answer] | None = None,
) -> Seen:
    """Return a page at its path; the rest of the host is a home page and real 404s."""
    reply = html(page, *headers, status=status)
    return Seen(source=source, reply=reply, path=path, lang=lang, name=name, near=near or {})


def every(
    source: str,
    page: str,
    path: str,
    *headers: str,
    lang: str = "en",
    name: str = "",
    status: int = 200,
) -> Seen:
    """Return a reply that every path of the host gets, except the home page and robots.txt."""
    reply = html(page, *headers, status=status)
    return Seen(source=source, reply=reply, path=path, lang=lang, name=name, everywhere=True)


def below(
    source: str,
    page: str,
    under: str,
    rest: str,
    *headers: str,
    lang: str = "en",
    name: str = "",
    status: int = 200,
    near: Mapping[str, Answer] | None = None,
) -> Seen:
    """Return a reply at `under` + `rest` that every path under `under` gets, except `near`."""
    reply = html(page, *headers, status=status)
    return Seen(
        source=source,
        reply=reply,
        path=under + rest,
        lang=lang,
        name=name,
        under=under,
        near=near or {},
    )
