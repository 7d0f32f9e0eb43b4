"""Pages that are there, though they speak of errors, of closing, of sales, or bear a notice."""

# ruff: noqa: RUF001
from collections.abc import Iterator

from tests.zoo.wild.case import ELSE, Case, alive, html
from tests.zoo.wild.pages import HOME, NGINX_404, PATH, modern, site
from tests.zoo.wild.year2026.forms import document
from tests.zoo.wild.year2026_third.frames import (
    ads,
    dokuwiki,
    drupal,
    ghost,
    question,
    shell,
    story,
    vitepress,
    woocommerce,
)

# By what it is called: where such pages are known from, the page.
_PAGES: dict[str, tuple[str, str]] = {
    "a question on a framework's 404": (
        "boards of questions: titles that quote an error",
        question(
            "404 Not Found for all routes except the root (SvelteKit, adapter-static)",
            "After the build only the front page works. Everything else says “404 Not"
            " Found”. What did I miss?",
            "Set a fallback page in the adapter's options.",
            "Or let the server rewrite all requests to index.html.",
        ),
    ),
    "a question whose title is an error alone": (
        "boards of questions: This account has been suspended",
        question(
            "This Account has been suspended. Contact your hosting provider",
            "My client's site shows this since Monday, although the bill is paid.",
            "Ask the host: it is their page, sent for every address.",
        ),
    ),
    "a thread on a builder's message": (
        "forums of builders: Site Not Found | Framer",
        question(
            "Site Not Found | Framer after connecting my domain",
            "I connected the domain two days ago and still see “Site Not Found”.",
            "Publish again, then remove the AAAA record.",
            name="Builders' Forum",
        ),
    ),
    "a help page on suspended domains": (
        "registrars' help: Why is my domain suspended?",
        drupal(
            "Why is my domain suspended?",
            "<p>A domain is suspended when its holder did not confirm the e-mail"
            " address within fifteen days, when it has expired, or by order of a"
            " court.</p><h2>What you can do</h2>" + story(),
        ),
    ),
    "a help page on a subscription's end": (
        "builders' help: Please renew your subscription",
        drupal(
            "“Please renew your subscription”: what visitors see when a plan ends",
            "<p>When the paid plan of a site ends, its pages are replaced by a notice."
            " Nothing is deleted for six months.</p>" + story(),
        ),
    ),
    "a help page in Czech on an error": (
        "Czech hosts' help: chyba 404",
        drupal(
            "Chyba 404: stránka nenalezena",
            "<p>Chyba 404 znamená, že server požadovanou stránku nenašel. V tomto"
            " návodu ukážeme, kde hledat příčinu a jak nastavit vlastní chybovou"
            " stránku.</p>" + story("cs"),
            lang="cs",
        ),
    ),
    "a novel in Italian called page not found": (
        "publishers: books titled by an error",
        drupal(
            "Pagina non trovata",
            "<p>Romanzo. 212 pagine, in brossura, 18 euro. ISBN"
            " 978-88-404-0404-0.</p><p>Una bibliotecaria scopre che da ogni libro"
            " manca la stessa pagina.</p>" + story("it"),
            lang="it",
            name="Edizioni del Pendolo",
        ),
    ),
    "an exhibition in Japanese called page not found": (
        "museums: exhibitions titled by an error",
        drupal(
            "ページが見つかりません展",
            "<p>会期：2026年4月4日から7月7日まで。失われた頁をめぐる四十点を展示します"
            "。</p>" + story("ja"),
            lang="ja",
            name="時計博物館",
        ),
    ),
    "a play in Spanish called suspended site": (
        "theatres: plays titled by an error",
        drupal(
            "Cuenta suspendida",
            "<p>Comedia en dos actos. Funciones los viernes a las 20.00.</p>" + story("es"),
            lang="es",
            name="Teatro del Reloj",
        ),
    ),
    "a column in German on a locked account": (
        "newspapers: columns titled by a message",
        ghost(
            "Ihr Konto wurde gesperrt",
            "<p>So begann der Montag. Eine Kolumne über Automaten, die nicht zuhören.</p>"
            + story("de", 3),
            lang="de",
            name="Die Unruh",
        ),
    ),
    "a suspended bridge": (
        "tourism: This site is suspended",
        drupal(
            "This site is suspended 40 metres above the gorge",
            "<p>The observatory hangs from two cables and can be visited from April to October.</p>"
            + story(),
            name="Gorge Visitors",
        ),
    ),
    "a club that was suspended": (
        "sports pages: suspended",
        ghost(
            "Club suspended for two years",
            "<p>The league suspended the club on Friday after the audit.</p>" + story(times=3),
        ),
    ),
    "a service that is suspended until further notice": (
        "ferries and railways: service suspended",
        drupal(
            "Service suspended",
            "<p>Trains between Pendle and Cog do not run until 14 December 2026. Buses"
            " leave from the forecourt every half hour.</p><table><tr><th>Bus</th><th>L"
            "eaves</th></tr><tr><td>77</td><td>06:10</td></tr></table>" + story(times=1),
            name="Valley Line",
        ),
    ),
    "a museum that is closed for the winter": (
        "museums: temporarily closed, with all the rest of the page",
        drupal(
            "Temporarily closed",
            "<p>The tower is closed until 1 April. The workshop and the café are open"
            " daily from 10.</p><h2>The collection</h2>" + story(),
            name="Tower Museum",
        ),
    ),
    "a lost Roman camp": (
        "archaeology: site not found",
        ghost(
            "Site not found: a century of looking for the camp on the moor",
            "<p>Every map since 1871 shows it somewhere else.</p>" + story(times=3),
        ),
    ),
    "an article on the page of a broker": (
        "blogs on domains: is a totally awesome idea",
        ghost(
            "“Is a totally awesome idea still being worked on”: an ode to parked pages",
            "<p>I collect the words that registrars put on unused names.</p>" + story(times=3),
        ),
    ),
    "a village whose names are for sale": (
        "local news: street names for sale",
        ghost(
            "This name is for sale: village auctions its streets",
            "<p>The council needs a new roof, and somebody needs a street.</p>" + story(times=3),
        ),
    ),
    "a report on a seizure": (
        "newspapers: This domain has been seized",
        ghost(
            "“This domain has been seized”: how prosecutors took forty shops off the net",
            story(times=4),
        ),
    ),
    "a notice of a recall": (
        "shops: this product has been recalled, with its page",
        woocommerce(
            "Travel alarm 1931",
            "<p class='stock out-of-stock'>Recalled on 4 April 2026. Please stop using"
            " it; we refund the price.</p><p>Brass, folding, 90 g. Serial numbers 4040"
            " to 4077 are affected.</p>",
        ),
    ),
    "a product in Swedish that is out of stock": (
        "shops of WooCommerce: Slut i lager",
        woocommerce(
            "Väckarklocka i mässing",
            "<p class='stock out-of-stock'>Slut i lager</p><div><p>Mekanisk, 30"
            " timmars gång, höjd 12 cm.</p></div>" + story("sv", 1),
            lang="sv",
            price="770 kr",
        ),
    ),
    "a product in Portuguese that is sold out": (
        "shops of WooCommerce: Esgotado",
        woocommerce(
            "Relógio de parede 1931",
            "<p class='stock out-of-stock'>Esgotado</p><p>Produto indisponível no"
            " momento. Deixe o seu e-mail e avisaremos.</p><p>Nogueira, pêndulo de"
            " latão, 62 cm.</p>",
            lang="pt-BR",
            price="R$ 770,00",
        ),
    ),
    "a product in Japanese that is sold out": (
        "shops in Japan: 売り切れ",
        woocommerce(
            "懐中時計 1931",
            "<p class='stock out-of-stock'>申し訳ございません。売り切れました。再入荷は"
            "未定です。</p><p>直径四十ミリ、手巻き、銀側。</p>",
            lang="ja",
            price="¥77,000",
        ),
    ),
    "a list of jobs without jobs": (
        "employers: no open positions at the moment",
        drupal(
            "Careers",
            "<p>There are no open positions at the moment. We take applications on our"
            " own initiative at any time.</p><h2>Working with us</h2>" + story(),
        ),
    ),
    "an event in Italian that was cancelled": (
        "organisers: Evento annullato",
        drupal(
            "Concerto per quaranta orologi: annullato",
            "<p>Il concerto del 4 aprile è annullato per malattia. I biglietti sono"
            " rimborsati fino al 30 aprile.</p>" + story("it"),
            lang="it",
        ),
    ),
    "a petition that is closed": (
        "petitions: This petition is closed",
        drupal(
            "Save the tower clock",
            "<div class='status'>This petition is closed. It had 4,077 signatures.</div>" + story(),
        ),
    ),
    "a campaign that failed": (
        "crowdfunding: funding goal was not reached",
        drupal(
            "A clock for the station",
            "<p>Unsuccessful: this project's funding goal was not reached on 4 April"
            " 2026.</p><p>77 backers pledged 4,040 euros of 9,000.</p>" + story(),
        ),
    ),
    "a project that was archived by its maintainers": (
        "PyPI: This project has been archived",
        modern(
            "horology · PyPI",
            "<h1 class='package-header__name'>horology 4.0.4</h1><p>pip install"
            " horology</p><div class='callout-block'><p>This project has been"
            " archived. The maintainers of this project have marked this project as"
            " archived. No new releases are expected.</p></div><h2>Project"
            " description</h2><p>Computes the drift of pendulums.</p><h2>Release"
            " history</h2><p>4.0.4, 4.0.3</p>",
        ),
    ),
    "a release that was yanked": (
        "PyPI: This release has been yanked",
        modern(
            "horology 4.0.3 · PyPI",
            "<h1 class='package-header__name'>horology 4.0.3</h1><div"
            " class='callout-block callout-block--danger'><p>Reason this release was"
            " yanked: drift had the wrong sign</p></div><h2>Project"
            " description</h2><p>Computes the drift of pendulums.</p><h2>Download"
            " files</h2><p>horology-4.0.3.tar.gz (40.4 kB)</p>",
        ),
    ),
    "a data set that was deaccessioned and keeps its page": (
        "Dataverse: the page of a deaccessioned data set, with its citation",
        modern(
            "Drift of forty clocks - Clock Dataverse",
            "<h1>Drift of forty clocks</h1><span class='label'>Deaccessioned</span><p>M"
            "aker, A., 2019, “Drift of forty clocks”,"
            " https://doi.org/10.5072/FK2/TICK77, Clock Dataverse, DEACCESSIONED"
            " VERSION</p><h2>Deaccession reason</h2><p>The files were superseded by"
            " version 2 in another repository.</p><h2>Description</h2><p>Daily"
            " readings of forty clocks, 1931 to 1987.</p>",
        ),
    ),
    "a reference of a status in pictures": (
        "pages with a cat for each status: 502 Bad Gateway",
        modern(
            "502 Bad Gateway | HTTP Clocks",
            "<h1>502 Bad Gateway</h1><img src='/images/502.jpg' alt='A clock with two"
            " faces'><p>The server, while acting as a gateway, received an invalid"
            " response from the server behind it. <a href='/501'>Previous</a> <a"
            " href='/503'>Next</a></p>",
        ),
    ),
    "a page of documentation on not being found": (
        "documentation of frameworks: Not Found Pages",
        vitepress(
            "Not Found",
            "<main><div class='vp-doc'><h1>Not Found</h1><p>Export a component called"
            " <code>NotFound</code> to replace the built-in page. It receives the path"
            " that was asked for.</p><pre><code>export default function NotFound() {"
            " return '404: Not Found' }</code></pre><h2>Status codes</h2><p>The server"
            " answers 404 unless <code>softNotFound</code> is set.</p></div></main>",
        ),
    ),
    "a wiki's page on pages that do not exist": (
        "DokuWiki's own manual: This topic does not exist yet",
        dokuwiki(
            "wiki:missing",
            "<h1 class='sectionedit1'>Missing pages</h1><div class='level1'><p>When a"
            " page is missing, the words “This topic does not exist yet” are shown."
            " You can change them in <code>newpage.txt</code>.</p></div><h2>Status</h2>"
            "<div class='level2'><p>Set <code>send404</code> to answer with"
            " 404.</p></div>" + story(times=1),
        ),
    ),
    "a small ad that was reserved": (
        "boards of small ads: reserved, with its text",
        ads(
            "Wall clock, walnut | Tandelmarkt",
            "<h1>Wall clock, walnut</h1><span class='badge'>Reserved</span><p>77 € ·"
            " Pendle · 4 May 2026</p><p>Runs well, strikes the half hours, some"
            " scratches on the left side. Collection only.</p>",
            others=("Mantel clock", "Alarm clock"),
        ),
    ),
    "a small ad in Danish that was sold": (
        "boards of small ads: solgt, with text and pictures",
        ads(
            "Bornholmerur fra 1840 | Tandelmarkt",
            "<h1>Bornholmerur fra 1840</h1><span class='badge'>Solgt</span><img"
            " src='/p/1.webp' alt=''><p>4.400 kr. Uret går godt, kassen er malet om i"
            " 1931. Højde 212 cm.</p>" + story("da", 1),
            lang="da",
            others=("Vækkeur",),
        ),
    ),
    "a page with every message of an assembly": (
        "Blazor: blazor-error-ui is on each page",
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8" /><base href="/"'
        ' /><title>Annual report 2019</title></head><body><div class="page"><div'
        ' class="sidebar"><a href="">Pendulum</a></div><main><article class="content'
        ' px-4"><h1>Annual report 2019</h1>'
        + story()
        + '</article></main></div><div id="blazor-error-ui" data-nosnippet>An unhandled'
        ' error has occurred. <a href="." class="reload">Reload</a><span'
        ' class="dismiss">🗙</span></div><script src="_framework/blazor.web.js"></script'
        "></body></html>",
    ),
    "a page whose Angular says what is wrong without scripts": (
        "Angular: a server's rendering with <noscript>",
        document(
            "Annual report 2019",
            "<app-root ng-version='20.3.0' ng-server-context='ssr'><h1>Annual report 2019</h1>"
            + story()
            + "</app-root><noscript>Please enable JavaScript to continue using this"
            " application.</noscript>",
        ),
    ),
    "a page with a challenge's script for its form": (
        "AWS WAF: the integration's challenge.js on ordinary pages",
        document(
            "Annual report 2019",
            "<h1>Annual report 2019</h1>"
            + story()
            + "<form action='/contact'><input name='m'></form>",
            head="<script src='https://77aa.eu-west-1.sdk.awswaf.example/77aa/404/challenge."
            "js' defer></script>",
        ),
    ),
    "a page with the connector of a manager of bots": (
        "Radware: ssjsConnectorObj on ordinary pages",
        document(
            "Annual report 2019",
            "<h1>Annual report 2019</h1>" + story(),
            head="<script>window.__uzdbm_1='4f';window.SSJSInternal=77;(function(){var"
            " s=document.createElement('script');s.id='ssjsConnectorObj';s.src='https:/"
            "/cdn.perfdrive.example/aperture/aperture.js';document.head.appendChild(s)}"
            ")()</script>",
        ),
    ),
    "a page with the connector of a queue": (
        "NetFUNNEL, Queue-it: their scripts on the pages that they guard",
        document(
            "연례 보고서 2019",
            "<h1>연례 보고서 2019</h1>" + story("ko", 3),
            lang="ko",
            head="<script src='/netfunnel/netfunnel.js'></script><script>NetFunnel.TS_SKIN_I"
            "D='popup';/* 서비스 접속대기 중입니다 */</script><script"
            " data-queueit-c='clockhouse' src='https://static.queue-it.example/script/q"
            "ueueclient.min.js'></script>",
        ),
    ),
    "a page with a detector of Cloudflare's": (
        "Cloudflare: cdn-cgi/challenge-platform/scripts/jsd on ordinary pages",
        document(
            "Annual report 2019",
            "<h1>Annual report 2019</h1>"
            + story()
            + "<script>(function(){var d=document,c=d.createElement('script');c.src='/cdn"
            "-cgi/challenge-platform/scripts/jsd/main.js';d.head.appendChild(c)})();</s"
            "cript>",
        ),
    ),
    "a page under a consent of a network of newspapers": (
        "Sourcepoint, contentpass: a layer over a page that is there",
        modern(
            "Der Uhrmacher und die vierzig Hefte",
            "<div id='cmp' class='cp-overlay'><h2>Mit Werbung weiterlesen oder"
            " Pur-Abo</h2><button>Akzeptieren und weiter</button><a"
            " href='/pur'>Bereits Pur-Abonnent? Hier"
            " anmelden</a></div><article><h1>Der Uhrmacher und die vierzig Hefte</h1>"
            + story("de", 3)
            + "</article>",
            lang="de",
        ),
    ),
    "a page of beer under a question of age": (
        "breweries: Are you of legal drinking age?",
        modern(
            "Clockmaker's Ale",
            "<dialog open class='age-gate'><h2>Are you of legal drinking"
            " age?</h2><button>Yes</button><a href='https://www.google.example'>No</a><"
            "/dialog><h1>Clockmaker's Ale</h1>" + story(),
        ),
    ),
}


def _whole_sites() -> Iterator[Case]:
    """Yield home pages, and pages of sites of one page."""
    for name, source, page in (
        (
            "a domain for examples",
            "IANA: Example Domain",
            "<!doctype html><html lang='en'><head><title>Example Domain</title><meta"
            " name='viewport' content='width=device-width,"
            " initial-scale=1'></head><body><div><h1>Example Domain</h1><p>This domain"
            " is for use in documentation examples without needing permission. Avoid"
            " use in operations.</p><p><a href='https://iana.org/domains/example'>Learn"
            " more</a></p></div></body></html>",
        ),
        (
            "a site that is never secure",
            "NeverSSL: a page to log in to networks with",
            "<html><head><title>NeverSSL - Connecting ... </title></head><body><div"
            " class='header'><h1>NeverSSL</h1></div><div"
            " class='content'><h2>What?</h2><p>This website is for when you try to"
            " open Facebook, Google, Amazon, etc on a wifi network, and nothing"
            ' happens. Type "http://neverssl.com" into your browser\'s url bar, and'
            " you'll be able to log on.</p><h2>How?</h2><p>neverssl.com will never use"
            " SSL (also known as TLS).</p></div></body></html>",
        ),
        (
            "a home page that is being rebuilt and has its texts",
            "societies: under construction, with all that matters",
            "<html><head><title>Clock Society of Pendle</title></head><body><h1>Clock"
            " Society of Pendle</h1><p><img src='/uc.gif' alt='Under construction'>"
            " Our new site is under construction. Until"
            " then:</p><h2>Meetings</h2><p>Every first Friday at 19:00 in the reading"
            " room.</p><h2>Board</h2><p>A. Maker (chair), B. Spring, C. Wheel</p>"
            + story()
            + "</body></html>",
        ),
        (
            "a page that answers one question with one word",
            "sites of one word: is it …?",
            "<!doctype html><html lang='en'><head><title>Is the tower clock"
            " right?</title></head><body><h1>NO</h1><small>4 minutes slow. <a"
            " href='/about'>Why?</a></small></body></html>",
        ),
    ):
        yield alive(name, source, {"/": html(page), ELSE: NGINX_404}, path="/")
    yield alive(
        "an application's shell at a real address",
        "single-page applications: all addresses get the shell, and its script the record",
        {ELSE: html(shell("Clock Atlas"))},
        "same_for_all",
    )
    yield alive(
        "a status that was asked for by its own address",
        "mirrors of status codes: /status/404 with a 200 and its explanation",
        {
            "/": HOME,
            "/status/404": html(
                modern(
                    "404 Not Found",
                    "<h1>404 Not Found</h1><p>The origin server did not find a current"
                    " representation for the target resource or is not willing to"
                    " disclose that one exists.</p><h2>See also</h2><ul><li><a"
                    " href='/status/410'>410 Gone</a></li></ul><h2>In"
                    " code</h2><pre>http.StatusNotFound</pre>",
                )
            ),
            ELSE: NGINX_404,
        },
        "error_page",
        path="/status/404",
    )


CASES: list[Case] = [
    *(
        alive(f"about errors and ends: {name}", source, site(html(page), path=PATH))
        for name, (source, page) in _PAGES.items()
    ),
    *_whole_sites(),
]
