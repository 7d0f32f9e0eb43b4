"""Pages of sites and of their software that say, with a 200 or not, that what was there is gone."""

# ruff: noqa: E501, RUF001
from tests.zoo.wild.case import Case, gone
from tests.zoo.wild.year2026_sixth.frames import (
    Met,
    board,
    campus,
    daily,
    handbook,
    lone,
    met,
    shell,
    store,
    tale,
)

_FLAGS = ("error_page", "same_for_all")

# With a status that says so.
_HARD: dict[str, Met] = {
    "a project of Launchpad that is unknown": met(
        "Launchpad: Lost something?, 404",
        lone(
            "Error: Page not found",
            "<h1>Lost something?</h1><p>This page does not exist, or you may not have permission to see it.</p><p>If you have been to this page before, it is possible it has been removed.</p><p><a href='/'>Return to Launchpad</a></p>",
        ),
        "/pear-press/+bug/424242",
        status=404,
    ),
    "a project of SourceForge that was deleted": met(
        "SourceForge: Whoops, we can't find that page., 404",
        campus(
            "Page not found - SourceForge.net",
            "<article id='message-image-404'><h1>Whoops, we can't find that page.</h1><p>The page you were looking for cannot be found.</p><a href='/directory/'>Browse the directory</a></article>",
            name="SourceForge",
        ),
        "/projects/pearpress/files/1.2/pearpress-1.2.zip/download",
        "Server: nginx",
        status=404,
    ),
    "a repository of Forgejo that was deleted": met(
        "Gitea and Forgejo: locale error404, 404",
        lone(
            "Page Not Found - Pomona Git",
            "<nav><a href='/'>Home</a><a href='/explore/repos'>Explore</a><a href='/user/login?redirect_to=%2fkeeper%2fcider'>Sign in</a></nav><div role='main' aria-label='Page Not Found' class='page-content status-page-404'><p class='error-code'>404 Not Found</p><p>The page you are trying to reach either <strong>does not exist</strong>, <strong>has been removed</strong> or <strong>you are not authorized</strong> to view it.</p></div><footer>Powered by Forgejo</footer>",
        ),
        "/keeper/cider",
        status=404,
    ),
    "an issue of Redmine that was deleted": met(
        "Redmine: notice_file_not_found, 404",
        lone(
            "Redmine 404 error",
            "<div id='header'><h1>Orchard tools</h1></div><div id='content'><h2>404</h2><p id='errorExplanation'>The page you were trying to access doesn't exist or has been removed.</p><p><a href='javascript:history.back()'>Back</a></p></div><div id='footer'>Powered by <a href='https://www.redmine.org/'>Redmine</a></div>",
        ),
        "/issues/4242",
        status=404,
    ),
    "a ticket of Trac that does not exist": met(
        "Trac: Invalid ticket number, Trac Error, 404",
        lone(
            "Error – Cider",
            "<div id='content' class='error'><h1>Error: Invalid ticket number</h1><p class='message'>Ticket 4242 does not exist.</p></div><div id='help'><strong>Note:</strong> See <a href='/wiki/TracTickets'>TracTickets</a> for help on using tickets.</div>",
        ),
        "/ticket/4242",
        status=404,
    ),
    "a project that gitweb does not know": met(
        "gitweb: 404 - No such project",
        lone(
            "git.orchard.example Git",
            "<div class='page_header'><a href='/'>projects</a> /</div><div class='page_body'><br /><br />\n404 - No such project\n<br /></div><div class='page_footer'><a class='rss_logo' href='?a=opml'>OPML</a></div>",
        ),
        "/?p=cider/press.git;a=summary",
        status=404,
    ),
    "a question of Stack Exchange that was removed": met(
        "Stack Exchange: Page not found, 404",
        campus(
            "Page not found - Gardening Stack Exchange",
            "<h1>Page not found</h1><p>This question was removed from Gardening Stack Exchange for reasons of moderation. Please refer to the help center for possible explanations why a question might be removed.</p><p>Here are some similar questions that might be relevant:</p><ul><li><a href='/questions/1'>How do I graft a pear?</a></li></ul>",
            name="Gardening",
        ),
        "/questions/42424/which-rootstock-for-quince",
        status=404,
    ),
    "a community of Reddit that was banned": met(
        "Reddit: This community has been banned, 404",
        lone(
            "reddit.com: banned",
            "<div id='header'><a href='/'>reddit</a></div><div class='interstitial'><h3>r/pearswaps has been banned from Reddit</h3><p>This subreddit was banned due to being unmoderated.</p><p>Banned 2 years ago.</p><a href='/'>back to safety</a></div>",
        ),
        "/r/pearswaps/comments/4a2b/a_good_graft/",
        status=404,
    ),
    "a journal of LiveJournal that was deleted": met(
        "LiveJournal: error.deleted, 410",
        lone(
            "Deleted Account",
            "<h1>Error</h1><p>This journal has been deleted. If you are <strong>pomona</strong>, you have a period of 30 days to decide to undelete your journal.</p>",
        ),
        "/2014/05/42.html",
        status=410,
    ),
    "a work of pixiv that was deleted, in Japanese": met(
        "pixiv: 該当作品は削除されたか、存在しない作品IDです。, 404",
        lone(
            "pixiv",
            "<div id='root'><h2>エラーが発生しました</h2><p>該当作品は削除されたか、存在しない作品IDです。</p><a href='/'>ホームに戻る</a></div>",
            lang="ja",
        ),
        "/artworks/42424242",
        lang="ja",
        status=404,
    ),
    "an answer of Zhihu that is no more": met(
        "Zhihu: 你似乎来到了没有知识存在的荒原, 404",
        lone(
            "知乎 - 有问题，就会有答案",
            "<div id='root'><div class='ErrorPage'><h1>404</h1><p class='ErrorPage-subtitle'>你似乎来到了没有知识存在的荒原</p><p class='ErrorPage-text'>去往<a href='/'>首页</a></p></div></div>",
            lang="zh",
        ),
        "/question/424242/answer/4242",
        lang="zh",
        status=404,
    ),
    "a vacancy of HeadHunter that does not exist": met(
        "hh.ru: Вакансия не найдена, 404",
        campus(
            "Вакансия не найдена",
            "<h1>Такой вакансии нет</h1><p>Возможно, работодатель закрыл вакансию или её никогда не было.</p><a href='/search/vacancy'>Искать вакансии</a>",
            lang="ru",
            name="Работа",
        ),
        "/vacancy/42424242",
        lang="ru",
        status=404,
    ),
    "an entry of a Turkish dictionary of the people that is gone": met(
        "Ekşi Sözlük: 404",
        campus(
            "büyük başarısızlıklar sözkonusu - ekşi sözlük",
            "<h1>büyük başarısızlıklar sözkonusu</h1><p>böyle bir şey yok. hiç olmamış da olabilir, silinmiş de olabilir.</p>",
            lang="tr",
            name="sözlük",
        ),
        "/entry/42424242",
        lang="tr",
        status=404,
    ),
    "a record of ArchivesSpace that was removed": met(
        "ArchivesSpace: Record Not Found, 404",
        campus(
            "Record Not Found | Archives of the Orchard",
            "<h1>Record Not Found</h1><p>The record you've tried to access does not exist or may have been removed.</p><form action='/search'><input name='q[]'></form>",
            name="Archives of the Orchard",
        ),
        "/repositories/2/archival_objects/4242",
        status=404,
    ),
    "a description of AtoM that was deleted": met(
        "AtoM: Sorry, page not found, 404",
        campus(
            "Access to Memory",
            "<h1>Sorry, page not found</h1><p>Did you type the URL correctly?<br>Did you follow a broken link?</p><p><a href='javascript:history.go(-1)'>Back to previous page.</a><br><a href='/'>Go to homepage.</a></p>",
            name="AtoM",
        ),
        "/index.php/pear-growers-society-fonds",
        status=404,
    ),
    "a topic of NodeBB that was purged": met(
        "NodeBB: 404.title, 404",
        board(
            "Not Found | Pomology",
            "<div class='alert alert-danger text-center'><strong>Not Found</strong><p>You seem to have stumbled upon a page that does not exist. Return to the <a href='/'>home page</a>.</p></div>",
        ),
        "/topic/4242/scion-wood",
        status=404,
    ),
    "a page of AEM that was unpublished": met(
        "Apache Sling: No resource found, 404",
        '<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">\n<html>\n<head><title>404 Resource at &#39;/content/orchard/en/visit/open-day.html&#39; not found: No resource found</title></head>\n<body>\n<h1>Resource at &#39;/content/orchard/en/visit/open-day.html&#39; not found: No resource found</h1>\n<p>Cannot serve request to /content/orchard/en/visit/open-day.html on this server</p>\n<hr>\n<address>ApacheSling/2.7 (jetty/9.4.53)</address>\n</body></html>',
        "/content/orchard/en/visit/open-day.html",
        status=404,
    ),
    "a script of PHP that was removed": met(
        "PHP-FPM: File not found., 404",
        "File not found.\n",
        "/old/catalogue.php?sort=pear",
        "X-Powered-By: PHP/8.3.14",
        "Server: nginx",
        status=404,
    ),
    "a page of Read the Docs that was renamed": met(
        "Read the Docs: Documentation page not found, 404",
        lone(
            "Documentation page not found - Read the Docs Community",
            "<h1>Documentation page not found</h1><p><a href='https://graft.readthedocs.io'>graft.readthedocs.io</a></p><p>The documentation page you requested does not exist or may have been removed.</p><p><small>Hosted by Read the Docs</small></p>",
        ),
        "/en/latest/whip-and-tongue.html",
        "Server: cloudflare",
        "X-RTD-Project: graft",
        status=404,
    ),
    "a good of Salla that was deleted, in Arabic": met(
        "Salla, theme Raed: 404",
        store(
            "الصفحة غير موجودة",
            "<h1>404</h1><p>عذراً، الصفحة التي تبحث عنها غير موجودة أو تم حذفها</p><a href='/'>العودة للرئيسية</a>",
            lang="ar",
        ),
        "/ar/%D9%83%D9%85%D8%AB%D8%B1%D9%89/p424242",
        lang="ar",
        status=404,
    ),
    "an article of Shopware that is no longer sold, in German": met(
        "Shopware 5: frontend/detail/error, 404",
        store(
            "Artikel nicht verfügbar | Birnenhof",
            "<h1>Dieser Artikel ist leider nicht mehr verfügbar!</h1><h2>Ähnliche Artikel</h2><ul><li><a href='/b/1'>Gute Graue</a></li><li><a href='/b/2'>Köstliche</a></li></ul>",
            lang="de",
        ),
        "/obst/birnen/42/gute-luise",
        lang="de",
        status=404,
    ),
    "a topic of a French board of games that was deleted": met(
        "jeuxvideo.com: le topic a été supprimé, 410",
        board(
            "Erreur 410 - Forum",
            "<div class='alert alert-danger'>Le topic que vous recherchez a été supprimé.</div><a href='/forums/0-51-0-1-0-1-0-0.htm'>Retour à la liste des sujets</a>",
            lang="fr",
        ),
        "/forums/42-51-4242-1-0-1-0-les-poires.htm",
        lang="fr",
        status=410,
    ),
}

# With a 200.
_SOFT: dict[str, Met] = {
    "an issue that MantisBT does not find": met(
        "MantisBT: ERROR_BUG_NOT_FOUND, APPLICATION ERROR #1100",
        lone(
            "MantisBT",
            "<div class='alert alert-danger'><p class='bold'>APPLICATION ERROR #1100</p><p class='bold'>Issue 4242 not found.</p><div>Please use the \"Back\" button in your web browser to return to the previous page.</div></div><p>Copyright &copy; 2000 - 2026 MantisBT Team</p>",
        ),
        "/view.php?id=4242",
    ),
    "a profile of Steam that is no more": met(
        "sherlock and WhatsMyName: Steam Community :: Error, 200",
        campus(
            "Steam Community :: Error",
            "<div id='mainContents'><h2>Error</h2><h3>The specified profile could not be found.</h3></div>",
            name="STEAM",
        ),
        "/id/pomona1892",
    ),
    "a user of Hacker News who is no more": met(
        "sherlock: Hacker News says No such user., 200",
        "No such user.",
        "/user?id=pomona1892",
    ),
    "a video of a Polish host that does not exist": met(
        "WhatsMyName: cda.pl, 200",
        campus(
            "CDA",
            "<div class='error-box'><h1>Ups!</h1><p>Strona na którą chcesz wejść nie istnieje</p><a href='/video'>Przejdź do listy filmów</a></div>",
            lang="pl",
            name="CDA",
        ),
        "/video/4242ab",
        lang="pl",
    ),
    "a member of Wikidot who is no more": met(
        "WhatsMyName: Wikidot, div.error-block, 200",
        campus(
            "User Info - Wikidot",
            "<div id='page-title'>User Info</div><div id='page-content'><div class='error-block'>User does not exist.</div></div>",
            name="Wikidot",
        ),
        "/user:info/pomona",
    ),
    "a seller of eBay who left": met(
        "WhatsMyName: eBay, 200",
        store(
            "eBay",
            "<div class='page-notice'><h1>The User ID you entered was not found. Please check the User ID and try again.</h1></div>",
            name="eBay",
        ),
        "/usr/pear-and-prop",
    ),
    "a picture of a Polish site whose author is unknown": met(
        "WhatsMyName: Demotywatory, 200",
        campus(
            "Demotywatory.pl",
            "<div class='error'><p>Użytkownik o podanym pseudonimie nie istnieje.</p></div>",
            lang="pl",
            name="Demotywatory",
        ),
        "/user/sadownik",
        lang="pl",
    ),
    "a reader of LibraryThing who is no more": met(
        "sherlock: LibraryThing, 200",
        campus(
            "LibraryThing",
            "<h1>Error</h1><p>Error: This user doesn't exist</p>",
            name="LibraryThing",
        ),
        "/profile/pomona",
    ),
    "a programmer whose page is titled 404": met(
        "WhatsMyName: HackerEarth, 200",
        campus(
            "404 | HackerEarth",
            "<h1>404</h1><p>Oops! We couldn't find what you are looking for.</p>",
            name="HackerEarth",
        ),
        "/@pomona",
    ),
    "a page of links that its maker deleted": met(
        "WhatsMyName: Beacons, 200",
        shell(
            "Beacons | Link in bio",
            "<div><img src='/lighthouse.svg' alt=''><p>The page you are looking for does not seem to exist anymore</p><a href='/signup'>Claim your page</a></div>",
        ),
        "/pomona",
    ),
    "a French blog that is no more": met(
        "WhatsMyName: VIP-Blog, 200",
        lone("VIP-Blog", "<h1>Blog inexistant</h1><p><a href='/'>Créer un blog</a></p>", lang="fr"),
        "/vip/articles/42.html",
        lang="fr",
    ),
    "an author of an online paper who is no more": met(
        "WhatsMyName: NaturalNews, 200",
        daily(
            "Page not available",
            "<h1>The page you are looking for cannot be found or is no longer available.</h1><h2>Popular articles</h2><ul><li><a href='/a1'>Nine pears</a></li><li><a href='/a2'>A winter of cider</a></li></ul>",
        ),
        "/author/pomona",
    ),
    "a member of a Russian board of cyclists who is not registered": met(
        "sherlock: vBulletin in Russian, 200",
        board(
            "Велофорум",
            "<div class='standard_error'><h2 class='blockhead'>Сообщение vBulletin</h2><div class='blockrow restore'>Пользователь не зарегистрирован и не имеет профиля для просмотра.</div></div>",
            lang="ru",
        ),
        "/member.php?username=pomona",
        lang="ru",
    ),
    "a topic of a Russian tracker that was removed": met(
        "RuTracker: Тема не найдена, 200",
        board(
            "Ошибка :: Трекер",
            "<table class='forumline message'><tr><th>Информация</th></tr><tr><td><div class='mrg_16'>Тема не найдена</div></td></tr></table>",
            lang="ru",
        ),
        "/forum/viewtopic.php?t=424242",
        lang="ru",
    ),
    "a member of a Dutch board who is not registered": met(
        "WhatsMyName: maroc.nl, vBulletin in Dutch, 200",
        board(
            "Forum - vBulletin Bericht",
            "<div class='standard_error'><p>Deze gebruiker is niet geregistreerd en heeft daarom geen profiel dat bekeken kan worden.</p></div>",
            lang="nl",
        ),
        "/forums/members/pomona.html",
        lang="nl",
    ),
    "a record of Aspen that was weeded": met(
        "Aspen Discovery: Record/invalidRecord.tpl, 200",
        campus(
            "Invalid Record",
            "<h2>Invalid Record</h2><p class='alert alert-warning'>Sorry, we could not find a record with an id of <b>ils:424242</b> in our catalog. Please try your search again.</p><p class='alert alert-info'>Can't find what you are looking for? Try our Materials Request Service.</p>",
            name="Orchard Library",
        ),
        "/Record/ils:424242",
    ),
    "a page of a handbook of Angular that was removed": met(
        "angular/angular issue 56853: adev answers 200",
        shell(
            "Page Not Found • Angular",
            "<adev-root ng-version='20.3.0'><adev-not-found><h1>Page Not Found 🙈</h1><p>We're sorry, the page you were looking for isn't here.</p></adev-not-found></adev-root>",
        ),
        "/guide/ngmodules/lazy",
        everywhere=True,
    ),
    "a survey of LimeSurvey that expired": met(
        "LimeSurvey: _SURVEYEXPIRED, 200",
        lone(
            "Orchard visitors",
            "<div class='outerframe'><h1 class='survey-name'>Orchard visitors</h1><p id='tokenmessage'>This survey is no longer available.</p><p>Please contact the Orchard (survey@orchard.example) for further assistance.</p></div>",
        ),
        "/index.php/424242",
    ),
    "a story of FanFiction that was taken down": met(
        "fanfiction.net: Story Not Found, 200",
        campus(
            "FanFiction",
            "<div class='panel_warning'><span class='gui_warning'>Story Not Found<br><br>Unable to locate story. Code 1.<br><br>Check to see you do not have an invalid URL.</span></div>",
            name="FanFiction",
        ),
        "/s/4242424/1/The-Pear",
    ),
    "a drawing of a furry archive that was removed": met(
        "Fur Affinity: System Message, 200",
        campus(
            "System Error",
            "<section><div class='section-body'><h2>System Error</h2>The submission you are trying to find is not in our database.<br><br><a href='javascript:history.go(-1)'>Click here to go back</a></div></section>",
            name="Fur Affinity",
        ),
        "/view/42424242/",
    ),
    "a topic of TWiki that was deleted": met(
        "TWiki: oopsmissing, TopicDoesNotExist, 200",
        lone(
            "PearSorts (topic does not exist) < Orchard < TWiki",
            "<h1>NOTE: This TWiki topic does not exist</h1><p>The topic 'PearSorts' you are trying to access does not exist, yet.</p><ul><li>Please check that you have the correct topic name</li><li>Click here to create the topic</li></ul>",
        ),
        "/bin/view/Orchard/PearSorts",
    ),
    "a page of JSPWiki that was deleted": met(
        "JSPWiki: PageContent.jsp, common.nopage, 200",
        lone(
            "Orchard: PearSorts",
            "<div id='header'><a href='Wiki.jsp?page=Main'>Orchard</a></div><div id='pagecontent'><div class='information'>This page does not exist. Why don't you go and <a class='createpage' href='Edit.jsp?page=PearSorts'>create it</a>?</div></div>",
        ),
        "/Wiki.jsp?page=PearSorts",
    ),
    "a page of Docusaurus on a host that says 200": met(
        "Docusaurus: theme.NotFound, on a host with a fallback",
        handbook(
            "Page Not Found",
            "<main class='container margin-vert--xl'><div class='row'><div class='col col--6 col--offset-3'><h1 class='hero__title'>Page Not Found</h1><p>We could not find what you were looking for.</p><p>Please contact the owner of the site that linked you to the original URL and let them know their link is broken.</p></div></div></main>",
        ),
        "/docs/guides/budding",
        everywhere=True,
    ),
    "a chapter of mdBook on a host that says 200": met(
        "mdBook: 404.md, on a host with a fallback",
        lone(
            "Page not found - The Grafting Book",
            "<nav id='sidebar'><ol class='chapter'><li><a href='/intro.html'>Introduction</a></li><li><a href='/tools.html'>Tools</a></li></ol></nav><main><h1 id='document-not-found-404'>Document not found (404)</h1><p>This URL is invalid, sorry. Please use the navigation bar or search to continue.</p></main>",
        ),
        "/budding/chip.html",
        everywhere=True,
    ),
    "a page of MkDocs on a host that says 200": met(
        "Material for MkDocs: 404.html, on a host with a fallback",
        lone(
            "Graft CLI",
            "<header class='md-header'><a href='.' title='Graft CLI' class='md-logo'></a></header><div class='md-content'><article class='md-content__inner md-typeset'><h1>404 - Not found</h1></article></div><footer class='md-footer'>Made with Material for MkDocs</footer>",
        ),
        "/reference/prune/",
        everywhere=True,
    ),
    "a route of Remix whose error was cached": met(
        "Remix and React Router: errors in the context, 200 by a cache",
        shell(
            "Unhandled Thrown Response!",
            "<main style='font-family:system-ui,sans-serif;padding:2rem'><h1 style='font-size:24px'>404 Not Found</h1></main>",
            after='<script>window.__remixContext = {"state":{"loaderData":{},"errors":{"root":{"status":404,"statusText":"Not Found","internal":true,"data":"Error: No route matches URL"}}}};</script>',
        ),
        "/sorts/42",
    ),
    "a profile of TikTok that is no more": met(
        "sherlock: TikTok, statusCode 10221",
        shell(
            "TikTok - Make Your Day",
            after='<script id="__UNIVERSAL_DATA_FOR_REHYDRATION__" type="application/json">{"__DEFAULT_SCOPE__":{"webapp.user-detail":{"userInfo":{},"statusCode":10221,"statusMsg":"user not exist"}}}</script>',
        ),
        "/@pomona1892",
        everywhere=True,
    ),
    "a page of links whose data say 404": met(
        "sherlock: Linktree, statusCode 404 in __NEXT_DATA__",
        shell(
            "Linktree",
            "<main><h1>The page you’re looking for doesn’t exist.</h1><p>Want this to be your username? <a href='/register'>Create your Linktree now.</a></p></main>",
            after='<script id="__NEXT_DATA__" type="application/json">{"props":{"pageProps":{"statusCode":404}},"page":"/[profile]"}</script>',
        ),
        "/pomona1892",
    ),
    "a post of Bluesky that was deleted": met(
        "WhatsMyName: Bluesky, the bare title, 200",
        shell(
            "Bluesky",
            after="<noscript><h1>JavaScript Required</h1><p>This is a heavily interactive web application, and JavaScript is required.</p></noscript>",
        ),
        "/profile/pomona.example/post/3kabc42xyz",
        everywhere=True,
    ),
    "a thread of YaBB that was deleted": met(
        "YaBB: An Error Has Occurred!, 200",
        board(
            "An Error Has Occurred!",
            "<table class='bordercolor'><tr><td class='titlebg'><b>An Error Has Occurred!</b></td></tr><tr><td class='windowbg'>The topic you are looking for is either missing or has been removed.</td></tr></table>",
        ),
        "/cgi-bin/yabb2/YaBB.pl?num=1142424242",
    ),
    "a post of UBB.threads that was deleted": met(
        "UBB.threads: could not be found, 200",
        board(
            "Error - Pomology Board",
            "<h1>We encountered a problem.</h1><p>The reason reported was: The topic you requested could not be found. It may have been deleted.</p>",
        ),
        "/ubbthreads.php/topics/4242/grafting.html",
    ),
    "a subject of Forumotion that was deleted, in Italian": met(
        "Forumotion: Informazione, 200",
        board(
            "Informazione",
            "<div class='panel'><h2>Informazione</h2><p>L'argomento o il messaggio che cerchi non esiste</p></div>",
            lang="it",
        ),
        "/t4242-innesti",
        lang="it",
    ),
    "a post of a Taiwanese board that was deleted": met(
        "巴哈姆特: 該篇文章已被刪除, 200",
        board(
            "系統訊息",
            "<div class='c-disable'><p>該篇文章已被原作者刪除，或因違反板規遭到移除。</p><a href='/B.php'>回看板</a></div>",
            lang="zh-TW",
        ),
        "/C.php?bsn=60076&snA=424242",
        lang="zh-TW",
    ),
    "a post of a Korean cafe that was deleted": met(
        "Daum 카페: alert and back, 200",
        lone(
            "Daum 카페",
            "<script>alert('삭제되었거나 존재하지 않는 게시글입니다.');history.back();</script>",
            lang="ko",
        ),
        "/orchard/Ab1/4242",
        lang="ko",
    ),
    "a good of a Korean shop that is not there": met(
        "네이버 스마트스토어: 상품이 존재하지 않습니다, 200",
        store(
            "에러페이지 - 네이버쇼핑",
            "<div class='error'><strong>상품이 존재하지 않습니다.</strong><p>이 상품은 현재 구매하실 수 없는 상품입니다.</p><a href='#' onclick='history.back()'>이전 페이지로 가기</a></div>",
            lang="ko",
        ),
        "/orchard/products/424242",
        lang="ko",
    ),
    "a note of Weibo that its author deleted": met(
        "微博: 抱歉，作者已删除, 200",
        lone(
            "微博正文",
            "<div class='m-err'><h2>抱歉</h2><p>由于作者已删除，此微博无法查看。</p><a href='/'>返回首页</a></div>",
            lang="zh",
        ),
        "/status/4242424242424242",
        lang="zh",
    ),
    "a group of Douban that was dissolved": met(
        "豆瓣: 页面不存在, 200 behind an edge",
        campus(
            "页面不存在",
            "<h1>呃... 你想访问的小组不存在</h1><p>它可能已经被解散。</p>",
            lang="zh",
            name="豆瓣",
        ),
        "/group/424242/",
        lang="zh",
    ),
    "a good of a Japanese shop of MakeShop": met(
        "MakeShop: 該当する商品がありません, 200",
        store(
            "商品詳細",
            "<p class='no-item'>該当する商品がありません。販売が終了した可能性があります。</p><a href='/'>トップページへ</a>",
            lang="ja",
        ),
        "/view/item/000000004242",
        lang="ja",
    ),
    "a house of a Vietnamese portal that expired": met(
        "batdongsan.com.vn: tin đã hết hạn, 200",
        store(
            "Tin đăng không tồn tại",
            "<h1>Tin đăng đã hết hạn hoặc không tồn tại</h1><p>Mời bạn xem các tin đăng khác</p><ul><li><a href='/n1'>Vườn lê Đà Lạt</a></li></ul>",
            lang="vi",
        ),
        "/ban-nha-rieng-duong-42-pr424242",
        lang="vi",
    ),
    "a flat of a Finnish portal that was taken off": met(
        "Etuovi, Oikotie: kohdetta ei löytynyt, 200",
        store(
            "Kohdetta ei löytynyt",
            "<h1>Kohdetta ei löytynyt</h1><p>Etsimäsi kohde on poistunut palvelusta. Se on ehkä myyty tai ilmoitus on vanhentunut.</p><a href='/myytavat-asunnot'>Hae muita asuntoja</a>",
            lang="fi",
        ),
        "/kohde/k4242",
        lang="fi",
    ),
    "a job of a Norwegian office that is over": met(
        "arbeidsplassen.nav.no: Fant ikke annonsen, 200",
        campus(
            "Fant ikke annonsen - arbeidsplassen.no",
            "<h1>Vi fant dessverre ikke stillingsannonsen</h1><p>Annonsen kan være utløpt eller blitt fjernet av arbeidsgiver.</p><a href='/stillinger'>Se ledige stillinger</a>",
            lang="nb",
            name="arbeidsplassen",
        ),
        "/stillinger/stilling/4242-ab",
        lang="nb",
    ),
    "a job of a Danish index that expired": met(
        "Jobindex: jobannoncen er udløbet, 200",
        campus(
            "Jobannoncen er ikke længere aktiv",
            "<h1>Jobannoncen er udløbet</h1><p>Du kan desværre ikke længere se denne annonce.</p><a href='/jobsoegning'>Søg blandt andre job</a>",
            lang="da",
            name="Jobindex",
        ),
        "/vis-job/r4242",
        lang="da",
    ),
    "a flat of a Czech portal that is not active": met(
        "Sreality: inzerát není aktivní, 200",
        store(
            "Inzerát není dostupný",
            "<h1>Je nám líto, ale tento inzerát už není aktivní</h1><p>Podívejte se na podobné nabídky.</p>",
            lang="cs",
        ),
        "/detail/prodej/byt/2+kk/praha/424242",
        lang="cs",
    ),
    "an offer of work in Slovak that was withdrawn": met(
        "Profesia: ponuka už nie je zverejnená, 200",
        campus(
            "Ponuka nie je dostupná",
            "<h1>Táto pracovná ponuka už nie je zverejnená</h1><p>Inzerent ju stiahol alebo jej platnosť vypršala.</p>",
            lang="sk",
            name="Profesia",
        ),
        "/praca/sad/O4242424",
        lang="sk",
    ),
    "a house of a Slovene portal that is over": met(
        "nepremicnine.net: oglas ne obstaja, 200",
        store(
            "Oglas ni več na voljo",
            "<h1>Oglas ne obstaja več</h1><p>Iskani oglas je bil odstranjen ali pa mu je potekel rok objave.</p>",
            lang="sl",
        ),
        "/oglasi-prodaja/sadovnjak-hisa_424242/",
        lang="sl",
    ),
    "a good of a Hungarian shop that is not found": met(
        "UNAS: a termék nem található, 200",
        store(
            "A termék nem található",
            "<div class='artdet__error'>A keresett termék már nem található áruházunkban!</div>",
            lang="hu",
        ),
        "/korte-csemete-42",
        lang="hu",
    ),
    "a car of a Ukrainian market that was removed": met(
        "AUTO.RIA: оголошення видалено, 200",
        store(
            "Оголошення видалено",
            "<h1>Оголошення видалено і не бере участі в пошуку</h1><p>Перегляньте схожі пропозиції.</p>",
            lang="uk",
        ),
        "/auto_pear_van_42424242.html",
        lang="uk",
    ),
    "a car of a German market that is not there": met(
        "mobile.de: Inserat nicht mehr verfügbar, 200",
        store(
            "Fahrzeug nicht gefunden",
            "<h1>Dieses Inserat ist nicht mehr verfügbar</h1><p>Das Fahrzeug wurde verkauft oder das Inserat ist abgelaufen.</p><a href='/fahrzeuge/search.html'>Neue Suche</a>",
            lang="de",
        ),
        "/fahrzeuge/details.html?id=424242",
        lang="de",
    ),
    "an advert of a Brazilian market that is not found": met(
        "OLX Brasil: Anúncio não encontrado, 200",
        store(
            "Anúncio não encontrado",
            "<h1>Ops! Anúncio não encontrado</h1><p>Ele pode ter sido vendido ou removido pelo anunciante.</p>",
            lang="pt",
        ),
        "/d/pomar/mudas-de-pera-4242424242",
        lang="pt",
    ),
    "a job of a Swedish office that is over": met(
        "Platsbanken: annonsen finns inte, 200",
        campus(
            "Annonsen hittades inte",
            "<h1>Annonsen finns inte längre</h1><p>Sista ansökningsdag har passerat eller så har arbetsgivaren tagit bort annonsen.</p>",
            lang="sv",
            name="Platsbanken",
        ),
        "/platsbanken/annonser/42424242",
        lang="sv",
    ),
    "a film of a Persian host that was deleted": met(
        "آپارات: این ویدیو حذف شده است, 200",
        campus(
            "ویدیو یافت نشد",
            "<h1>این ویدیو حذف شده است</h1><p>ویدیوی مورد نظر توسط صاحب کانال یا مدیر سایت حذف شده است.</p>",
            lang="fa",
            name="آپارات",
        ),
        "/v/42abX",
        lang="fa",
    ),
    "an advert of a Georgian portal that is not found": met(
        "myhome.ge: განცხადება ვერ მოიძებნა, 200",
        store(
            "განცხადება ვერ მოიძებნა",
            "<h1>განცხადება ვერ მოიძებნა</h1><p>შესაძლოა ის წაშლილია ან ვადა გაუვიდა.</p>",
            lang="ka",
        ),
        "/ka/pr/424242/",
        lang="ka",
    ),
    "an advert of an Armenian board that was removed": met(
        "list.am: հայտարարությունը հեռացված է, 200",
        store(
            "Հայտարարությունը գտնված չէ",
            "<h1>Այս հայտարարությունը հեռացված է</h1><p>Դիտեք նմանատիպ հայտարարություններ։</p>",
            lang="hy",
        ),
        "/item/42424242",
        lang="hy",
    ),
    "a flat of an Azerbaijani portal that is not found": met(
        "bina.az: Elan tapılmadı, 200",
        store(
            "Elan tapılmadı",
            "<h1>Elan tapılmadı</h1><p>Elanın müddəti bitib və ya sahibi tərəfindən silinib.</p>",
            lang="az",
        ),
        "/items/424242",
        lang="az",
    ),
    "a page of an Uzbek ministry that is not found": met(
        "gov.uz: Sahifa topilmadi, 200",
        campus(
            "Sahifa topilmadi",
            "<h1>Sahifa topilmadi</h1><p>Siz qidirayotgan sahifa o‘chirilgan yoki boshqa joyga ko‘chirilgan.</p>",
            lang="uz",
            name="Vazirlik",
        ),
        "/uz/news/view/4242",
        lang="uz",
        everywhere=True,
    ),
    "a page of a Belarusian paper that is not found": met(
        "papers of Belarus: Старонка не знойдзена, 200",
        daily(
            "Старонка не знойдзена",
            "<h1>Старонка не знойдзена</h1><p>Магчыма, яна была выдаленая або перанесеная.</p>",
            lang="be",
        ),
        "/news/2017/4242.html",
        lang="be",
        everywhere=True,
    ),
    "a page of an Irish council that is not found": met(
        "councils of Ireland: Níor aimsíodh an leathanach, 200",
        campus(
            "Níor aimsíodh an leathanach",
            "<h1>Níor aimsíodh an leathanach</h1><p>Tá brón orainn, níl an leathanach a d'iarr tú ar fáil a thuilleadh.</p>",
            lang="ga",
            name="Comhairle Contae",
        ),
        "/ga/seirbhisi/ulloird",
        lang="ga",
        everywhere=True,
    ),
    "a page of a Maltese ministry that is not found": met(
        "gov.mt: il-paġna ma nstabitx, 200",
        campus(
            "Il-paġna ma nstabitx",
            "<h1>Il-paġna ma nstabitx</h1><p>Il-paġna li qed tfittex m'għadhiex teżisti.</p>",
            lang="mt",
            name="Gvern",
        ),
        "/mt/agrikoltura/sigar",
        lang="mt",
    ),
    "a page of a South African paper that is not found": met(
        "papers in Afrikaans: Bladsy nie gevind nie, 200",
        daily(
            "Bladsy nie gevind nie",
            "<h1>Bladsy nie gevind nie</h1><p>Jammer, die artikel waarna jy soek bestaan nie meer nie.</p>",
            lang="af",
        ),
        "/nuus/boorde/pere-20160402",
        lang="af",
        everywhere=True,
    ),
    "a story of a Nepali paper that is not found": met(
        "papers of Nepal: पृष्ठ भेटिएन, 200",
        daily(
            "पृष्ठ भेटिएन",
            "<h1>पृष्ठ भेटिएन</h1><p>तपाईंले खोज्नुभएको समाचार हटाइएको वा सारिएको हुन सक्छ।</p><h2>ताजा समाचार</h2>",
            lang="ne",
        ),
        "/2018/05/424242",
        lang="ne",
        everywhere=True,
    ),
    "a page of a Malaysian department that is not found": met(
        "jabatan-jabatan: Halaman tidak dijumpai, 200",
        campus(
            "Halaman Tidak Dijumpai",
            "<h1>Halaman tidak dijumpai</h1><p>Maaf, halaman yang anda cari telah dialihkan atau dipadamkan.</p>",
            lang="ms",
            name="Jabatan Pertanian",
        ),
        "/index.php/pages/view/424",
        lang="ms",
    ),
    "a page of a Mongolian agency that is not found": met(
        "gov.mn: Хуудас олдсонгүй, 200",
        campus(
            "Хуудас олдсонгүй",
            "<h1>Хуудас олдсонгүй</h1><p>Таны хайсан хуудас устгагдсан эсвэл шилжсэн байна.</p>",
            lang="mn",
            name="Агентлаг",
        ),
        "/mn/news/4242",
        lang="mn",
        everywhere=True,
    ),
    "a page of a Macedonian portal that is not found": met(
        "portals of North Macedonia: Страницата не е пронајдена, 200",
        daily(
            "Страницата не е пронајдена",
            "<h1>Страницата не е пронајдена</h1><p>Содржината што ја барате е отстранета.</p>",
            lang="mk",
        ),
        "/vesti/4242",
        lang="mk",
    ),
    "a page of a Kenyan county in Swahili that is not found": met(
        "counties of Kenya: Ukurasa haujapatikana, 200",
        campus(
            "Ukurasa haujapatikana",
            "<h1>Ukurasa haujapatikana</h1><p>Samahani, ukurasa unaoutafuta haupo tena.</p>",
            lang="sw",
            name="Kaunti",
        ),
        "/sw/kilimo/matunda",
        lang="sw",
        everywhere=True,
    ),
    "a department of a university that only has a menu": met(
        "old systems of universities: a page without its node, 200",
        campus(
            "Orchard University",
            "<div class='region-content'><h1 class='page-title'>The requested content is no longer published</h1></div>",
        ),
        "/departments/pomology/staff/keeper",
    ),
    "an article whose licence ended": met(
        "news sites of agencies: the story was removed as the licence ended, 200",
        daily(
            "Story no longer available - The Orchard Post",
            "<h1>This story is no longer available</h1><p>Our right to show this agency story has expired and it has been removed from our website.</p><h2>Related</h2><ul><li><a href='/x'>Pears of the valley</a></li></ul>",
        ),
        "/world/2021/04/02/agency-pears",
    ),
    "a recipe that its cook deleted, in German": met(
        "Kochportale: Das Rezept existiert nicht mehr, 200",
        campus(
            "Rezept nicht gefunden",
            f"<h1>Dieses Rezept existiert leider nicht mehr</h1><p>Der Verfasser hat es gelöscht. Vielleicht gefällt dir eines von diesen:</p><ul><li>Birnen, Bohnen und Speck</li></ul>{tale('de')}",
            lang="de",
            name="Kochbuch",
        ),
        "/rezepte/4242/Birnenkuchen.html",
        lang="de",
    ),
}

CASES: list[Case] = [
    *(gone(name, each.source, each.site, path=each.path) for name, each in _HARD.items()),
    *(gone(name, each.source, each.site, *_FLAGS, path=each.path) for name, each in _SOFT.items()),
]
