"""More whole pages: portals of states, markets, manuals, hosts of code, pages made by hand."""

# ruff: noqa: E501, RUF001
_WORDS = {
    "en": (
        "Skip to main content",
        "Topics",
        "News",
        "Services",
        "Accessibility statement",
        "Cookies",
    ),
    "de": (
        "Zum Inhalt springen",
        "Themen",
        "Aktuelles",
        "Service",
        "Barrierefreiheit",
        "Impressum",
    ),
    "fr": (
        "Aller au contenu",
        "Thèmes",
        "Actualités",
        "Services",
        "Accessibilité",
        "Mentions légales",
    ),
    "es": ("Saltar al contenido", "Temas", "Noticias", "Trámites", "Accesibilidad", "Aviso legal"),
    "it": ("Vai al contenuto", "Argomenti", "Novità", "Servizi", "Accessibilità", "Note legali"),
    "pt": (
        "Ir para o conteúdo",
        "Assuntos",
        "Notícias",
        "Serviços",
        "Acessibilidade",
        "Aviso legal",
    ),
    "nl": ("Direct naar inhoud", "Onderwerpen", "Nieuws", "Regelen", "Toegankelijkheid", "Cookies"),
    "sv": ("Till innehållet", "Ämnen", "Nyheter", "E-tjänster", "Tillgänglighet", "Kakor"),
    "da": ("Gå til indhold", "Emner", "Nyheder", "Selvbetjening", "Tilgængelighed", "Cookies"),
    "fi": ("Siirry sisältöön", "Aiheet", "Uutiset", "Palvelut", "Saavutettavuus", "Evästeet"),
    "pl": ("Przejdź do treści", "Tematy", "Aktualności", "Usługi", "Dostępność", "Ciasteczka"),
    "cs": ("Přejít k obsahu", "Témata", "Aktuality", "Služby", "Přístupnost", "Cookies"),
    "hu": ("Ugrás a tartalomra", "Témák", "Hírek", "Ügyintézés", "Akadálymentesség", "Sütik"),
    "el": ("Μετάβαση στο περιεχόμενο", "Θέματα", "Νέα", "Υπηρεσίες", "Προσβασιμότητα", "Cookies"),
    "ru": ("Перейти к содержанию", "Темы", "Новости", "Услуги", "Доступность", "Карта сайта"),
    "uk": ("До змісту", "Теми", "Новини", "Послуги", "Доступність", "Карта сайту"),
    "tr": ("İçeriğe geç", "Konular", "Haberler", "Hizmetler", "Erişilebilirlik", "Çerezler"),
    "ar": ("انتقل إلى المحتوى", "المواضيع", "الأخبار", "الخدمات", "سهولة الوصول", "الخصوصية"),
    "fa": ("رفتن به محتوا", "موضوعات", "اخبار", "خدمات", "دسترس‌پذیری", "حریم خصوصی"),
    "vi": ("Đến nội dung", "Chủ đề", "Tin tức", "Dịch vụ", "Trợ năng", "Cookie"),
    "id": ("Langsung ke isi", "Topik", "Berita", "Layanan", "Aksesibilitas", "Privasi"),
    "zh": ("跳到主要内容", "专题", "要闻", "服务", "无障碍", "网站地图"),
    "ja": ("本文へ移動", "分野", "新着情報", "手続き", "アクセシビリティ", "サイトマップ"),
    "ko": ("본문 바로가기", "주제", "소식", "민원", "웹 접근성", "사이트맵"),
}
STORY = {
    "en": "<p>The lamp of the breakwater light was lit for the first time in 1874, with colza oil. The keepers climbed its hundred and twelve steps four times each night until 1968, when the light became automatic.</p><p>In summer the tower is open on Sundays. On clear days one sees as far as the skerries.</p>",
    "de": "<p>Das Leuchtfeuer auf der Mole brannte zum ersten Mal 1874, damals mit Rüböl. Bis 1968 stiegen die Wärter jede Nacht viermal die hundertzwölf Stufen hinauf.</p><p>Im Sommer ist der Turm sonntags geöffnet.</p>",
    "fr": "<p>Le feu de la jetée fut allumé pour la première fois en 1874, à l'huile de colza. Jusqu'en 1968, les gardiens montaient quatre fois par nuit ses cent douze marches.</p>",
    "es": "<p>El faro del dique se encendió por primera vez en 1874, con aceite de colza. Hasta 1968 los torreros subían cuatro veces cada noche sus ciento doce escalones.</p>",
    "it": "<p>Il fanale del molo fu acceso per la prima volta nel 1874, con olio di colza. Fino al 1968 i guardiani salivano quattro volte per notte i centododici gradini.</p>",
    "pt": "<p>O farol do molhe foi aceso pela primeira vez em 1874, com óleo de colza. Até 1968 os faroleiros subiam quatro vezes por noite os seus cento e doze degraus.</p>",
    "nl": "<p>Het licht op de havendam brandde voor het eerst in 1874, op koolzaadolie. Tot 1968 beklommen de wachters elke nacht viermaal de honderdtwaalf treden.</p>",
    "sv": "<p>Fyren på vågbrytaren tändes första gången 1874, med rovolja. Till 1968 gick vaktarna fyra gånger varje natt uppför de hundratolv stegen.</p>",
    "pl": "<p>Światło na falochronie zapalono po raz pierwszy w 1874 roku. Do 1968 roku latarnicy co noc cztery razy wchodzili po stu dwunastu stopniach.</p>",
    "ru": "<p>Огонь на молу впервые зажгли в 1874 году. До 1968 года смотрители четыре раза за ночь поднимались по ста двенадцати ступеням.</p>",
    "tr": "<p>Mendirek feneri ilk kez 1874'te kolza yağıyla yakıldı. Bekçiler 1968'e kadar her gece yüz on iki basamağı dört kez çıktı.</p>",
    "zh": "<p>防波堤上的灯塔于一八七四年首次点亮，当时使用菜籽油。直到一九六八年，守塔人每夜要四次攀登一百一十二级台阶。</p>",
    "ja": "<p>防波堤の灯は一八七四年に初めてともされた。一九六八年に自動化されるまで、灯台守は毎晩四度、百十二段の階段を上った。</p>",
    "ko": "<p>방파제 등대는 1874년에 처음 불을 밝혔다. 1968년 자동화되기까지 등대지기는 매일 밤 네 번씩 백열두 계단을 올랐다.</p>",
    "vi": "<p>Ngọn đèn trên đê chắn sóng được thắp lần đầu năm 1874. Đến năm 1968, người gác đèn mỗi đêm bốn lần leo một trăm mười hai bậc thang.</p>",
    "fa": "<p>چراغ موج‌شکن نخستین بار در سال ۱۸۷۴ روشن شد. تا سال ۱۹۶۸ نگهبانان هر شب چهار بار از صد و دوازده پله بالا می‌رفتند.</p>",
    "ar": "<p>أضيء فنار حاجز الأمواج لأول مرة عام 1874. وحتى عام 1968 كان الحراس يصعدون درجاته المئة والاثنتي عشرة أربع مرات كل ليلة.</p>",
}
_RIGHT = {"ar": ' dir="rtl"', "fa": ' dir="rtl"'}


def story(lang: str = "en", times: int = 1) -> str:
    return STORY[lang] * times


def portal(
    title: str, main: str, *, lang: str = "en", name: str = "Harbour Authority", head: str = ""
) -> str:
    """Return a page of a public body: skip links, a search, a footer of statements."""
    skip, topics, newest, services, access, last = _WORDS[lang]
    return f"""<!doctype html>
<html lang="{lang}"{_RIGHT.get(lang, "")} class="no-js">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>{title}</title>
<link rel="stylesheet" href="/assets/main-4f1b.css" media="all">
<link rel="shortcut icon" href="/assets/favicon.ico">
{head}
</head>
<body class="template">
<a href="#content" class="skip-link">{skip}</a>
<header role="banner"><a class="brand" href="/"><img src="/assets/crest.svg" alt="{name}"></a>
<form action="/search" role="search"><input type="search" name="q" id="q"><button type="submit">&#128269;</button></form>
<nav><ul><li><a href="/topics">{topics}</a></li><li><a href="/news">{newest}</a></li><li><a href="/services">{services}</a></li></ul></nav></header>
<main id="content" role="main">
{main}
</main>
<footer role="contentinfo"><ul><li><a href="/accessibility">{access}</a></li><li><a href="/legal">{last}</a></li></ul><p>&copy; {name} 2026</p></footer>
<script src="/assets/main-4f1b.js" type="module"></script>
</body>
</html>
"""


def market(
    title: str, main: str, *, lang: str = "en", name: str = "Quayside", head: str = ""
) -> str:
    """Return a page of a market of adverts, rendered on the server by React."""
    _skip, topics, _newest, services, access, last = _WORDS[lang]
    return f"""<!DOCTYPE html><html lang="{lang}"{_RIGHT.get(lang, "")}><head><meta charSet="utf-8"/><meta name="viewport" content="width=device-width"/><title>{title}</title>{head}<link rel="preload" href="/_next/static/css/8d1.css" as="style"/><script id="__NEXT_DATA__" type="application/json">{{"props":{{"pageProps":{{}}}},"page":"/item/[id]","query":{{}},"buildId":"k3J9"}}</script></head>
<body><div id="__next"><header class="css-1x2"><a href="/" aria-label="{name}">{name}</a><input type="search"/><a href="/favourites">&#9825;</a><a href="/sell">{services}</a></header>
<div class="css-9z8" id="mainContent">{main}</div>
<footer class="css-7k1"><a href="/c">{topics}</a><a href="/a11y">{access}</a><a href="/legal">{last}</a><span>&copy; {name} 2026</span></footer></div></body></html>
"""


def manual(
    title: str, main: str, *, name: str = "beacon 4.2 documentation", lang: str = "en"
) -> str:
    """Return a page of a manual that Sphinx made with the theme of Read the Docs."""
    return f"""<!DOCTYPE html>
<html class="writer-html5" lang="{lang}" data-content_root="../">
<head>
  <meta charset="utf-8" /><meta name="viewport" content="width=device-width, initial-scale=1.0" />
  <title>{title} &mdash; {name}</title>
  <link rel="stylesheet" type="text/css" href="../_static/css/theme.css" />
  <script src="../_static/documentation_options.js"></script>
</head>
<body class="wy-body-for-nav">
  <div class="wy-grid-for-nav"><nav data-toggle="wy-nav-shift" class="wy-nav-side"><div class="wy-side-nav-search"><a href="../index.html" class="icon icon-home">beacon</a><form id="rtd-search-form" action="../search.html" method="get"><input type="text" name="q" placeholder="Search docs" /></form></div><ul><li class="toctree-l1"><a href="../install.html">Installation</a></li><li class="toctree-l1"><a href="../errors.html">Errors</a></li></ul></nav>
  <section class="wy-nav-content-wrap"><div class="rst-content"><div role="main" class="document" itemscope="itemscope">
{main}
  </div><footer><p>&#169; Copyright 2026.</p>Built with <a href="https://www.sphinx-doc.org/">Sphinx</a> using a theme provided by <a href="https://readthedocs.org">Read the Docs</a>.</footer></div></section></div>
</body>
</html>
"""


def code_host(title: str, main: str, *, name: str = "GitHub") -> str:
    """Return a page of a host of code."""
    return f"""<!DOCTYPE html>
<html lang="en" data-color-mode="auto" data-light-theme="light">
<head><meta charset="utf-8"><link rel="dns-prefetch" href="https://github.githubassets.com"><title>{title}</title><meta name="route-pattern" content="/:user_id/:repository"></head>
<body class="logged-out env-production page-responsive">
<div class="logged-out"><header class="HeaderMktg" role="banner"><a href="/" aria-label="Homepage">{name}</a><nav><a href="/features">Platform</a><a href="/pricing">Pricing</a></nav><a href="/login">Sign in</a><a href="/signup">Sign up</a></header></div>
<div class="application-main"><main>{main}</main></div>
<footer class="footer" role="contentinfo"><p>&copy; 2026 {name}, Inc.</p><ul><li><a href="/site/terms">Terms</a></li><li><a href="/site/privacy">Privacy</a></li><li><a href="https://www.githubstatus.com/">Status</a></li></ul></footer>
</body></html>
"""


def by_hand(title: str, main: str, *, charset: str = "windows-1252") -> str:
    """Return a page that someone made by hand, long ago."""
    return f"""<html>
<head>
<meta http-equiv="content-type" content="text/html; charset={charset}">
<title>{title}</title>
</head>
<body bgcolor="#ffffff" text="#000000" link="#0000ee">
<table border="0" width="100%" cellpadding="4"><tr><td width="120" valign="top" bgcolor="#e0e8f0">
<a href="index.htm">Home</a><br><a href="lights.htm">Lights</a><br><a href="links.htm">Links</a><br><a href="guest.htm">Guestbook</a>
</td><td valign="top">
{main}
</td></tr></table>
<hr><address>Last changed 14.3.2004</address>
</body>
</html>
"""
