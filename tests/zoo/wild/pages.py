"""Whole pages of several makes, with the menus, scripts and footers that pages have."""

# ruff: noqa: RUF001
from tests.zoo.wild.case import ELSE, Answer, Reply, Site, html

PATH = "/archive/2019/annual-report"  # what is asked for unless a case says otherwise

_ANALYTICS = """<script async src="https://www.googletagmanager.example/gtag/js?id=G-1"></script>
<script>window.dataLayer=window.dataLayer||[];function gtag(){dataLayer.push(arguments)}
gtag('js',new Date());gtag('config','G-1');</script>"""

# What fills pages: their own subject, of no interest to anybody here. By language.
PROSE = {
    "en": "The bridge was finished in the autumn of 1931, eleven months late and well over what"
    " had been voted for it. Its two arches rest on piers of local granite, and the roadway,"
    " first laid with oak blocks, has been renewed four times since. The ferry that it replaced"
    " ran until the first frost of that year. Old photographs show crowds on both banks, a brass"
    " band, and a goat.",
    "de": "Die Brücke wurde im Herbst 1931 vollendet, elf Monate später als geplant und deutlich "
    "teurer als bewilligt. Ihre beiden Bögen ruhen auf Pfeilern aus heimischem Granit; die "
    "Fahrbahn ist seither viermal erneuert worden. Die Fähre, die sie ersetzte, fuhr noch bis zum "
    "ersten Frost. Auf alten Fotos sieht man Menschen an beiden Ufern und eine Blaskapelle.",
    "fr": "Le pont fut achevé à l'automne 1931, avec onze mois de retard et bien au-delà du budget "
    "voté. Ses deux arches reposent sur des piles de granit local et la chaussée a été refaite "
    "quatre fois depuis. Le bac qu'il remplaçait a circulé jusqu'aux premières gelées.",
    "es": "El puente se terminó en el otoño de 1931, con once meses de retraso y muy por encima de "
    "lo presupuestado. Sus dos arcos descansan sobre pilares de granito local y la calzada se ha "
    "renovado cuatro veces desde entonces. La barca a la que sustituyó navegó hasta las heladas.",
    "it": "Il ponte fu terminato nell'autunno del 1931, con undici mesi di ritardo e una spesa ben "
    "superiore a quella votata. Le due arcate poggiano su piloni di granito locale; la carreggiata "
    "è stata rifatta quattro volte.",
    "pt": "A ponte ficou pronta no outono de 1931, com onze meses de atraso e muito acima do que "
    "fora orçamentado. Os seus dois arcos assentam em pilares de granito local e o tabuleiro foi "
    "renovado quatro vezes desde então.",
    "pl": "Most ukończono jesienią 1931 roku, jedenaście miesięcy po terminie i znacznie drożej,"
    " niż uchwalono. Dwa łuki spoczywają na filarach z miejscowego granitu, a jezdnię odnawiano"
    " od tego czasu czterokrotnie. Prom, który zastąpił, pływał aż do pierwszych mrozów.",
    "cs": "Most byl dokončen na podzim roku 1931, o jedenáct měsíců později a za mnohem více"
    " peněz, než bylo schváleno. Jeho dva oblouky spočívají na pilířích z místní žuly a vozovka"
    " byla od té doby čtyřikrát obnovena.",
    "ru": "Мост был достроен осенью 1931 года, на одиннадцать месяцев позже срока и значительно "
    "дороже, чем предполагала смета. Две его арки опираются на быки из местного гранита, а"
    " проезжую часть с тех пор меняли четыре раза. Паром, который он заменил, ходил до первых"
    " заморозков.",
    "el": "Η γέφυρα ολοκληρώθηκε το φθινόπωρο του 1931, με καθυστέρηση έντεκα μηνών και κόστος"
    " πολύ μεγαλύτερο από το εγκεκριμένο. Οι δύο αψίδες της στηρίζονται σε βάθρα από ντόπιο"
    " γρανίτη.",
    "tr": "Köprü 1931 sonbaharında, on bir ay gecikmeyle ve onaylanan bütçenin çok üzerinde bir "
    "maliyetle tamamlandı. İki kemeri yerel granitten ayaklar üzerinde durur; yol dört kez"
    " yenilendi.",
    "ja": "橋は一九三一年の秋、予定より十一か月遅れて完成した。費用は議決された額を大きく超えた"
    "。二つのアーチは地元の花崗岩の橋脚に支えられ、路面はその後四回張り替えられている。それまでの"
    "渡し船は初霜まで運航した。",
    "ko": "다리는 1931년 가을, 예정보다 열한 달 늦게 완공되었고 비용은 의결된 금액을 크게 넘었"
    "다. 두 아치는 이 지역 화강암으로 만든 교각 위에 놓여 있으며, 노면은 그 뒤로 네 번 새로 깔렸"
    "다. 나룻배는 첫서리까지 다녔다.",
    "zh": "大桥于一九三一年秋天竣工，比原定时间晚了十一个月，费用也远远超出预算。两个桥拱坐落在"
    "本地花岗岩的桥墩上，桥面此后翻修过四次。它所取代的渡船一直行驶到当年初霜。老照片上可以看到两"
    "岸的人群和一支铜管乐队。",
    "ar": "اكتمل بناء الجسر في خريف عام 1931 بعد تأخير دام أحد عشر شهراً وبتكلفة تجاوزت ما أُقرّ له. "
    "يستند قوساه إلى دعائم من الغرانيت المحلي، وقد جُدّد سطحه أربع مرات منذ ذلك الحين.",
    "hu": "A híd 1931 őszén készült el, tizenegy hónapos késéssel és a megszavazottnál jóval"
    " többért. Két íve helyi gránitból rakott pilléreken nyugszik, az útpályát azóta négyszer"
    " újították fel.",
}
_MENUS = {
    "en": ("Home", "News", "Collections", "Visit us", "Contact"),
    "de": ("Startseite", "Aktuelles", "Sammlungen", "Besuch", "Kontakt"),
    "fr": ("Accueil", "Actualités", "Collections", "Visite", "Contact"),
    "es": ("Inicio", "Noticias", "Colecciones", "Visita", "Contacto"),
    "ru": ("Главная", "Новости", "Коллекции", "Посетителям", "Контакты"),
    "ja": ("ホーム", "お知らせ", "収蔵品", "ご利用案内", "お問い合わせ"),
    "ko": ("홈", "소식", "소장품", "이용 안내", "문의"),
    "zh": ("首页", "新闻", "馆藏", "参观", "联系我们"),
    "pl": ("Strona główna", "Aktualności", "Zbiory", "Zwiedzanie", "Kontakt"),
}


def prose(lang: str = "en", paragraphs: int = 3) -> str:
    return "\n".join([f"<p>{PROSE.get(lang, PROSE['en'])}</p>"] * paragraphs)


def modern(
    title: str, content: str, *, lang: str = "en", head: str = "", top: str = "", charset="utf-8"
) -> str:
    """Return a page as a content management system of today makes it."""
    words = _MENUS.get(lang, _MENUS["en"])
    menu = "".join(f'<li><a href="/m{n}/">{word}</a></li>' for n, word in enumerate(words))
    return f"""<!doctype html>
<html lang="{lang}">
<head>
<meta charset="{charset}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<meta property="og:title" content="{title}">
<meta property="og:type" content="website">
<link rel="stylesheet" href="/assets/site.css?v=81">
<link rel="icon" href="/favicon.ico">
{head}
{_ANALYTICS}
</head>
<body class="page">
<a class="skip" href="#main">&#8595;</a>
<header>{top}<nav aria-label="main"><ul>{menu}</ul></nav>
<form role="search" action="/search"><input type="search" name="q"><button>&#128269;</button></form>
</header>
<main id="main">
{content}
</main>
<footer><p>&copy; 2026</p><ul><li><a href="/privacy">Privacy</a></li>
<li><a href="/imprint">Imprint</a></li><li><a href="/rss.xml">RSS</a></li></ul></footer>
<script src="/assets/site.js?v=81" defer></script>
</body>
</html>
"""


def old(title: str, content: str, *, charset: str | None = None) -> str:
    """Return a page as it was made by hand in 1999, with tables, fonts and capital tags."""
    meta = f'<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset={charset}">\n'
    return f"""<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">
<HTML>
<HEAD>
{meta if charset else ""}<TITLE>{title}</TITLE>
</HEAD>
<BODY BGCOLOR="#FFFFF0" LINK="#003366">
<TABLE WIDTH="100%" BORDER=0><TR><TD WIDTH=140 VALIGN=TOP>
<A HREF="index.html"><IMG SRC="logo.gif" ALT="" BORDER=0></A><BR>
<FONT SIZE=2><A HREF="1.html">1</A> | <A HREF="2.html">2</A> | <A HREF="3.html">3</A></FONT>
</TD><TD>
{content}
</TD></TR></TABLE>
<HR><FONT SIZE=1>webmaster@museum.example</FONT>
</BODY>
</HTML>
"""


def shop(title: str, content: str, *, lang: str = "en") -> str:
    """Return a shop's page: a basket, recommendations, structured data."""
    offers = "".join(
        f'<li class="product"><a href="/p/{n}"><img src="/i/{n}.jpg" alt=""> No. {n}</a>'
        f'<span class="price">{n}.90 &euro;</span></li>'
        for n in (12, 27, 31, 48)
    )
    data = """<script type="application/ld+json">{"@context":"https://schema.org",
"@type":"Organization","name":"Shop","url":"https://shop.example"}</script>"""
    basket = '<a class="basket" href="/cart">0</a><a href="/account/login">Sign in</a>'
    listing = f'<section class="recommended"><ul>{offers}</ul></section>'
    return modern(title, content + listing, lang=lang, head=data, top=basket)


def bare(title: str, text: str) -> str:
    """Return a page as servers themselves make it."""
    return (
        f"<html>\r\n<head><title>{title}</title></head>\r\n<body>\r\n"
        f"<center><h1>{title}</h1></center>\r\n{text}\r\n</body>\r\n</html>\r\n"
    )


def article(title: str, *, lang: str = "en", head: str = "", lead: str = "") -> str:
    """Return an article of that title, with prose in its language."""
    content = f"<article><h1>{title}</h1><p>{lead}</p>{prose(lang)}</article>"
    return modern(f"{title} – Museum", content, lang=lang, head=head)


HOME = html(modern("Museum of the River", f"<h1>Welcome</h1>{prose('en', 1)}"))
NGINX_404 = html(bare("404 Not Found", "<hr><center>nginx</center>"), status=404)
ARTICLE = html(article("The bridge of 1931"))


def site(answer: Answer, *, path: str = PATH, **more: Answer) -> dict[str, Answer]:
    """Return a sound site, with a home page and real 404s, that answers `path` so.

    `more` are further paths, without their first slash.
    """
    named = {f"/{name}": reply for name, reply in more.items()}
    return {"/": HOME, path: answer, **named, ELSE: NGINX_404}


def swallowing(reply: Reply, *, home: Reply = HOME) -> Site:
    """Return a site that answers so whatever is asked for, except for its home page."""
    return {"/": home, ELSE: reply}
