"""Pages that are not there, as wikis, frameworks, stores and hosts say it with a 200."""

# ruff: noqa: RUF001
from collections.abc import Iterator

from tests.zoo.wild.case import ELSE, Case, Reply, gone, html, only, plain, redirect
from tests.zoo.wild.pages import HOME, NGINX_404, PATH, modern, site, swallowing
from tests.zoo.wild.year2026.forms import document_reply
from tests.zoo.wild.year2026_third.frames import (
    dokuwiki,
    drupal,
    ghost,
    shell,
    story,
    vitepress,
)

_FLAGS = ("error_page", "same_for_all")
_WAYS = (*_FLAGS, "home_page", "login", "parked", "changed_owner")
_JSON = "application/json"

# What software says with a 200, whatever is asked for: where it is known from, the answer.
_SOFTWARE: dict[str, tuple[str, Reply]] = {
    "DokuWiki has no such topic yet": (
        "DokuWiki: send404 is off by default, so a missing page comes with a 200",
        html(
            dokuwiki(
                "archive:2019:annual-report",
                '<h1 class="sectionedit1" id="this_topic_does_not_exist_yet">This'
                ' topic does not exist yet</h1><div class="level1"><p>You&#039;ve'
                " followed a link to a topic that doesn&#039;t exist yet. If"
                " permissions allow, you may create it by clicking on <strong>Create"
                " this page</strong>.</p></div>",
            ),
            "Set-Cookie: DokuWiki=5f77; path=/; HttpOnly",
        ),
    ),
    "DokuWiki has no such topic yet, in German": (
        "DokuWiki: inc/lang/de/newpage.txt",
        html(
            dokuwiki(
                "archiv:2019:jahresbericht",
                '<h1 class="sectionedit1">Dieses Thema existiert noch nicht</h1><div'
                ' class="level1"><p>Sie sind einem Link zu einem Thema gefolgt, das'
                " noch nicht existiert. Falls die Berechtigungen es erlauben, können"
                " Sie es anlegen.</p></div>",
                lang="de",
                name="Uhrenwiki",
            )
        ),
    ),
    "Blazor has nothing at this address": (
        "ASP.NET Core Blazor: the template's NotFound, prerendered with a 200 before .NET 8",
        html(
            '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8" /><base'
            ' href="/" /><title>Not found</title><link href="Pendulum.styles.css"'
            ' rel="stylesheet" /></head><body><div class="page"><div'
            ' class="sidebar"><a class="navbar-brand" href="">Pendulum</a><nav'
            ' class="flex-column"><a class="nav-link" href="">Home</a><a'
            ' class="nav-link" href="counter">Counter</a><a class="nav-link"'
            ' href="fetchdata">Fetch data</a></nav></div><main><div class="top-row'
            ' px-4"><a href="https://learn.microsoft.com/aspnet/core/"'
            ' target="_blank">About</a></div><article class="content px-4"><p'
            ' role="alert">Sorry, there\'s nothing at this'
            ' address.</p></article></main></div><div id="blazor-error-ui">An'
            ' unhandled error has occurred. <a href=""'
            ' class="reload">Reload</a></div><script'
            ' src="_framework/blazor.server.js"></script></body></html>'
        ),
    ),
    "Gatsby's route that does not exist": (
        "Gatsby's default starter: src/pages/404.js behind a fallback with a 200",
        html(
            '<!DOCTYPE html><html lang="en"><head><meta charSet="utf-8"/><meta'
            ' name="generator" content="Gatsby 5.14.0"/><title>404: Not found | Clock'
            ' Diary</title></head><body><div id="___gatsby"><div style="outline:none"'
            ' tabindex="-1" id="gatsby-focus-wrapper"><header><h1><a href="/">Clock'
            " Diary</a></h1></header><div><main><h1>404: Not Found</h1><p>You just hit"
            " a route that doesn&#x27;t exist... the sadness.</p></main><footer>©"
            ' 2026, Built with <a href="https://www.gatsbyjs.com">Gatsby</a></footer></'
            "div></div></div></body></html>"
        ),
    ),
    "VitePress ends up where it is heading": (
        "VitePress: NotFound.vue, with a 200 by a rewrite of everything",
        html(
            vitepress(
                "404",
                '<div class="NotFound"><p class="code">404</p><h1 class="title">PAGE'
                ' NOT FOUND</h1><div class="divider"></div><blockquote'
                ' class="quote">But if you don\'t change your direction, and if you'
                " keep looking, you may end up where you are heading.</blockquote><div"
                ' class="action"><a class="link" href="/" aria-label="go to home">Take'
                " me home</a></div></div>",
            )
        ),
    ),
    "SvelteKit's two lines": (
        "SvelteKit: the default +error.svelte, served by a host that knows no status",
        html(
            '<!doctype html><html lang="en"><head><meta charset="utf-8" /><link'
            ' rel="icon" href="/favicon.png" /></head><body'
            ' data-sveltekit-preload-data="hover"><div style="display:'
            ' contents"><h1>404</h1> <p>Not Found</p><script>{__sveltekit_1x7={base:"",'
            'assets:""};}</script></div></body></html>'
        ),
    ),
    "Nuxt's error page out of a cache": (
        "Nuxt 3: error-404.vue; a cache stored it as a 200",
        html(
            '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>404 -'
            " Page not found: /archive/2019/annual-report |"
            ' Pendulum</title></head><body><div id="__nuxt"><div class="antialiased'
            ' bg-white font-sans grid min-h-screen"><div class="max-w-520px'
            ' text-center z-20"><h1 class="font-medium mb-8 sm:text-10xl">404</h1><p'
            ' class="font-light leading-tight">Page not found:'
            ' /archive/2019/annual-report</p><div class="flex justify-center"><a'
            ' href="/" class="gradient-border">Go back'
            ' home</a></div></div></div></div><script type="application/json"'
            ' id="__NUXT_DATA__">[{"error":1},{"statusCode":404,"fatal":true}]</script>'
            "</body></html>"
        ),
    ),
    "DSpace cannot find the page": (
        "DSpace 7: the server's rendering sent its 404 page with a 200 (bug threads)",
        html(
            '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><base'
            ' href="/"><title>Repository of Horology :: 404</title><meta'
            ' name="Generator" content="DSpace 7.6.1"></head><body><ds-app><ds-themed-r'
            'oot><header><a class="navbar-brand" href="/home">Repository of'
            ' Horology</a><a href="/community-list">Communities &amp;'
            ' Collections</a></header><main class="main-content"><ds-pagenotfound><div'
            ' class="page-not-found container"><h1>404</h1><h2><small>page not'
            " found</small></h2><p>We can't find the page you're looking for. The"
            " page may have been moved or deleted. You can use the button below to get"
            ' back to the home page. </p><p class="text-center"><a class="btn'
            ' btn-primary" href="/home">Take me to the home'
            " page</a></p></div></ds-pagenotfound></main><footer>DSpace"
            " software</footer></ds-themed-root></ds-app></body></html>"
        ),
    ),
    "Invision could not locate the item": (
        "Invision Community: error 2F173/1, 200 by a cache",
        html(
            modern(
                "Sorry, there is a problem - Clock Collectors",
                '<section class="ipsType_center ipsError"><h1>Sorry, there is a'
                ' problem</h1><p class="ipsType_huge">We could not locate the item you'
                ' are trying to view.</p><p class="ipsType_light">Error code:'
                ' 2F173/1</p><a href="/" class="ipsButton">Home</a></section>',
            )
        ),
    ),
    "WoltLab says that the link is no longer valid": (
        "WoltLab Suite: wcf.page.error.illegalLink, 200 behind a proxy",
        html(
            modern(
                "Seite nicht gefunden - Uhrenforum",
                '<div class="section"><div class="box64 userException"><span'
                ' class="icon icon64 fa-exclamation-circle"></span><p'
                ' class="fullPageErrorMessage">Sie haben einen ungültigen oder nicht'
                " mehr gültigen Link aufgerufen.</p></div></div>",
                lang="de",
            )
        ),
    ),
    "PunBB's bad request": (
        "PunBB 1.2: message() with a 200; FluxBB sends 404 since 1.5",
        html(
            '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN"'
            ' "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd"><html'
            ' lang="en"><head><title>Info / Watch Talk</title></head><body><div'
            ' id="punwrap"><div id="punmisc" class="pun"><div'
            ' id="brdtitle"><h1><span>Watch Talk</span></h1></div><div'
            ' id="brdmenu"><ul><li><a href="index.php">Index</a></li><li><a'
            ' href="register.php">Register</a></li></ul></div><div id="msg"'
            ' class="block"><h2><span>Info</span></h2><div class="box"><div'
            ' class="inbox"><p>Bad request. The link you followed is incorrect or'
            ' outdated.</p><p><a href="javascript: history.go(-1)">Go'
            " back</a></p></div></div></div></div></div></body></html>"
        ),
    ),
    "osCommerce has no such product": (
        "osCommerce 2: TEXT_PRODUCT_NOT_FOUND, 200",
        html(
            '<!DOCTYPE html><html dir="ltr" lang="en"><head><meta charset="utf-8"'
            ' /><title>Watch Parts Depot</title></head><body><div id="bodyWrapper"'
            ' class="container"><div id="header"><a href="/index.php">Watch Parts'
            ' Depot</a><a href="/shopping_cart.php">Cart Contents</a><a'
            ' href="/login.php">My Account</a></div><div id="bodyContent"><div'
            ' class="contentContainer"><div class="contentText"><div class="alert'
            ' alert-warning">Product not found!</div></div><div class="pull-right"><a'
            ' href="/index.php" class="btn">Continue</a></div></div></div><div'
            ' id="footer">Copyright © 2026 Watch Parts Depot</div></div></body></html>',
        ),
    ),
    "Zen Cart has no such product": (
        "Zen Cart: product_info_not_found, 200",
        html(
            modern(
                "Sorry, the product was not found. : Springs &amp; Wheels",
                '<div class="centerColumn" id="productInfoNoProduct"><div'
                ' id="productInfoNoProductMainContent" class="content">Sorry, the'
                ' product was not found.</div><div class="buttonRow back"><a'
                ' href="/index.php">Back</a></div></div>',
            )
        ),
    ),
    "Drupal's page in a theme of its own, from the edge": (
        "Drupal: system.404; the content network answered for it with a 200",
        html(
            drupal(
                "Page not found",
                "<p>The requested page could not be found.</p>",
            ),
            "X-Cache: HIT",
        ),
    ),
    "Ghost's theme, by a rewrite": (
        "Ghost: error-404.hbs of Casper, exported as a static site",
        html(
            ghost(
                "404 — Page not found",
                '<h1 class="error-code">404</h1><p class="error-description">Page not'
                ' found</p><a class="error-link" href="/">Go to the front page →</a>',
            )
        ),
    ),
    "a portal of Liferay": (
        "Liferay: Not Found, 200 where layout.friendly.url.page.not.found is set to a page",
        html(
            modern(
                "Status - Town of Pendle",
                '<div class="portlet-status"><h3 class="alert alert-danger">Not'
                ' Found</h3><div class="alert">The requested resource could not be'
                ' found.</div><code class="lfr-url-error">http://$HOST/archive/2019/ann'
                'ual-report</code><a href="javascript:history.go(-1);">« Back</a></div>',
            )
        ),
    ),
    "Umbraco says what to do about it": (
        "Umbraco: nonodes and the default 404, sent with a 200 by a front end",
        document_reply(
            "Page Not Found",
            "<h1>Page Not Found</h1><h3>No umbraco document matches the url"
            " '/archive/2019/annual-report'.</h3><p>No page could be found at this"
            " address, nor was an alias defined. This page can be replaced with a"
            ' custom 404. Check the documentation for "custom 404".</p><p>This page is'
            " intentionally left ugly ;-)</p>",
        ),
    ),
    "a shop in Korean says so by an alert": (
        "Cafe24 shops: an alert and history.back, 200",
        html(
            '<!DOCTYPE html><html lang="ko"><head><meta'
            ' charset="utf-8"><title></title></head><body><script>alert(\'존재하지'
            " 않는 상품입니다.'); history.back();</script></body></html>"
        ),
    ),
    "a blog in Korean says so by an alert": (
        "Naver Blog: PostView, 200",
        html(
            '<html><head><meta charset="utf-8"><title>네이버'
            ' 블로그</title></head><body><script type="text/javascript">alert(\'삭제되'
            "었거나 존재하지 않는 게시물입니다.'); location.href='/keeper';</script></b"
            "ody></html>"
        ),
    ),
}


def _platforms() -> Iterator[Case]:
    """Yield what big sites say of a thing that went, while others beside it are there."""
    for name, source, page in (
        (
            "an article in Chinese that its author deleted",
            "WeChat: weui-msg__title warn, 200 (tests of public exporters)",
            '<!DOCTYPE html><html><head><meta charset="utf-8"><title></title><link'
            ' rel="stylesheet" href="/mmbizwap/secitptpage.css"></head><body'
            ' id="activity-detail"><div id="js_container" class="weui-msg"><div'
            ' class="weui-msg__icon-area"><i class="weui-icon-warn'
            ' weui-icon_msg"></i></div><div class="weui-msg__text-area"><div'
            ' class="weui-msg__title warn">该内容已被发布者删除</div></div></div></body'
            "></html>",
        ),
        (
            "an article in Chinese that broke the rules",
            "WeChat: 此内容因违规无法查看, 200 (tests of public exporters)",
            '<!DOCTYPE html><html><head><meta charset="utf-8"><title></title></head><bo'
            'dy><div class="weui-msg"><div class="weui-msg__icon-area"><i'
            ' class="weui-icon-warn"></i></div><div class="weui-msg__text-area"><h2'
            ' class="weui-msg__title">此内容因违规无法查看</h2><p'
            ' class="weui-msg__desc">由用户投诉并经平台审核，违反《即时通信工具公众信息'
            "服务发展管理暂行规定》。</p></div></div></body></html>",
        ),
        (
            "a workshop's item that its author removed",
            "Steam Community: sectionText, 200 (public readers of the workshop)",
            '<!DOCTYPE html><html class="responsive" lang="en"><head><title>Steam'
            ' Community :: Error</title></head><body class="flat_page'
            ' responsive_page"><div class="responsive_page_frame"><div'
            ' id="global_header"><a href="/">STORE</a><a'
            ' href="/community">COMMUNITY</a></div><div id="message"><h2>Error</h2><p'
            ' class="sectionText">An error was encountered while processing your'
            " request:</p><br><br><h3>That item does not exist. It may have been"
            " removed by the author.</h3><br><br></div></div></body></html>",
        ),
        (
            "a player's profile that is not there",
            "Steam Community: error_ctn, 200",
            '<!DOCTYPE html><html class="responsive" lang="en"><head><title>Steam'
            ' Community :: Error</title></head><body class="flat_page"><div'
            ' id="BG_bottom"><div class="error_ctn"><div id="mainContents"><h2'
            ' id="headerError">Error</h2><div id="message"><h3>The specified profile'
            " could not be found.</h3></div></div></div></div></body></html>",
        ),
        (
            "a short video that was removed",
            "TikTok: webapp.video-detail, statusCode 10204, 200 (tests of public readers)",
            '<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><title>TikTok'
            ' - Make Your Day</title></head><body><div id="app"><main><p'
            ' class="css-1-P">Video currently unavailable</p><p>Looking for videos?'
            " Try browsing our trending creators, hashtags, and"
            ' sounds.</p></main></div><script id="__UNIVERSAL_DATA_FOR_REHYDRATION__"'
            ' type="application/json">{"__DEFAULT_SCOPE__":{"webapp.video-detail":{"sta'
            'tusCode":10204,"statusMsg":"item doesn\'t exist"}}}</script></body></html>',
        ),
        (
            "a document of the Union's law that is not there",
            "EUR-Lex: The requested document does not exist., 200",
            modern(
                "EUR-Lex",
                '<div id="MainContent"><div class="alert alert-info"><span>The'
                " requested document does not exist.</span></div><p><a"
                ' href="/advanced-search-form.html">Advanced search</a></p></div>',
            ),
        ),
        (
            "a document of the nations that matches nothing",
            "documents of the UN: 200",
            modern(
                "United Nations - Official Document System",
                "<p>There is no document matching your request.</p>",
            ),
        ),
        (
            "a file that the host does not have any more",
            "Turbobit: 200",
            modern(
                "Download file. Turbo upload",
                '<div class="file-not-found"><h1>File was not found. It could possibly'
                " be deleted.</h1><p>Maybe it was deleted at the request of its"
                " owner.</p></div>",
            ),
        ),
        (
            "a job in Swiss German that is not active",
            "jobs.ch: Dieses Inserat ist nicht mehr aktiv, 200 (public readers of jobs)",
            modern(
                "Uhrmacher EFZ 80-100% | Stellen",
                "<div class='banner'><h1>Uhrmacher EFZ 80-100%</h1><p>Dieses Inserat"
                " ist nicht mehr aktiv.</p></div><h2>Ähnliche Jobs</h2><ul><li><a"
                " href='/j/1'>Polymechaniker</a></li><li><a"
                " href='/j/2'>Goldschmiedin</a></li></ul>",
                lang="de",
            ),
        ),
        (
            "a job whose position was filled",
            "SmartRecruiters: Sorry, this position has been filled., 200",
            modern(
                "Horologist | Pendulum Ltd",
                "<h1>Sorry, this position has been filled.</h1><p><a"
                " href='/careers'>See our other openings</a></p>",
            ),
        ),
        (
            "a job that Taleo does not show any more",
            "Oracle Taleo: jobdetail.ftl, 200",
            modern(
                "Careers",
                "<div id='requisitionUnavailable'><h1>The job is no longer"
                " available</h1><p>The job you are looking for has been filled or is"
                " no longer posted. You may look for another one.</p></div>",
            ),
        ),
        (
            "a ticket that is sold out of existence",
            "sellers of tickets: an event that was taken off, 200",
            modern(
                "Event unavailable | Boxoffice",
                "<h1>This event is no longer available</h1><p>It may have ended or"
                " been removed by its organiser.</p>",
            ),
        ),
        (
            "a book in Portuguese that was taken off",
            "bookshops in Brazil: produto indisponível no catálogo, 200",
            modern(
                "Produto não encontrado - Livraria do Relógio",
                "<h1>Produto não encontrado</h1><p>O produto que você procura não está"
                " mais disponível em nosso catálogo.</p>",
                lang="pt",
            ),
        ),
        (
            "an answer in Spanish that went with its asker",
            "boards in Latin America: esta publicación fue eliminada, 200",
            modern(
                "Publicación eliminada",
                "<h1>Esta publicación fue eliminada</h1><p>El autor borró la"
                " publicación y ya no se puede ver.</p>",
                lang="es",
            ),
        ),
    ):
        yield gone(name, source, swallowing(html(page)), *_FLAGS)
    withdrawn = html(
        drupal(
            "This publication has been removed",
            "<p>The annual report for 2019 has been removed from this site and is not"
            " replaced.</p>",
        )
    )
    yield gone(
        "a report that its publisher took away, and says so at its address alone",
        "societies and agencies: this publication has been removed, 200",
        site(withdrawn),
        *_FLAGS,
    )


# What interfaces answer for a thing that they do not have.
_ANSWERS: dict[str, tuple[str, Reply]] = {
    "a map's item": (
        "ArcGIS REST: CONT_0001 with a 200",
        plain(
            '{"error":{"code":400,"messageCode":"CONT_0001","message":"Item does not'
            ' exist or is inaccessible.","details":[]}}',
            kind=_JSON,
        ),
    ),
    "a film's number": (
        "OMDb: Response False with a 200",
        plain('{"Response":"False","Error":"Error getting data."}', kind=_JSON),
    ),
    "a wiki's text": (
        "MediaWiki's action API: missingtitle with a 200",
        plain(
            '{"error":{"code":"missingtitle","info":"The page you specified doesn\'t'
            ' exist.","docref":"See http://$HOST/w/api.php for API usage."}}',
            "MediaWiki-API-Error: missingtitle",
            kind=_JSON,
        ),
    ),
    "a map's service": (
        "ArcGIS Server: Requested Service not available, 200",
        plain(
            '{"error":{"code":404,"message":"Requested Service not available.","details":[]}}',
            kind=_JSON,
        ),
    ),
    "a feature of a WFS": (
        "GeoServer: ows:ExceptionReport with a 200",
        plain(
            '<?xml version="1.0" encoding="UTF-8"?><ows:ExceptionReport'
            ' xmlns:ows="http://www.opengis.net/ows/1.1"'
            ' version="2.0.0"><ows:Exception exceptionCode="InvalidParameterValue"'
            ' locator="typeName"><ows:ExceptionText>Feature type clocks:towers'
            " unknown</ows:ExceptionText></ows:Exception></ows:ExceptionReport>",
            kind="application/xml",
        ),
    ),
    "an object of a Chinese cloud": (
        "Qiniu Kodo: Document not found, 200 through a mirror",
        plain('{"error":"Document not found"}', "X-Reqid: 4tIAAA", kind=_JSON),
    ),
}

# Hosts' and registrars' pages for names that nobody uses, at each address.
_PARKED: dict[str, tuple[str, Reply]] = {
    "Hover thinks that it is a totally awesome idea": (
        "Hover: the page of a domain without a site",
        document_reply(
            "$HOST",
            "<div class='logo'><a href='https://www.hover.com/?source=parked'>Hover</a>"
            "</div><h1>$HOST</h1><h2>is a totally awesome idea still being worked"
            " on.</h2><p class='big'>Check back later.</p>",
        ),
    ),
    "Domeneshop parks it": (
        "Domeneshop, Norway",
        document_reply(
            "$HOST er parkert",
            "<h1>$HOST</h1><p>Domenet er registrert og parkert hos Domeneshop. Det er"
            " ikke satt opp noen nettside her ennå.</p>",
            lang="nb",
        ),
    ),
    "Muu Muu Domain registered it": (
        "GMO Pepabo: このドメインはムームードメインで取得されています",
        document_reply(
            "ムームードメイン",
            "<h1>このドメインは、ムームードメインで取得されています。</h1><p>ウェブサイ"
            "トはまだ公開されていません。</p><a href='https://muumuu-domain.example/'>"
            "ドメインを取得する</a>",
            lang="ja",
        ),
    ),
    "Arsys registered it": (
        "Arsys, Spain",
        document_reply(
            "Dominio registrado",
            "<h1>$HOST</h1><p>Este dominio ha sido registrado por un cliente de Arsys"
            " y todavía no tiene contenido.</p>",
            lang="es",
        ),
    ),
    "Zone parks it": (
        "Zone Media, Estonia",
        document_reply(
            "Domeen on pargitud",
            "<h1>$HOST</h1><p>See domeen on registreeritud ja pargitud. Veebilehte"
            " siin veel ei ole.</p>",
            lang="et",
        ),
    ),
    "Combell registered it for somebody": (
        "Combell, Belgium",
        document_reply(
            "Deze domeinnaam is geregistreerd",
            "<h1>Deze domeinnaam is geregistreerd</h1><p>$HOST werd geregistreerd door"
            " een klant van Combell. Er is nog geen website.</p>",
            lang="nl",
        ),
    ),
    "Above offers it": (
        "Above.com, Trellian: for sale, with links of sponsors",
        document_reply(
            "$HOST",
            "<p class='sale'><a href='https://www.above.example/marketplace/$HOST'>This"
            " domain may be for sale. Buy this domain.</a></p><ul class='rsp'><li><a"
            " href='/?q=watches'>Watches</a></li><li><a href='/?q=repair'>Watch"
            " repair</a></li><li><a href='/?q=loans'>Loans</a></li></ul><p>Sponsored"
            " listings</p>",
        ),
    ),
    "a broker in Polish offers it": (
        "AfterMarket.pl: domena na sprzedaż",
        document_reply(
            "Domena $HOST jest na sprzedaż!",
            "<h1>Domena $HOST jest na sprzedaż!</h1><p>Złóż ofertę w serwisie"
            " AfterMarket.pl</p><form><input name='cena'><button>Złóż"
            " ofertę</button></form>",
            lang="pl",
        ),
    ),
}

# Pages of software just installed; only the root has them.
_FRESH: dict[str, tuple[str, Reply]] = {
    "lighttpd's placeholder": (
        "lighttpd of Debian: index.lighttpd.html",
        document_reply(
            "Welcome page",
            "<h1>Placeholder page</h1><p class='l'>The owner of this web site has not"
            " put up any web pages yet. Please come back later.</p><p>You should"
            " <strong>replace this page</strong> with your own web pages as soon as"
            " possible.</p><p>Unless you changed its configuration, your new server is"
            " configured as follows: configuration files can be found in"
            " <tt>/etc/lighttpd</tt>.</p>",
            "Server: lighttpd/1.4.79",
        ),
    ),
    "WildFly's welcome": (
        "WildFly: welcome-content/index.html",
        document_reply(
            "Welcome to WildFly",
            "<div class='wrapper'><h1>Welcome to WildFly</h1><h3>Your WildFly instance"
            " is running.</h3><p><a href='https://docs.wildfly.org'>Documentation</a>"
            " | <a href='https://github.com/wildfly/quickstart'>Quickstarts</a> | <a"
            " href='/console'>Administration Console</a></p><sub>To replace this page"
            " simply deploy your own war with / as its context path.</sub></div>",
        ),
    ),
    "Synology's Web Station": (
        "Synology DSM: Web Station has been enabled",
        document_reply(
            "Hello! Welcome to Synology Web Station!",
            "<div id='main'><h1>Web Station has been enabled.</h1><p>To finish setting"
            ' up your website, please see the "Web Service" section of DSM'
            " Help.</p></div>",
        ),
    ),
    "FASTPANEL's new site": (
        "FASTPANEL: the page of a site just created",
        document_reply(
            "FASTPANEL",
            "<main><h1>Site $HOST just created.</h1><p>This is a placeholder. Upload"
            " the files of your website to its folder.</p><p>Сайт только что"
            " создан.</p><a href='https://fastpanel.direct'>FASTPANEL</a></main>",
        ),
    ),
}


def _by_redirects() -> Iterator[Case]:
    """Yield pages that lead to what they are not."""
    for name, source, way, page in (
        (
            "a job that leads to the board, which says that it is not found",
            "Workable: 302 to ?not_found=true",
            "/pendulum/?not_found=true",
            modern(
                "Current openings at Pendulum",
                "<div role='alert'>The job you are looking for is no longer"
                " open.</div><h1>Current openings</h1><ul><li>Polisher</li><li>Driver</"
                "li></ul>",
            ),
        ),
        (
            "a thing that leads to a page of the lost",
            "Salesforce Commerce Cloud: 302 to Home-ErrorNotFound, 200",
            "/on/demandware.store/Sites-Clock-Site/en/Home-ErrorNotFound",
            modern(
                "Clock House - Error 404",
                "<div class='error-page'><h1>We're sorry, the page you requested"
                " cannot be found</h1><p>The page may have been removed.</p></div>",
            ),
        ),
        (
            "a page in Czech that leads to the error of a shop's system",
            "Shoptet: 302 to /404/, 200",
            "/404/",
            modern(
                "Stránka nenalezena",
                "<h1>Stránka nenalezena</h1><p>Omlouváme se, ale požadovaná stránka"
                " nebyla nalezena.</p>",
                lang="cs",
            ),
        ),
    ):
        yield gone(
            name,
            source,
            {"/": HOME, PATH: redirect(way), way: html(page), ELSE: NGINX_404},
            *_WAYS,
        )
    for name, source, host, way, page in (
        (
            "saved articles that lead to the news of a service's end",
            "Pocket, July 2025: everything to the article on its end",
            "support.reader-maker.example",
            "/kb/future-of-reader",
            modern(
                "The reader has shut down - what you need to know",
                "<h1>The reader has shut down</h1><p>We closed it on 8 July 2025."
                " Saved articles could be exported until 12 November 2025 and have"
                " been deleted.</p>",
            ),
        ),
        (
            "a retired forum that leads to the front of the new one",
            "TechNet and MSDN forums: 301 to the questions' front page",
            "answers.big-maker.example",
            "/en-us/answers/",
            modern("Questions and answers", f"<h1>Q&amp;A</h1>{story('en', 1)}"),
        ),
        (
            "a free host's site that leads to the host's farewell",
            "000webhost, 2024: everything to the page on its end",
            "www.free-sites-once.example",
            "/migrate?static=true",
            modern(
                "Free hosting has come to an end",
                "<h1>Free hosting has been discontinued</h1><p>Accounts that did not"
                " move were deleted.</p>",
            ),
        ),
        (
            "a product that leads to the front of a market in Chinese",
            "JD.com: 302 to the home page with ?d",
            "www.clock-market-cn.example",
            "/?d",
            modern("钟表商城-正品低价", f"<h1>今日推荐</h1>{story('zh', 1)}", lang="zh"),
        ),
    ):
        yield gone(
            name,
            source,
            only(redirect(f"http://{host}:PORT{way}", status=301)),
            *_WAYS,
            others={host: only(html(page))},
        )
    yield gone(
        "a game that leads to the front of the store",
        "Steam's store: 302 to / for what was taken off",
        {
            "/": html(modern("Welcome to the store", f"<h1>Featured</h1>{story()}")),
            ELSE: redirect("/"),
        },
        *_WAYS,
    )
    picture = Reply(
        headers=("Content-Type: image/png",),
        body=b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + b"\x00" * 490,
    )
    yield gone(
        "a picture that leads to a picture which says that it was removed",
        "Imgur: 302 to /removed.png for whatever is not there",
        {"/": HOME, "/removed.png": picture, ELSE: redirect("/removed.png")},
        *_WAYS,
        path="/q7Xk2.jpg",
    )
    farewell = document_reply(
        "We closed",
        "<h1>Thank you for twenty-two years of blogs</h1><p>The service was closed on"
        " 30 September 2025. Blogs can no longer be read or exported.</p>",
    )
    yield gone(
        "a blog whose host says goodbye at every address",
        "Typepad, September 2025",
        only(farewell),
        *_WAYS,
    )
    yield gone(
        "a shell that was rendered with the words of its error",
        "single-page applications that are rendered on a server which sends a 200 always",
        swallowing(
            html(
                shell(
                    "Page not found",
                    body="<main><h1>Page not found</h1><p>Sorry, we couldn’t find the page"
                    " you’re looking for.</p><a href='/'>Go back home</a></main>",
                )
            )
        ),
        *_FLAGS,
    )


CASES: list[Case] = [
    *(
        gone(name, source, swallowing(reply), *_FLAGS)
        for name, (source, reply) in _SOFTWARE.items()
    ),
    *_platforms(),
    *(
        gone(f"an interface knows of no such thing: {name}", source, swallowing(reply), *_FLAGS)
        for name, (source, reply) in _ANSWERS.items()
    ),
    *(
        gone(name, f"public form: {who}", only(reply), "parked", *_FLAGS)
        for name, (who, reply) in _PARKED.items()
    ),
    *(
        gone(
            name, f"public form: {who}", {"/": reply, ELSE: NGINX_404}, "parked", *_FLAGS, path="/"
        )
        for name, (who, reply) in _FRESH.items()
    ),
    *_by_redirects(),
]
