"""Frames of pages as products of 2026 make them, other than those of `pages`."""

# ruff: noqa: RUF001
import json

# What stands around the subject: of no interest to anybody here.
TEXT = {
    "en": "The lighthouse keeper wrote the weather into his book every four hours, and"
    " his daughter went on with it after he fell ill. The books were found in a"
    " chest in 1987, dry and complete, and have been read by three generations of"
    " students since.",
    "de": "Der Leuchtturmwärter trug alle vier Stunden das Wetter in sein Buch ein, und"
    " seine Tochter führte es fort, als er krank wurde. Die Bücher fand man 1987"
    " in einer Truhe, trocken und vollständig, und seither haben drei"
    " Generationen von Studenten sie gelesen.",
    "fr": "Le gardien du phare notait le temps qu'il faisait toutes les quatre heures,"
    " et sa fille continua quand il tomba malade. Les cahiers furent retrouvés en"
    " 1987 dans un coffre, secs et complets.",
    "nl": "De vuurtorenwachter schreef om de vier uur het weer in zijn boek, en zijn"
    " dochter ging ermee door toen hij ziek werd. De boeken werden in 1987 in een"
    " kist gevonden, droog en volledig.",
    "sv": "Fyrvaktaren skrev upp vädret var fjärde timme, och hans dotter fortsatte när"
    " han blev sjuk. Böckerna hittades i en kista 1987, torra och fullständiga.",
    "nb": "Fyrvokteren skrev ned været hver fjerde time, og datteren fortsatte da han"
    " ble syk. Bøkene ble funnet i en kiste i 1987, tørre og fullstendige.",
    "fi": "Majakanvartija kirjasi sään neljän tunnin välein, ja hänen tyttärensä"
    " jatkoi, kun hän sairastui. Kirjat löydettiin arkusta vuonna 1987 kuivina ja"
    " täydellisinä.",
    "uk": "Доглядач маяка кожні чотири години записував погоду, а коли він захворів, це"
    " робила його донька. Книги знайшли у скрині 1987 року, сухими й повними.",
    "ro": "Paznicul farului nota vremea la fiecare patru ore, iar fiica lui a continuat"
    " când s-a îmbolnăvit. Caietele au fost găsite într-un cufăr în 1987, uscate"
    " și întregi.",
    "vi": "Người gác hải đăng ghi lại thời tiết bốn giờ một lần, và con gái ông viết"
    " tiếp khi ông lâm bệnh. Những cuốn sổ được tìm thấy trong một chiếc rương"
    " năm 1987.",
    "id": "Penjaga mercusuar mencatat cuaca setiap empat jam, dan putrinya melanjutkan"
    " ketika ia sakit. Buku-buku itu ditemukan dalam sebuah peti pada tahun 1987,"
    " kering dan lengkap.",
    "th": "ผู้เฝ้าประภาคารจดสภาพอากาศทุกสี่ชั่วโมง และลูกสาวของเขาทำต่อเมื่อเขาล้มป่วย"
    " สมุดถูกพบในหีบเมื่อปี 2530 แห้งและครบถ้วน",
    "fa": "نگهبان فانوس دریایی هر چهار ساعت هوا را در دفترش می‌نوشت و وقتی بیمار شد"
    " دخترش این کار را ادامه داد. دفترها در سال ۱۹۸۷ در صندوقی پیدا شدند.",
    "he": "שומר המגדלור רשם את מזג האוויר בכל ארבע שעות, ובתו המשיכה כשחלה. הספרים"
    " נמצאו בתיבה בשנת 1987, יבשים ושלמים.",
    "hi": "प्रकाशस्तंभ का रखवाला हर चार घंटे में मौसम लिखता था, और उसके बीमार पड़ने पर"
    " उसकी बेटी ने यह काम जारी रखा। किताबें 1987 में एक संदूक में मिलीं।",
    "ja": "灯台守は四時間ごとに天気を帳面に書きつけ、彼が病に倒れてからは娘が続けた。帳"
    "面は一九八七年に箱の中から、乾いたまま欠けることなく見つかった。",
    "ko": "등대지기는 네 시간마다 날씨를 장부에 적었고, 그가 병든 뒤에는 딸이 이어"
    " 적었다. 장부는 1987년에 궤짝에서 온전한 채로 발견되었다.",
    "zh": "灯塔看守人每四小时在簿子上记一次天气，他病倒后由女儿接着记。一九八七年，人们"
    "在一只箱子里发现了这些簿子，干燥而完整。",
    "es": "El farero anotaba el tiempo cada cuatro horas, y su hija siguió cuando él"
    " enfermó. Los cuadernos aparecieron en 1987 dentro de un arcón, secos y"
    " completos.",
    "pt": "O faroleiro anotava o tempo a cada quatro horas, e a filha continuou quando"
    " ele adoeceu. Os cadernos apareceram em 1987 dentro de uma arca, secos e"
    " completos.",
    "it": "Il guardiano del faro annotava il tempo ogni quattro ore, e la figlia"
    " continuò quando lui si ammalò. I quaderni furono ritrovati nel 1987 in una"
    " cassa, asciutti e completi.",
    "ru": "Смотритель маяка каждые четыре часа записывал погоду, а когда он заболел,"
    " это делала его дочь. Тетради нашли в сундуке в 1987 году, сухими и целыми.",
    "pl": "Latarnik co cztery godziny zapisywał pogodę, a gdy zachorował, robiła to"
    " jego córka. Zeszyty znaleziono w 1987 roku w skrzyni, suche i kompletne.",
    "tr": "Fener bekçisi dört saatte bir havayı defterine yazardı; hastalanınca kızı"
    " sürdürdü. Defterler 1987'de bir sandıkta, kuru ve eksiksiz bulundu.",
}


def text(lang: str = "en", times: int = 2) -> str:
    """Return paragraphs in that language."""
    return f"<p>{TEXT[lang]}</p>\n" * times


def wordpress(title: str, content: str, *, lang: str = "en", name: str = "Skerry Press") -> str:
    """Return a page of a block theme of WordPress."""
    return f"""<!DOCTYPE html>
<html lang="{lang}">
<head>
<meta charset="UTF-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="generator" content="WordPress 6.9" />
<title>{title} &#8211; {name}</title>
<link rel="alternate" type="application/rss+xml" title="{name} &raquo; Feed" href="/feed/" />
<link rel="https://api.w.org/" href="/wp-json/" />
<style id="wp-block-site-logo-inline-css">.wp-block-site-logo{{line-height:0}}</style>
</head>
<body class="wp-singular post-template-default single wp-embed-responsive">
<div class="wp-site-blocks"><header class="wp-block-template-part">
<p class="wp-block-site-title"><a href="/" rel="home">{name}</a></p>
<nav class="wp-block-navigation"><ul><li><a href="/about/">About</a></li>
<li><a href="/category/coast/">Coast</a></li><li><a href="/kontakt/">Contact</a></li></ul></nav>
</header>
<main class="wp-block-group">{content}</main>
<footer class="wp-block-template-part"><p>{name}</p></footer></div>
<script id="wp-emoji-settings" type="application/json">
{{"source":{{"concatemoji":"/e.js"}}}}</script>
</body>
</html>
"""


def post(title: str, content: str, *, lang: str = "en", name: str = "Skerry Press") -> str:
    """Return a post of WordPress with that title as its heading."""
    inner = (
        f'<h1 class="wp-block-post-title">{title}</h1><div class="entry-content">{content}</div>'
    )
    return wordpress(title, inner, lang=lang, name=name)


def wiki(title: str, content: str, *, lang: str = "en", name: str = "Skerrypedia") -> str:
    """Return a page of a wiki of MediaWiki."""
    return f"""<!DOCTYPE html>
<html class="client-nojs vector-feature-language-in-header-enabled" lang="{lang}" dir="ltr">
<head><meta charset="UTF-8"><title>{title} - {name}</title>
<meta name="generator" content="MediaWiki 1.45.1">
<link rel="stylesheet" href="/w/load.php?only=styles">
</head><body class="skin-vector-2022 mediawiki ltr sitedir-ltr ns-0 action-view">
<header class="vector-header mw-header"><a href="/wiki/Main_Page" class="mw-logo">{name}</a>
<a href="/w/index.php?title=Special:UserLogin">Log in</a></header>
<main id="content" class="mw-body"><h1 id="firstHeading" class="firstHeading mw-first-heading">
<span class="mw-page-title-main">{title}</span></h1>
<div id="bodyContent"><div id="mw-content-text"
class="mw-body-content"><div class="mw-parser-output">
{content}</div></div><div id="catlinks"><a href="/wiki/Category:Coast">Coast</a></div></div></main>
<footer id="footer" class="mw-footer">
<li id="footer-info-lastmod">This page was last edited on 3 May
2026.</li><li><a href="/wiki/Privacy">Privacy</a></li></footer></body></html>
"""


def forum(title: str, *posts: str, lang: str = "en") -> str:
    """Return a thread as Discourse gives it to whoever has no scripts."""
    listed = "".join(
        f"<div id='post_{n}' class='topic-body crawler-post'><div class='crawler-post-meta'><span"
        f" class='creator'><a href='/u/keeper{n}'><span"
        f" itemprop='name'>keeper{n}</span></a></span>"
        f"<time>May {n}, 2026</time></div><div class='post'"
        f" itemprop='text'><p>{words}</p></div></div>"
        for n, words in enumerate(posts, 1)
    )
    return f"""<!DOCTYPE html>
<html lang="{lang}"><head><meta charset="utf-8"><title>{title} - Skerry Community</title>
<meta name="generator" content="Discourse 2026.4.0"><meta property="og:title" content="{title}">
</head><body class="crawler"><header><a href="/">Skerry Community</a></header>
<div id="main-outlet" class="wrap" role="main"><div id="topic-title"><h1><a href="/t/77">{title}</a>
</h1></div>{listed}</div><footer class="container wrap">
<nav class="crawler-nav"><ul><li><a href="/">
Home</a></li><li><a href="/categories">Categories</a></li>
<li><a href="/tos">Terms</a></li></ul></nav>
<p class="powered-by-link">Powered by <a href="https://www.discourse.org">Discourse</a>, best viewed
with JavaScript enabled</p></footer></body></html>
"""


def manual(title: str, content: str, *, lang: str = "en", name: str = "Skerry Docs") -> str:
    """Return a page of documentation as Docusaurus builds it."""
    return f"""<!doctype html>
<html lang="{lang}" dir="ltr" class="docs-wrapper plugin-docs" data-has-hydrated="false">
<head><meta charset="UTF-8"><meta name="generator" content="Docusaurus v3.9.2">
<title data-rh="true">{title} | {name}</title><meta data-rh="true" property="og:title"
content="{title} | {name}"><script src="/assets/js/main.1f.js" defer></script></head>
<body class="navigation-with-keyboard"><div id="__docusaurus"><nav aria-label="Main" class="navbar">
<a class="navbar__brand" href="/"><b>{name}</b></a><a href="/docs/intro">Guide</a></nav>
<aside><ul class="menu__list"><li><a href="/docs/intro">Introduction</a></li><li><a
href="/docs/install">Install</a></li><li><a href="/docs/errors">Errors</a></li></ul></aside>
<main><article><div class="theme-doc-markdown markdown"><header><h1>{title}</h1></header>{content}
</div></article></main><footer><div>Copyright 2026 {name}</div></footer></div></body></html>
"""


def shell(title: str, data: dict[str, object], *, content: str = "", lang: str = "en") -> str:
    """Return a page of Next.js: little markup, and its data in a script."""
    return (
        f'<!DOCTYPE html><html lang="{lang}"><head><meta charSet="utf-8"/><meta name="viewport"'
        f' content="width=device-width"/><title>{title}</title><link rel="preload" href="/_next/'
        'static/css/8f1.css" as="style"/><script defer="" src="/_next/static/chunks/main-77.js">'
        f'</script></head><body><div id="__next">{content}</div><script id="__NEXT_DATA__" type='
        '"application/json">'
        f"{json.dumps({'props': {'pageProps': data}, 'buildId': 'x1'})}</script>"
        "</body></html>"
    )
