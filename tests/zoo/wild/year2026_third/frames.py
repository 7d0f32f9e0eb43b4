"""Frames of pages as further products of 2026 make them, and a story in many languages."""

# ruff: noqa: RUF001
# What stands around the subject: of no interest to anybody here.
STORY = {
    "en": "The clockmaker of the town kept a list of all the watches that he had opened,"
    " with the weather of the day and a word on their owners. When he died, forty"
    " notebooks stood on the shelf above his bench, and nobody knew what to do with"
    " them until a teacher began to read.",
    "de": "Der Uhrmacher der Stadt führte Buch über jede Uhr, die er geöffnet hatte, über"
    " das Wetter des Tages und über ihre Besitzer. Als er starb, standen vierzig Hefte"
    " im Regal über der Werkbank, und niemand wusste etwas damit anzufangen, bis eine"
    " Lehrerin zu lesen begann.",
    "fr": "L'horloger de la ville tenait la liste de toutes les montres qu'il avait"
    " ouvertes, avec le temps qu'il faisait et un mot sur leur propriétaire. À sa"
    " mort, quarante cahiers dormaient au-dessus de l'établi, jusqu'à ce qu'une"
    " institutrice se mette à les lire.",
    "es": "El relojero del pueblo llevaba una lista de todos los relojes que había abierto,"
    " con el tiempo que hacía y unas palabras sobre sus dueños. Cuando murió, cuarenta"
    " cuadernos quedaron sobre el banco, hasta que una maestra empezó a leerlos.",
    "pt": "O relojoeiro da vila guardava uma lista de todos os relógios que abrira, com o"
    " tempo que fazia e uma palavra sobre os donos. Quando morreu, quarenta cadernos"
    " ficaram sobre a bancada, até que uma professora começou a lê-los.",
    "it": "L'orologiaio del paese teneva l'elenco di tutti gli orologi che aveva aperto, con"
    " il tempo che faceva e una parola sui proprietari. Alla sua morte rimasero"
    " quaranta quaderni sopra il banco, finché una maestra cominciò a leggerli.",
    "nl": "De klokkenmaker van de stad hield een lijst bij van alle horloges die hij had"
    " geopend, met het weer van die dag en een woord over de eigenaar. Na zijn dood"
    " stonden er veertig schriften boven de werkbank, tot een lerares ze begon te"
    " lezen.",
    "da": "Byens urmager førte bog over hvert ur, han havde åbnet, over dagens vejr og over"
    " ejeren. Da han døde, stod der fyrre hæfter over arbejdsbordet, indtil en"
    " lærerinde begyndte at læse dem.",
    "nb": "Byens urmaker førte bok over hvert ur han hadde åpnet, over været den dagen og"
    " over eieren. Da han døde, sto det førti hefter over arbeidsbenken, til en lærer"
    " begynte å lese dem.",
    "fi": "Kaupungin kelloseppä piti kirjaa jokaisesta avaamastaan kellosta, päivän säästä"
    " ja kellon omistajasta. Hänen kuoltuaan työpöydän yllä oli neljäkymmentä vihkoa,"
    " kunnes opettaja alkoi lukea niitä.",
    "sv": "Stadens urmakare förde bok över varje klocka som han hade öppnat, över dagens"
    " väder och över ägaren. När han dog stod fyrtio häften ovanför bänken, tills en"
    " lärare började läsa dem.",
    "cs": "Městský hodinář si psal seznam všech hodinek, které kdy otevřel, s počasím toho"
    " dne a slovem o majiteli. Když zemřel, zůstalo nad ponkem čtyřicet sešitů, dokud"
    " je nezačala číst jedna učitelka.",
    "sk": "Mestský hodinár si viedol zoznam všetkých hodiniek, ktoré otvoril, s počasím toho"
    " dňa a slovom o majiteľovi. Keď zomrel, ostalo nad stolom štyridsať zošitov, kým"
    " ich nezačala čítať učiteľka.",
    "hr": "Gradski urar vodio je popis svih satova koje je otvorio, s vremenom toga dana i"
    " riječju o vlasniku. Kad je umro, iznad stola je ostalo četrdeset bilježnica, dok"
    " ih nije počela čitati učiteljica.",
    "sr": "Градски сајџија водио је списак свих сатова које је отворио, са временом тога"
    " дана и речју о власнику. Кад је умро, изнад стола је остало четрдесет свезака,"
    " док их учитељица није почела читати.",
    "bg": "Градският часовникар водеше списък на всички часовници, които беше отварял, с"
    " времето през деня и дума за собственика. Когато умря, над тезгяха останаха"
    " четиридесет тетрадки.",
    "ro": "Ceasornicarul orașului ținea o listă a tuturor ceasurilor pe care le deschisese,"
    " cu vremea din acea zi și un cuvânt despre stăpân. La moartea lui au rămas"
    " patruzeci de caiete deasupra mesei.",
    "hu": "A város órása minden felnyitott óráról feljegyzést vezetett, az aznapi"
    " időjárással és egy szóval a gazdájáról. Halála után negyven füzet maradt a"
    " munkapad fölött, míg egy tanítónő olvasni nem kezdte őket.",
    "lt": "Miesto laikrodininkas rašė visų atidarytų laikrodžių sąrašą, tos dienos orą ir"
    " žodį apie savininką. Jam mirus virš stalo liko keturiasdešimt sąsiuvinių, kol"
    " juos ėmė skaityti mokytoja.",
    "lv": "Pilsētas pulksteņmeistars rakstīja sarakstu par visiem atvērtajiem pulksteņiem,"
    " tās dienas laikapstākļiem un īpašniekiem. Pēc viņa nāves virs galda palika"
    " četrdesmit burtnīcas.",
    "et": "Linna kellassepp pidas nimekirja kõigist kelladest, mille ta oli avanud, selle"
    " päeva ilmast ja omanikust. Kui ta suri, jäi töölaua kohale nelikümmend vihikut,"
    " kuni õpetaja hakkas neid lugema.",
    "el": "Ο ρολογάς της πόλης κρατούσε κατάλογο με όλα τα ρολόγια που είχε ανοίξει, με τον"
    " καιρό της ημέρας και μια λέξη για τον ιδιοκτήτη. Όταν πέθανε, σαράντα τετράδια"
    " έμειναν πάνω από τον πάγκο.",
    "tr": "Kasabanın saatçisi açtığı her saatin listesini, o günün havasını ve sahibi"
    " hakkında bir sözü yazardı. Öldüğünde tezgâhın üstünde kırk defter duruyordu, ta"
    " ki bir öğretmen okumaya başlayana dek.",
    "pl": "Miejski zegarmistrz spisywał wszystkie zegarki, które otworzył, pogodę tego dnia"
    " i słowo o właścicielu. Gdy umarł, nad stołem zostało czterdzieści zeszytów, aż"
    " zaczęła je czytać nauczycielka.",
    "ru": "Городской часовщик вёл список всех часов, которые открывал, с погодой того дня и"
    " словом о владельце. Когда он умер, над верстаком осталось сорок тетрадей, пока"
    " их не начала читать учительница.",
    "uk": "Міський годинникар вів список усіх годинників, які відкривав, із погодою того дня"
    " і словом про власника. Коли він помер, над верстатом лишилося сорок зошитів, аж"
    " поки їх не взялася читати вчителька.",
    "ja": "町の時計師は、開けた時計のすべてを、その日の天気と持ち主への一言とともに書き留めて"
    "いた。亡くなったとき、作業台の上の棚には四十冊の帳面が残り、やがて一人の教師が読み"
    "始めた。",
    "ko": "읍내 시계공은 자기가 연 모든 시계를 그날의 날씨와 주인에 대한 한마디와 함께 적어"
    " 두었다. 그가 죽자 작업대 위에는 공책 마흔 권이 남았고, 한 교사가 그것을 읽기"
    " 시작했다.",
    "zh": "镇上的钟表匠把自己打开过的每一只表都记下来，写上当天的天气和一句关于主人的话。他去"
    "世后，工作台上方留着四十本册子，直到一位教师开始读它们。",
    "zh-TW": "鎮上的鐘錶匠把自己打開過的每一隻錶都記下來，寫上當天的天氣和一句關於主人的話。他過"
    "世後，工作檯上方留著四十本冊子，直到一位老師開始讀它們。",
    "ar": "كان ساعاتي البلدة يدوّن كل ساعة فتحها، مع طقس ذلك اليوم وكلمة عن صاحبها. وحين مات"
    " بقي أربعون دفتراً فوق طاولته إلى أن بدأت معلمة تقرؤها.",
    "th": "ช่างนาฬิกาประจำเมืองจดทุกเรือนที่เขาเคยเปิด พร้อมสภาพอากาศของวันนั้นและคำสั้น ๆ"
    " เกี่ยวกับเจ้าของ เมื่อเขาตายมีสมุดเหลือสี่สิบเล่ม",
    "vi": "Người thợ đồng hồ trong phố ghi lại mọi chiếc đồng hồ ông từng mở, kèm thời tiết"
    " hôm ấy và đôi lời về người chủ. Khi ông mất, bốn mươi cuốn sổ còn nằm trên giá.",
    "id": "Tukang jam di kota itu mencatat setiap jam yang pernah dibukanya, cuaca hari itu,"
    " dan sepatah kata tentang pemiliknya. Ketika ia meninggal, empat puluh buku"
    " catatan tertinggal di rak.",
    "ms": "Tukang jam di pekan itu mencatat setiap jam yang pernah dibukanya, cuaca pada"
    " hari itu dan sepatah kata tentang pemiliknya. Apabila dia meninggal, empat puluh"
    " buku nota tertinggal.",
    "bn": "শহরের ঘড়ি-মিস্ত্রি তাঁর খোলা প্রতিটি ঘড়ির কথা, সেদিনের আবহাওয়া আর মালিকের কথা"
    " লিখে রাখতেন। তাঁর মৃত্যুর পর চল্লিশটি খাতা রয়ে গেল।",
    "ca": "El rellotger del poble apuntava tots els rellotges que havia obert, amb el temps"
    " que feia i una paraula sobre l'amo. Quan va morir, quaranta llibretes van quedar"
    " damunt del banc.",
}


def story(lang: str = "en", times: int = 2) -> str:
    """Return paragraphs in that language."""
    return f"<p>{STORY[lang]}</p>\n" * times


def dokuwiki(title: str, content: str, *, name: str = "Horologium", lang: str = "en") -> str:
    """Return a page of DokuWiki."""
    return f"""<!DOCTYPE html>
<html lang="{lang}" dir="ltr" class="no-js">
<head><meta charset="utf-8" /><title>{title} [{name}]</title>
<meta name="generator" content="DokuWiki"/>
<link rel="search" type="application/opensearchdescription+xml" href="/lib/exe/opensearch.php"/>
<script>/*<![CDATA[*/var NS='archive';var JSINFO = {{"id":"x","namespace":"archive"}};/*!]]>*/
</script></head>
<body><div id="dokuwiki__site"><div id="dokuwiki__top" class="site dokuwiki mode_show tpl_dokuwiki">
<header id="dokuwiki__header"><h1 class="logo"><a href="/doku.php?id=start">{name}</a></h1>
<ul><li class="action login"><a href="?do=login" rel="nofollow">Log In</a></li></ul></header>
<main id="dokuwiki__content"><div class="pageId"><span>{title}</span></div>
<div class="page group">{content}</div></main>
<footer id="dokuwiki__footer"><div class="license">CC Attribution 4.0</div></footer>
</div></div></body></html>
"""


def drupal(title: str, content: str, *, lang: str = "en", name: str = "Clock Society") -> str:
    """Return a page of Drupal 11 in its own theme."""
    return f"""<!DOCTYPE html>
<html lang="{lang}" dir="ltr"><head><meta charset="utf-8" />
<meta name="Generator" content="Drupal 11 (https://www.drupal.org)" />
<title>{title} | {name}</title>
<link rel="stylesheet" media="all" href="/core/themes/olivero/css/base/base.css" /></head>
<body class="path-node page-node-type-page"><a href="#main-content" class="skip-link">Skip</a>
<div class="dialog-off-canvas-main-canvas" data-off-canvas-main-canvas>
<header class="site-header"><a href="/" rel="home">{name}</a>
<nav><ul class="primary-nav__menu"><li><a href="/collection">Collection</a></li>
<li><a href="/visit">Visit</a></li><li><a href="/people">People</a></li></ul></nav></header>
<main role="main"><div id="block-olivero-page-title"><h1 class="title page-title">{title}</h1></div>
<div id="block-olivero-content"><div class="text-content clearfix">{content}</div></div></main>
<footer class="site-footer">Powered by <a href="https://www.drupal.org">Drupal</a></footer></div>
<script type="application/json" data-drupal-selector="drupal-settings-json">
{{"path":{{"baseUrl":"/","currentPath":"node/77"}},"user":{{"uid":0}}}}</script></body></html>
"""


def ghost(title: str, content: str, *, lang: str = "en", name: str = "The Escapement") -> str:
    """Return a post of Ghost."""
    return f"""<!DOCTYPE html>
<html lang="{lang}"><head><meta charset="utf-8" /><title>{title}</title>
<meta name="generator" content="Ghost 6.0" /><meta property="og:site_name" content="{name}" />
<meta property="og:title" content="{title}" /><meta property="og:type" content="article" />
<script defer src="/public/ghost-stats.min.js"></script></head>
<body class="post-template is-head-left-logo"><div class="gh-viewport">
<header id="gh-navigation"><a class="gh-navigation-logo" href="/">{name}</a>
<nav><ul class="nav"><li><a href="/about/">About</a></li><li><a href="/tag/springs/">Springs</a>
</li></ul></nav><a href="#/portal/signup">Subscribe</a></header>
<main class="gh-main"><article class="gh-article post"><header>
<h1 class="gh-article-title is-title">
{title}</h1></header><section class="gh-content is-body">{content}</section></article></main>
<footer class="gh-footer">Powered by <a href="https://ghost.org/">Ghost</a></footer></div></body>
</html>
"""


def woocommerce(title: str, content: str, *, lang: str = "en", price: str = "77,00 €") -> str:
    """Return a product of a shop of WooCommerce."""
    return f"""<!doctype html>
<html lang="{lang}"><head><meta charset="UTF-8"><title>{title} &#8211; Tick &amp; Co</title>
<meta name="generator" content="WooCommerce 10.1" />
<script type="application/ld+json">{{"@context":"https://schema.org/","@type":"Product",
"name":"{title}","sku":"T-77"}}</script></head>
<body class="wp-theme-storefront single-product woocommerce woocommerce-page">
<header class="site-header"><a href="/" class="custom-logo-link">Tick &amp; Co</a>
<ul class="site-header-cart"><li><a class="cart-contents" href="/cart/">0</a></li></ul></header>
<main class="site-main"><div class="product type-product"><div class="summary entry-summary">
<h1 class="product_title entry-title">{title}</h1><p class="price"><bdi>{price}</bdi></p>
{content}<div class="product_meta"><span class="sku_wrapper">T-77</span></div></div></div>
<section class="related products"><h2>+</h2><ul class="products"><li><a href="/product/key/">
<h2 class="woocommerce-loop-product__title">No. 5</h2></a></li></ul></section></main>
<script>var wc_cart_fragments_params={{"ajax_url":"/wp-admin/admin-ajax.php"}};</script>
</body></html>
"""


def ads(title: str, content: str, *, lang: str = "en", others: tuple[str, ...] = ()) -> str:
    """Return a page of a board of small ads, with some of the others below."""
    listed = "".join(
        f"<li class='ad-card'><a href='/item/{n}'><img src='/t/{n}.webp' alt=''>{name}</a></li>"
        for n, name in enumerate(others, 771)
    )
    return f"""<!DOCTYPE html>
<html lang="{lang}"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/b.5f.css"></head>
<body><header class="top"><a class="brand" href="/">Tandelmarkt</a><form action="/search">
<input name="q"></form><a href="/new">+</a></header>
<main>{content}<ul class="ad-list">{listed}</ul></main>
<footer><a href="/help">?</a> <a href="/terms">&sect;</a> &copy; 2026 Tandelmarkt</footer>
</body></html>
"""


def vitepress(title: str, content: str, *, name: str = "Pendulum", lang: str = "en-US") -> str:
    """Return a page of documentation as VitePress builds it."""
    return f"""<!DOCTYPE html>
<html lang="{lang}" dir="ltr"><head><meta charset="utf-8">
<title>{title} | {name}</title><meta name="generator" content="VitePress v1.6.4">
<script type="module" src="/assets/app.Cx7.js"></script></head>
<body><div id="app"><div class="Layout"><header class="VPNav"><a class="title" href="/">{name}</a>
<a class="VPLink" href="/guide/">Guide</a><a class="VPLink" href="/reference/">Reference</a>
</header><div class="VPContent">{content}</div></div></div>
<script>window.__VP_HASH_MAP__=JSON.parse("{{}}");</script></body></html>
"""


def question(title: str, asked: str, *answers: str, name: str = "Clockwork Stack") -> str:
    """Return a question with its answers on a board of questions."""
    given = "".join(
        f"<div class='answer' itemprop='acceptedAnswer'><div class='s-prose' itemprop='text'>"
        f"<p>{words}</p></div><span class='user-details'>maker{n}</span></div>"
        for n, words in enumerate(answers)
    )
    return f"""<!DOCTYPE html>
<html itemscope itemtype="https://schema.org/QAPage" class="html__responsive" lang="en"><head>
<title>{title} - {name}</title><meta name="twitter:title" content="{title}"></head>
<body class="question-page unified-theme"><header class="s-topbar"><a href="/">{name}</a>
<a href="/users/login">Log in</a></header><div id="question-header"><h1 itemprop="name">
<a href="/q/77" class="question-hyperlink">{title}</a></h1></div>
<div class="question"><div class="s-prose" itemprop="text"><p>{asked}</p></div></div>
<h2 data-answercount="{len(answers)}">{len(answers)} Answers</h2>{given}
<footer class="site-footer">Site design &copy; 2026</footer></body></html>
"""


def shell(title: str, *, body: str = "", head: str = "", lang: str = "en") -> str:
    """Return the shell of an application of a single page as Vite builds it."""
    return (
        f'<!doctype html>\n<html lang="{lang}">\n<head>\n<meta charset="UTF-8" />\n'
        f'<title>{title}</title>\n<script type="module" crossorigin src="/assets/index-B7.js">'
        f"</script>{head}\n</head>\n<body>\n"
        f'<div id="root">{body}</div>\n<noscript>You need to enable JavaScript to run this app.'
        "</noscript>\n</body>\n</html>\n"
    )
