"""Pages that are not there: shops, boards, videos, jobs and notices, in their own templates."""

# ruff: noqa: E501, RUF001
from tests.zoo.wild.case import Case, gone, html
from tests.zoo.wild.year2026_fourth.frames import (
    Met,
    document,
    magento,
    mediawiki,
    news,
    next_app,
    phpbb,
    plain_site,
    shopify,
    wordpress,
)

_FLAGS = ("error_page", "same_for_all")
_CLOUDFLARE = ("Server: cloudflare", "CF-RAY: 9b0e2f4c1d77a1b2-AMS", "cf-cache-status: DYNAMIC")

# With a status that says so.
_HARD: dict[str, Met] = {
    "a post of WordPress that was deleted": Met(
        source="WordPress, Twenty Twenty-One: 404.php",
        reply=html(
            wordpress(
                "Page not found",
                '<header class="page-header alignwide"><h1 class="page-title">Nothing here</h1></header><div class="error-404 not-found default-max-width"><div class="page-content"><p>It looks like nothing was found at this location. Maybe try a search?</p><form role="search" method="get" class="search-form" action="/"><label for="search-form-1">Search&hellip;</label><input type="search" id="search-form-1" class="search-field" name="s" /><input type="submit" class="search-submit" value="Search" /></form></div></div>',
                kind="error404",
            ),
            "Server: Apache",
            "Cache-Control: no-cache, must-revalidate, max-age=0",
            'Link: <https://$HOST/wp-json/>; rel="https://api.w.org/"',
            status=404,
        ),
        path="/2016/05/plant-sale-report/",
        everywhere=True,
    ),
    "a product of Shopify that was deleted, in German": Met(
        source="Shopify, Dawn: sections/main-404.liquid, locales/de.json",
        reply=html(
            shopify(
                "404 Nicht gefunden",
                '<div class="template-404 page-width page-width--narrow center"><p>404</p><h1 class="title">Seite nicht gefunden</h1><a href="/collections/all" class="button">Weiter shoppen</a></div>',
                lang="de",
                kind="404",
            ),
            *_CLOUDFLARE,
            "powered-by: Shopify",
            "x-shopify-stage: production",
            status=404,
        ),
        path="/products/wickensamen-alte-sorten",
        lang="de",
        everywhere=True,
    ),
    "a product of Magento that was disabled": Met(
        source="Magento 2, Luma: CMS page no-route",
        reply=html(
            magento(
                "404 Not Found",
                '<div class="page-title-wrapper"><h1 class="page-title"><span class="base" data-ui-id="page-title-wrapper">Whoops, our bad...</span></h1></div><div class="columns"><div class="column main"><dl><dt>The page you requested was not found, and we have a fine guess why.</dt><dd><ul class="disc"><li>If you typed the URL directly, please make sure the spelling is correct.</li><li>If you clicked on a link to get here, the link is outdated.</li></ul></dd></dl><dl><dt>What can you do?</dt><dd>Have no fear, help is near! There are many ways you can get back on track with Magento Store.</dd><dd><ul class="disc"><li><a href="#" onclick="history.go(-1); return false;">Go back</a> to the previous page.</li><li>Use the search bar at the top of the page to search for your products.</li><li>Follow these links to get you back on track!<br /><a href="/">Store Home</a> <span class="separator">|</span> <a href="/customer/account/">My Account</a></li></ul></dd></dl></div></div>',
                kind="cms-noroute-index",
            ),
            "X-Magento-Cache-Debug: MISS",
            "Pragma: no-cache",
            status=404,
        ),
        path="/dibber-ash-handle.html",
        everywhere=True,
    ),
    "a product of PrestaShop that is no more, in French": Met(
        source="PrestaShop 8, classic: errors/404.tpl (fr)",
        reply=html(
            plain_site(
                "Cette page est introuvable.",
                '<div id="wrapper"><nav class="breadcrumb"><ol><li><a href="/">Accueil</a></li></ol></nav><section id="main"><header class="page-header"><h1>Cette page est introuvable.</h1></header><section id="content" class="page-content page-not-found"><h4>La page que vous cherchez n\'a pas été trouvée.</h4><p>Nous sommes désolés pour le désagrément. Effectuez une nouvelle recherche :</p><div id="search_widget" data-search-controller-url="//$HOST/recherche"><form method="get" action="//$HOST/recherche"><input type="hidden" name="controller" value="search"><input type="text" name="s" placeholder="Rechercher"></form></div></section></section></div>',
                lang="fr",
                name="Graines du Rail",
                head='<script>var prestashop = {"page":{"page_name":"pagenotfound"},"shop":{"name":"Graines du Rail"}};</script>',
            ),
            "Powered-By: PrestaShop",
            status=404,
        ),
        path="/outils/214-plantoir-en-frene.html",
        lang="fr",
        everywhere=True,
    ),
    "a product of OpenCart that was removed, in Russian": Met(
        source="OpenCart 3, russian: product/product text_error, 404",
        reply=html(
            plain_site(
                "Товар не найден!",
                '<div id="error-not-found" class="container"><ul class="breadcrumb"><li><a href="/"><i class="fa fa-home"></i></a></li><li><a href="#">Товар не найден!</a></li></ul><div class="row"><div id="content" class="col-sm-12"><h1>Товар не найден!</h1><p>Товар не найден!</p><div class="buttons clearfix"><div class="pull-right"><a href="/" class="btn btn-primary">Продолжить</a></div></div></div></div></div>',
                lang="ru",
                name="Семена и сад",
            ),
            "Set-Cookie: OCSESSID=1fd2; path=/",
            status=404,
        ),
        path="/index.php?route=product/product&product_id=5120",
        lang="ru",
    ),
    "a topic of phpBB that was deleted, in French": Met(
        source="phpBB 3.3: viewtopic.php, NO_TOPIC in language/fr/common.php",
        reply=html(
            phpbb(
                "Information",
                '<div class="panel" id="message"><div class="inner"><h2 class="message-title">Information</h2><p>Le sujet demandé n’existe pas.</p></div></div>',
                lang="fr",
                name="Forum des jardiniers",
            ),
            status=404,
        ),
        path="/viewtopic.php?t=10482",
        lang="fr",
    ),
    "a thread of XenForo that was deleted": Met(
        source="XenForo 2.3: requested_thread_not_found, 404",
        reply=html(
            plain_site(
                "Oops! We ran into some problems. | Growers' Forum",
                '<div class="p-body-header"><div class="p-title"><h1 class="p-title-value">Oops! We ran into some problems.</h1></div></div><div class="p-body-main"><div class="p-body-content"><div class="p-body-pageContent"><div class="blockMessage">The requested thread could not be found.</div></div></div></div><div class="p-footer-copyright">Community platform by XenForo<sup>&reg;</sup></div>',
                name="Growers' Forum",
            ),
            "X-Frame-Options: SAMEORIGIN",
            status=404,
        ),
        path="/threads/blight-in-july.58211/",
    ),
    "a topic of Invision that was deleted": Met(
        source="Invision Community 4: core/global/global/error, code 2F173/1",
        reply=html(
            plain_site(
                "Sorry, we couldn't find that! - Beekeepers",
                '<section id="elError" class="ipsBox ipsPad ipsType_center" data-role="pageError"><i class="fa fa-exclamation-circle ipsType_huge"></i><p class="ipsType_reset ipsType_light ipsType_large">Something went wrong. Please try again.</p><div id="elErrorMessage" class="ipsPos_center">We could not locate the item you are trying to view.</div><p class="ipsType_light ipsType_normal">Error code: 2F173/1</p><ul class="ipsList_inline"><li><a href="/contact/" class="ipsButton">Contact Us</a></li></ul></section><p id="elCopyright"><a rel="nofollow" href="https://www.invisioncommunity.com/">Powered by Invision Community</a></p>',
                name="Beekeepers",
            ),
            status=404,
        ),
        path="/topic/8841-swarm-in-the-signal-box/",
    ),
    "a topic of Discourse that was deleted": Met(
        source="Discourse: exceptions/not_found, page_not_found.title",
        reply=html(
            document(
                "Page Not Found - Growers",
                '<noscript data-path="/t/first-leeks/311"><header class="d-header"><a href="/">Growers</a></header></noscript><div class="page-not-found"><h1 class="title">Oops! That page doesn’t exist or is private.</h1></div><div class="row page-not-found-topics"><div class="popular-topics"><h2 class="popular-topics-title">Popular</h2><ul><li><a href="/t/welcome/5">Welcome to Growers</a></li></ul></div></div>',
                head='<meta name="generator" content="Discourse 3.6.0.beta1"><link href="/stylesheets/desktop.css" rel="stylesheet">',
            ),
            "X-Discourse-Route: topics/show",
            "Server: nginx",
            status=404,
        ),
        path="/t/first-leeks/311",
    ),
    "an article of Joomla that was unpublished": Met(
        source="Joomla 5, Cassiopeia: error.php",
        reply=html(
            plain_site(
                "404",
                '<h1 class="page-header">The requested page can\'t be found.</h1><div class="card"><div class="card-body"><div class="row"><div class="col-lg-6"><p><strong>An error has occurred while processing your request.</strong></p><p>You may not be able to visit this page because of:</p><ul><li>an out-of-date bookmark/favourite</li><li>a mistyped address</li><li>a search engine that has an out-of-date listing for this site</li><li>you have no access to this page</li></ul></div><div class="col-lg-6"><p><a href="/" class="btn btn-secondary">Home Page</a></p></div></div><hr><p>If difficulties persist, please contact the website administrator and report the error below.</p><blockquote><span class="badge bg-secondary">404</span> Article not found</blockquote></div></div>',
                head='<meta name="generator" content="Joomla! - Open Source Content Management">',
            ),
            status=404,
        ),
        path="/index.php/news/112-spring-meeting",
        everywhere=True,
    ),
    "a page of Drupal that was removed, in Portuguese": Met(
        source="Drupal 10, Olivero: system 404 (pt-br)",
        reply=html(
            plain_site(
                "Página não encontrada | Prefeitura Municipal",
                '<div class="region region--content grid-full layout--pass--content-medium"><h1 class="title page-title">Página não encontrada</h1><div id="block-olivero-content" class="block block-system block-system-main-block"><div class="block__content">A página solicitada não pôde ser encontrada.</div></div></div>',
                lang="pt",
                name="Prefeitura Municipal",
                head='<meta name="Generator" content="Drupal 10 (https://www.drupal.org)" />',
            ),
            "X-Generator: Drupal 10 (https://www.drupal.org)",
            "X-Drupal-Dynamic-Cache: MISS",
            status=404,
        ),
        path="/noticias/feira-de-mudas-2018",
        lang="pt",
        everywhere=True,
    ),
    "a page of TYPO3 that is no more": Met(
        source="TYPO3 12: ErrorPageController, Page Not Found",
        reply=html(
            document(
                "Page Not Found",
                '<div class="error-page"><div class="error-page-head"><a href="https://typo3.org/" target="_blank" rel="noreferrer">TYPO3</a></div><div class="callout-body"><h1 class="callout-title">Page Not Found</h1><p>The page did not exist or was inaccessible. Reason: The requested page does not exist</p></div></div>',
            ),
            status=404,
        ),
        path="/verein/satzung-2014.html",
        lang="de",
        everywhere=True,
    ),
    "an article of MediaWiki that was deleted": Met(
        source="MediaWiki: noarticletext and the log of deletions, 404",
        reply=html(
            mediawiki(
                "Signal box gardens",
                '<div class="mw-warning-with-logexcerpt mw-content-ltr"><p>A page with this title has previously been moved or deleted. The deletion, protection, and move log for the page are provided below for reference.</p><ul><li class="mw-logline-delete">09:12, 3 March 2024 <a href="/wiki/User:Rod">Rod</a> talk contribs deleted page <a class="new">Signal box gardens</a> <span class="comment">(Expired PROD: not notable)</span></li></ul></div><div class="noarticletext mw-content-ltr"><p>There is currently no text in this page. You can search for this page title in other pages, or search the related logs.</p></div>',
            ),
            status=404,
        ),
        path="/wiki/Signal_box_gardens",
    ),
    "an advert of OLX that ended, in Polish": Met(
        source="OLX: 410, To ogłoszenie nie jest już dostępne (scrapers' tests)",
        reply=html(
            next_app(
                "OLX.pl - ogłoszenia lokalne",
                '<div data-testid="ad-inactive-msg" class="css-1g1ktcr"><img src="/app/static/media/illustration-error-time-out.d0f5c4edc.svg" alt=""><h4>To ogłoszenie nie jest już dostępne</h4><a href="/"><span>Przejdź na stronę główną</span></a></div><section><h3>Podobne ogłoszenia</h3><a href="/d/oferta/taczka-ogrodowa-ID14x.html">Taczka ogrodowa 90 zł</a><a href="/d/oferta/konewka-ID15y.html">Konewka ocynk 35 zł</a></section>',
                lang="pl",
                name="OLX",
            ),
            status=410,
        ),
        path="/d/oferta/szklarnia-3x4-CID628-IDTn2k1.html",
        lang="pl",
    ),
    "a job at Lever that was closed": Met(
        source="Lever: jobs.lever.co, 404",
        reply=html(
            document(
                "Not found – 404 error",
                '<div class="page page-404"><div class="main-header"><a class="main-header-logo" href="/seedworks">Seedworks</a></div><div class="content-wrapper"><h2>Sorry, we couldn\'t find anything here</h2><p>The job posting you\'re looking for might have closed, or it has been removed. (404 error).</p><a class="template-btn-submit" href="/seedworks">See all open positions</a></div><div class="main-footer"><p>Jobs powered by Lever</p></div></div>',
            ),
            *_CLOUDFLARE,
            status=404,
        ),
        path="/seedworks/0e2b8b1e-7c0f-4c1e-9d0d-8cf40bf31f5d",
    ),
    "an article of Jianshu that its author deleted": Met(
        source="jianshu.com: 404",
        reply=html(
            document(
                "404 - 简书",
                '<div class="error"><div class="error-block"><img class="main-img" src="//cdn2.jianshu.io/assets/web/404.png"><h3>您要找的页面不存在</h3><div class="sub-title">可能是因为您的链接地址有误、该文章已经被作者删除或转为私密状态。</div><a class="follow" href="/">返回简书首页</a></div></div><script src="//cdn2.jianshu.io/assets/web.js"></script>',
                lang="zh",
            ),
            "Server: Tengine",
            status=404,
        ),
        path="/p/5b61c5a2b0f1",
        lang="zh",
    ),
    "a video of niconico that was deleted": Met(
        source="nicovideo.jp: watch, 404",
        reply=html(
            document(
                "お探しの動画はありません - ニコニコ動画",
                '<header><a href="/">niconico</a></header><section class="error_type01"><h1 class="messageTitle">お探しの動画は再生できません</h1><p class="TXT12">お探しの動画は存在しないか、削除された可能性があります。</p></section><p><a href="/ranking">ランキングを見る</a></p><footer>© DWANGO Co., Ltd.</footer>',
                lang="ja",
            ),
            status=404,
        ),
        path="/watch/sm18123456",
        lang="ja",
    ),
    "a post of Tistory that was deleted": Met(
        source="tistory.com: 404 of a blog's skin",
        reply=html(
            document(
                "TISTORY",
                '<div id="kakaoWrap" class="wrap_tistory"><div class="content_error"><div class="inner_error"><strong class="tit_error">페이지를 찾을 수 없습니다.</strong><p class="desc_error">페이지의 주소가 잘못 입력되었거나,<br>주소가 변경 혹은 삭제되어 요청하신 페이지를 찾을 수 없습니다.</p><a href="/" class="btn_tistory">블로그 홈으로 가기</a></div></div><footer>© Kakao Corp.</footer></div>',
                lang="ko",
            ),
            status=404,
        ),
        path="/412",
        lang="ko",
        everywhere=True,
    ),
    "an advert of a Turkish estate portal that was taken down": Met(
        source="emlakjet, sahibinden: Bu ilan yayından kaldırılmıştır (scrapers' tests)",
        reply=html(
            plain_site(
                "İlan Yayında Değil",
                '<section class="not-found"><h1>İlan Yayında Değil</h1><p>Bu ilan yayından kaldırılmıştır.</p><a class="btn" href="/satilik-arsa">Benzer ilanlara göz at</a></section><ul class="listing"><li><a href="/ilan/1">Satılık tarla 400 m²</a></li><li><a href="/ilan/2">Hobi bahçesi 180 m²</a></li></ul>',
                lang="tr",
                name="Emlak",
            ),
            status=410,
        ),
        path="/ilan/tren-yolu-yaninda-hobi-bahcesi-14528810",
        lang="tr",
    ),
    "a page of a Dutch municipality that is no more": Met(
        source="Dutch municipalities: Pagina niet gevonden",
        reply=html(
            plain_site(
                "Pagina niet gevonden - Gemeente Seinhuis",
                '<h1>Pagina niet gevonden</h1><p>De pagina die u zoekt bestaat niet of is verplaatst. Onze website is vernieuwd. Daardoor werken oude links soms niet meer.</p><ul><li>Gebruik de zoekfunctie bovenaan deze pagina</li><li>Ga naar de <a href="/">homepage</a></li><li>Bel 14 0123</li></ul>',
                lang="nl",
                name="Gemeente Seinhuis",
            ),
            status=404,
        ),
        path="/volkstuinen/reglement.html",
        lang="nl",
        everywhere=True,
    ),
    "a page of an Arabic ministry that is no more": Met(
        source="Arabic portals on SharePoint: الصفحة غير موجودة",
        reply=html(
            plain_site(
                "الصفحة غير موجودة",
                '<div class="error-page"><h1>404</h1><h2>عذراً، الصفحة غير موجودة</h2><p>الصفحة التي تبحث عنها غير موجودة أو تم نقلها أو حذفها.</p><a href="/ar" class="btn">العودة إلى الصفحة الرئيسية</a></div>',
                lang="ar",
                name="وزارة الزراعة",
            ),
            "X-Powered-By: ASP.NET",
            status=404,
        ),
        path="/ar/MediaCenter/News/Pages/2017-11-04.aspx",
        lang="ar",
        everywhere=True,
    ),
    "Apache's own page with its port": Met(
        source="Apache 2.4 of Debian: default ErrorDocument",
        reply=html(
            '<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">\n<html><head>\n<title>404 Not Found</title>\n</head><body>\n<h1>Not Found</h1>\n<p>The requested URL was not found on this server.</p>\n<hr>\n<address>Apache/2.4.62 (Debian) Server at $HOST Port 443</address>\n</body></html>\n',
            "Server: Apache/2.4.62 (Debian)",
            status=404,
            said="iso-8859-1",
        ),
        path="/~rod/leeks.html",
        everywhere=True,
    ),
    "a directory of IIS that was removed": Met(
        source="IIS 10: 404 - File or directory not found.",
        reply=html(
            '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">\n<html xmlns="http://www.w3.org/1999/xhtml">\n<head>\n<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1"/>\n<title>404 - File or directory not found.</title>\n</head>\n<body>\n<div id="header"><h1>Server Error</h1></div>\n<div id="content">\n <div class="content-container"><fieldset>\n  <h2>404 - File or directory not found.</h2>\n  <h3>The resource you are looking for might have been removed, had its name changed, or is temporarily unavailable.</h3>\n </fieldset></div>\n</div>\n</body>\n</html>\n',
            "Server: Microsoft-IIS/10.0",
            "X-Powered-By: ASP.NET",
            status=404,
        ),
        path="/docs/minutes2011.pdf",
        everywhere=True,
    ),
}

# With a 200.
_SOFT: dict[str, Met] = {
    "a video of YouTube that its uploader removed": Met(
        source="YouTube: playabilityStatus ERROR, 200",
        reply=html(
            '<!DOCTYPE html><html style="font-size: 10px;font-family: Roboto, Arial, sans-serif;" lang="en"><head><meta http-equiv="origin-trial" content="Av"><script nonce="a">var ytcfg={d:function(){return window.yt&&yt.config_||ytcfg.data_||(ytcfg.data_={})}};</script><title> - YouTube</title><link rel="icon" href="https://www.youtube.com/s/desktop/1/img/favicon_32x32.png"><meta name="robots" content="noindex"></head><body dir="ltr"><ytd-app></ytd-app><script nonce="a">var ytInitialPlayerResponse = {"responseContext":{},"playabilityStatus":{"status":"ERROR","reason":"Video unavailable","errorScreen":{"playerErrorMessageRenderer":{"subreason":{"simpleText":"This video has been removed by the uploader"},"reason":{"simpleText":"Video unavailable"}}},"contextParams":"Q0FFU0FnZ0E="},"trackingParams":"CAAQu2k"};</script><script nonce="a">var ytInitialData = {"contents":{"twoColumnWatchNextResults":{"results":{"results":{}}}}};</script><div id="watch7-content"></div></body></html>',
            "Server: ESF",
        ),
        path="/watch?v=qZ1x8Yd0b3E",
    ),
    "a page of Next.js that was streamed as found": Met(
        source="Next.js: notFound() below loading.tsx streams a 200 with noindex",
        reply=html(
            next_app(
                "404: This page could not be found.",
                '<div style="font-family:system-ui;height:100vh;text-align:center"><div><style>body{color:#000;background:#fff;margin:0}</style><h1 class="next-error-h1" style="display:inline-block">404</h1><div style="display:inline-block"><h2 style="font-size:14px">This page could not be found.</h2></div></div></div>',
                head='<meta name="robots" content="noindex"/><meta name="next-error" content="not-found"/>',
            ),
            "X-Powered-By: Next.js",
        ),
        path="/guides/companion-planting",
        everywhere=True,
    ),
    "a topic of Discuz that was deleted": Met(
        source="Discuz! X3.4: showmessage thread_nonexistence, 200",
        reply=html(
            '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">\n<html xmlns="http://www.w3.org/1999/xhtml"><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8" />\n<title>提示信息 -  菜园论坛 -  Powered by Discuz!</title>\n<meta name="generator" content="Discuz! X3.4" /></head>\n<body id="nv_forum" class="pg_viewthread"><div id="toptb" class="cl"><a href="forum.php">论坛</a></div><div id="hd"><h2><a href="./" title="菜园论坛">菜园论坛</a></h2><div id="nv"><ul><li><a href="forum.php">论坛</a></li><li><a href="misc.php?mod=ranklist">排行榜</a></li></ul></div></div>\n<div id="wp" class="wp"><div id="ct" class="wp cl w"><div class="nfl"><div class="f_c altw"><div id="messagetext" class="alert_error"><p>抱歉，指定的主题不存在或已被删除或正在被审核</p><p class="alert_btnleft"><a href="javascript:history.back()">[ 点击这里返回上一页 ]</a></p></div><div id="messagelogin"></div></div></div></div></div>\n<div id="ft" class="wp cl"><p>Powered by <strong><a href="https://www.discuz.vip/">Discuz!</a></strong> <em>X3.4</em></p></div></body></html>',
        ),
        path="/thread-88231-1-1.html",
        lang="zh",
    ),
    "a post of gnuboard that was deleted": Met(
        source="gnuboard 5: alert() of bbs/board.php, 200",
        reply=html(
            '<!doctype html>\n<html lang="ko">\n<head>\n<meta charset="utf-8">\n<meta http-equiv="imagetoolbar" content="no">\n<title>오류안내 페이지</title>\n<link rel="stylesheet" href="/theme/basic/css/default.css">\n<script>var g5_url = "http://$HOST";var g5_bbs_url = "http://$HOST/bbs";</script>\n</head>\n<body>\n<script>\nalert("글이 존재하지 않습니다.\\n\\n글이 삭제되었거나 이동된 경우입니다.");\ndocument.location.replace("./board.php?bo_table=free");\n</script>\n\n<noscript>\n<div id="validation_check">\n    <h1>다음 항목에 오류가 있습니다.</h1>\n    <p class="cbg">글이 존재하지 않습니다.<br><br>글이 삭제되었거나 이동된 경우입니다.</p>\n    <div class="btn_confirm"><a href="./board.php?bo_table=free">돌아가기</a></div>\n</div>\n</noscript>\n</body>\n</html>',
        ),
        path="/bbs/board.php?bo_table=free&wr_id=3310",
        lang="ko",
    ),
    "a thread of vBulletin that was deleted": Met(
        source="vBulletin 3/4: STANDARD_ERROR, invalidid, 200",
        reply=html(
            plain_site(
                "Old Tractors - vBulletin Message",
                '<table class="tborder" cellpadding="6" cellspacing="1" border="0" width="70%" align="center"><tr><td class="tcat">vBulletin Message</td></tr><tr><td class="panelsurround" align="center"><div class="panel"><div align="left"><div style="margin: 10px">Invalid Thread specified. If you followed a valid link, please notify the <a href="/sendmessage.php">administrator</a></div></div></div></td></tr></table><div align="center" class="smallfont">Powered by vBulletin&reg; Version 3.8.11<br />Copyright &copy;2000 - 2026, vBulletin Solutions Inc.</div>',
                name="Old Tractors",
                head='<meta name="generator" content="vBulletin 3.8.11" />',
            )
        ),
        path="/showthread.php?t=40118",
    ),
    "an article of WeChat that its author deleted": Met(
        source="mp.weixin.qq.com: 该内容已被发布者删除, 200",
        reply=html(
            '<!DOCTYPE html>\n<html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"><meta name="viewport" content="width=device-width,initial-scale=1.0"><title></title><link rel="stylesheet" href="//res.wx.qq.com/mmbizappmsg/en_US/htmledition/weui.css"></head><body id="activity-detail" class="zh_CN"><div class="weui-msg"><div class="weui-msg__icon-area"><i class="weui-icon-warn weui-icon_msg-primary"></i></div><div class="weui-msg__text-area"><div class="weui-msg__title warn">该内容已被发布者删除</div></div></div><script nonce="1">var uin = ""; var mid = "" || "2650";</script></body></html>'
        ),
        path="/s/3mQh0o9s8nXyK2",
        lang="zh",
    ),
    "an advert for a job at StepStone that ended": Met(
        source="StepStone: listing-content-provider, Diese Stellenanzeige ist nicht mehr verfügbar",
        reply=html(
            next_app(
                "Stellenangebot nicht mehr verfügbar | StepStone",
                '<div class="listing-content-provider-1qtvd67"><h2>Diese Stellenanzeige ist nicht mehr verfügbar.</h2><p>Aber keine Sorge: Wir haben ähnliche Jobs für dich.</p></div><section data-at="similar-jobs"><article><a href="/stellenangebote--Gaertner">Gärtner (m/w/d)</a></article><article><a href="/stellenangebote--Florist">Florist (m/w/d)</a></article></section><form><input placeholder="(Jobtitel, Fähigkeit oder Firmenname)"></form>',
                lang="de",
                name="StepStone",
            )
        ),
        path="/stellenangebote--Gaertnermeister-Kassel-Stadtgruen--8711221-inline.html",
        lang="de",
    ),
    "a job at SmartRecruiters that expired": Met(
        source="SmartRecruiters: jobs.smartrecruiters.com, expired ad",
        reply=html(
            document(
                "Head Gardener | SmartRecruiters",
                '<header class="header"><a href="https://careers.smartrecruiters.com/Seedworks">Seedworks</a></header><main class="jobad-main"><div class="job-expired"><h1>Sorry, this job has expired</h1><p>The position you are looking for is no longer available. Have a look at our other open positions.</p><a class="button" href="https://careers.smartrecruiters.com/Seedworks">Show all jobs</a></div></main><footer>Powered by SmartRecruiters</footer>',
                head='<meta name="robots" content="noindex">',
            )
        ),
        path="/Seedworks/743999811223344-head-gardener",
    ),
    "an offer of a Brazilian board of jobs that closed": Met(
        source="Brazilian boards: Vaga encerrada",
        reply=html(
            plain_site(
                "Vaga encerrada - Empregos no Campo",
                '<div class="vaga-expirada"><h1>Vaga não encontrada</h1><p>Esta vaga não está mais disponível ou foi removida pela empresa.</p><a class="btn btn-primary" href="/vagas">Ver outras vagas</a></div><h2>Vagas semelhantes</h2><ul><li><a href="/vagas/8812">Jardineiro – Curitiba</a></li><li><a href="/vagas/8815">Auxiliar de viveiro – Campinas</a></li></ul>',
                lang="pt",
                name="Empregos no Campo",
            )
        ),
        path="/vagas/7741-jardineiro-chefe",
        lang="pt",
    ),
    "an element of Bitrix that is no more": Met(
        source="1C-Bitrix: news.detail, Элемент не найден, 200 with SET_STATUS_404 off",
        reply=html(
            plain_site(
                "Новости",
                '<ol class="breadcrumb"><li><a href="/">Главная</a></li><li><a href="/news/">Новости</a></li></ol><h1>Новости</h1><div class="news-detail"><p><font class="errortext">Элемент не найден</font></p></div><p><a href="/news/">Возврат к списку</a></p>',
                lang="ru",
                name="Администрация района",
                head='<script src="/bitrix/js/main/core/core.min.js?17"></script>',
            ),
            "X-Powered-CMS: Bitrix Site Manager (bf3a1e)",
        ),
        path="/news/detail.php?ID=10231",
        lang="ru",
    ),
    "a good of Cafe24 that is no longer sold": Met(
        source="Cafe24: product/detail.html, alert, 200",
        reply=html(
            '<!DOCTYPE html><html lang="ko"><head><meta charset="utf-8"><title></title></head><body><script type="text/javascript">alert(\'판매중지 되었거나 존재하지 않는 상품입니다.\');location.replace(\'/\');</script></body></html>',
        ),
        path="/product/detail.html?product_no=4412",
        lang="ko",
    ),
    "a good of a Japanese shop that is no more": Met(
        source="MakeShop, futureshop: 該当の商品は存在しません",
        reply=html(
            plain_site(
                "商品が見つかりません | 園芸の種屋",
                '<div id="pankuzu"><a href="/">トップ</a></div><div class="error-box"><p class="error-ttl">お探しの商品は見つかりませんでした。</p><p>商品の取り扱いが終了したか、ページのURLが変更された可能性がございます。<br>お手数ですが、トップページまたは検索からお探しください。</p><p><a href="/">トップページへ戻る</a></p></div>',
                lang="ja",
                name="園芸の種屋",
            )
        ),
        path="/shopdetail/000000001877/",
        lang="ja",
    ),
    "a listing of a Spanish portal that ended": Met(
        source="portals of estates: Este anuncio ya no está publicado",
        reply=html(
            plain_site(
                "Anuncio no disponible — Fincas y Huertos",
                '<section class="deactivated-detail"><h1>Lo sentimos, este anuncio ya no está publicado</h1><p>El anunciante lo dio de baja el viernes 14 de marzo de 2025.</p><p><a class="btn" href="/venta-terrenos/">Ver terrenos similares</a></p></section>',
                lang="es",
                name="Fincas y Huertos",
            )
        ),
        path="/inmueble/98812345/",
        lang="es",
    ),
    "a product of an Italian shop that was removed": Met(
        source="Italian shops: Prodotto non trovato",
        reply=html(
            plain_site(
                "Prodotto non trovato",
                '<div class="text-center py-5"><h1>Prodotto non trovato</h1><p>Il prodotto che stai cercando non esiste o non è più disponibile.</p><a href="/prodotti" class="btn btn-primary">Vai al catalogo</a></div>',
                lang="it",
                name="Sementi Rossi",
            )
        ),
        path="/prodotti/vanga-manico-frassino",
        lang="it",
        everywhere=True,
    ),
    "a page of a Vietnamese shop with Flatsome": Met(
        source="Flatsome in Vietnamese: Trang bạn tìm kiếm không tồn tại",
        reply=html(
            wordpress(
                "Không tìm thấy trang",
                '<section class="error-404 not-found mt mb"><div class="row"><div class="col medium-3"><span class="header-font" style="font-size: 6em; font-weight: bold; opacity: .3">404</span></div><div class="col medium-9"><header class="page-title"><h1 class="page-title">Rất tiếc! Trang bạn tìm kiếm không tồn tại.</h1></header><div class="page-content"><p>Đường dẫn bạn truy cập có thể đã bị xoá hoặc thay đổi. Hãy thử tìm kiếm?</p></div></div></div></section>',
                lang="vi",
                name="Vườn Xanh",
                kind="error404",
            )
        ),
        path="/san-pham/hat-giong-dau-hoa",
        lang="vi",
        everywhere=True,
    ),
    "a page of a Persian shop that is no more": Met(
        source="Persian shops: صفحه مورد نظر یافت نشد",
        reply=html(
            plain_site(
                "صفحه پیدا نشد | بذر و باغ",
                '<div class="contant_box_404 text-center"><h1>404</h1><h3 class="h2">صفحه مورد نظر یافت نشد</h3><p>متاسفانه صفحه‌ای که به دنبال آن هستید حذف شده یا آدرس آن تغییر کرده است.</p><a href="/" class="link_404">بازگشت به صفحه اصلی</a></div>',
                lang="fa",
                name="بذر و باغ",
            )
        ),
        path="/product/bil-cheh-dasteh-chubi",
        lang="fa",
        everywhere=True,
    ),
    "an article of a Swedish paper that was taken away": Met(
        source="Swedish papers: Sidan kunde inte hittas, 200 from the cache",
        reply=html(
            news(
                "Sidan kunde inte hittas",
                "<h1>Sidan kunde inte hittas</h1><p>Sidan du letar efter finns inte längre eller har flyttats. Kontrollera adressen eller gå till startsidan.</p>",
                lang="sv",
                name="Ställverkets Tidning",
            )
        ),
        path="/nyheter/koloniodlarna-fyller-hundra",
        lang="sv",
        everywhere=True,
    ),
    "a paste that is no longer available": Met(
        source="hosts of pastes: This paste has expired or was removed",
        reply=html(
            plain_site(
                "Not Found (#404) - Pastes",
                '<div class="content__title -no-border">Not Found (#404)</div><div class="content__text -padding -size_1"><p>This page is no longer available. It has either expired, been removed by its creator, or removed by one of the staff.</p></div>',
                name="Pastes",
            )
        ),
        path="/Zk3LqX9w",
    ),
    "an event that was deleted": Met(
        source="Meetup, Eventbrite and the like: event was deleted, 200",
        reply=html(
            next_app(
                "Event not found",
                '<main class="flex flex-col items-center"><img src="/images/empty.svg" alt=""><h1>Sorry, this event doesn’t exist anymore</h1><p>The organizer may have deleted it. Explore other events near you.</p><a class="button" href="/find">Find events</a></main>',
                name="Gather",
            )
        ),
        path="/growers-of-the-signal-box/events/301122334/",
    ),
}

CASES: list[Case] = [
    *(gone(name, met.source, met.site, path=met.path) for name, met in _HARD.items()),
    *(gone(name, met.source, met.site, *_FLAGS, path=met.path) for name, met in _SOFT.items()),
]
