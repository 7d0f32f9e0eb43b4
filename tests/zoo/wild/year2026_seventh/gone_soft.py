"""Pages that are gone and come with a 200: templates, adverts, files, films, posts and records."""

# ruff: noqa: E501, RUF001
from tests.zoo.wild.case import Case, gone, plain
from tests.zoo.wild.year2026_seventh.frames import (
    Met,
    alone,
    app,
    blog,
    counter,
    forum,
    met,
    office,
    paper,
    story,
)

_FLAGS = ("error_page", "same_for_all")

# Sites that answer so whatever is asked for.
_TEMPLATES: dict[str, Met] = {
    "a page of a manual of Mintlify that is gone": met(
        "mintlify/docs issue 3759: the 404 has the status 200",
        app(
            "Page not found! - Gauge docs",
            "<nav><a href='/'>Gauge</a><a href='/quickstart'>Quickstart</a></nav><div id='content'><span>404</span><h1 id='error-title'>Page not found!</h1><div id='error-description'><p>We couldn't find the page. Maybe you were looking for one of these pages below?</p></div><a href='/quickstart'>Quickstart</a></div>",
        ),
        "/api-reference/heights/list",
        everywhere=True,
    ),
    "a route of Modern.js that nobody made": met(
        "web-infra-dev/modern.js issue 7136: DefaultNotFound, 200",
        app(
            "Tide board",
            "<div style='margin:150px auto;text-align:center;display:flex;align-items:center;justify-content:center'>404</div>",
        ),
        "/boards/1864",
        everywhere=True,
    ),
    "a route of Sitecore JSS that the layout service does not know": met(
        "Sitecore/jss pull request 1033: 200 for page not found",
        app(
            "Page not found",
            "<header><a href='/'>Harbour Office</a></header><div class='not-found'><h1>Page not found</h1><p>This page does not exist.</p><a href='/'>Go to the Home page</a></div>",
        ),
        "/en/services/moorings",
        everywhere=True,
    ),
    "a page of a club's site in Rails that answers 200": met(
        "girldevelopit/gdi-website issue 402: a 404 page with HTTP/1.1 200 OK",
        office(
            "Girls Who Sail",
            "<h1>404</h1><h2>Oh no! The page you are looking for has sailed.</h2><p>Try one of our chapters instead.</p><ul><li><a href='/chapters/north'>North</a></li></ul>",
            name="Girls Who Sail",
        ),
        "/chapters/north/2014-regatta",
        everywhere=True,
    ),
    "a page of a route in React in German": met(
        "sites made with Vite and a prerender: Seite nicht gefunden, 200",
        app(
            "Seite nicht gefunden | Seglerbund",
            "<header><a href='/'>Seglerbund</a></header><main class='min-h-screen'><h1 class='text-6xl'>404</h1><h2 class='text-2xl'>Seite nicht gefunden</h2><p>Die angeforderte Seite konnte nicht gefunden werden. Möglicherweise wurde sie verschoben oder existiert nicht mehr.</p><a href='/'>Zur Startseite</a></main>",
            lang="de",
        ),
        "/jugend/lehrgang-2021",
        lang="de",
        everywhere=True,
    ),
    "a page of a route in React in Spanish": met(
        "sites made with Next.js: Lo sentimos, la página que buscas no existe, 200",
        app(
            "Puerto Viejo",
            "<header><a href='/'>Puerto Viejo</a></header><div class='container'><h1>404 - Página no encontrada</h1><p>Lo sentimos, la página que buscas no existe o ha sido movida.</p><a href='/'>Volver al inicio</a></div><footer>© 2026 Puerto Viejo</footer>",
            lang="es",
        ),
        "/blog/mareas-vivas",
        lang="es",
        everywhere=True,
    ),
    "a page of a route in React in French, with a joke": met(
        "sites made with Lovable: La page que vous recherchez n'existe pas ou a été déplacée, 200",
        app(
            "Charpente de marine",
            "<main class='text-center'><p class='text-9xl'>404</p><h1>Oups, voie d'eau !</h1><p>Même les meilleurs charpentiers peuvent se tromper de chantier. La page que vous recherchez n'existe pas ou a été déplacée.</p><a href='/'>Retour à l'accueil</a></main>",
            lang="fr",
        ),
        "/realisations/cotre-1912",
        lang="fr",
        everywhere=True,
    ),
    "a page of a route in React in Russian": met(
        "sites in Russian: Страница, которую вы ищете, не существует, 200",
        app(
            "Порт",
            "<header><a href='/'>Порт</a></header><h1>404</h1><p>Упс! Похоже, что страница, которую вы ищете, не существует или была перемещена.</p><a href='/'>Вернуться на главную</a>",
            lang="ru",
        ),
        "/news/mol-1864",
        lang="ru",
        everywhere=True,
    ),
    "a page of a route in Swedish": met(
        "sites in Swedish: Sidan du letar efter verkar inte finnas, 200",
        app(
            "Seglarskolan",
            "<h1>Sidan hittades inte</h1><p>Sidan du letar efter verkar inte finnas. Den kan ha flyttats eller tagits bort.</p><a href='/'>Till startsidan</a>",
            lang="sv",
        ),
        "/kurser/navigation-2022",
        lang="sv",
        everywhere=True,
    ),
    "a page of a ministry in Arabic with the state's design system": met(
        "portals with DGA components: الصفحة التي تبحث عنها غير موجودة, 200",
        app(
            "بوابة الموانئ",
            "<header><a href='/'>بوابة الموانئ</a></header><main><h1>404</h1><h2>الصفحة غير موجودة</h2><p>عذراً، الصفحة التي تبحث عنها غير موجودة أو تم نقلها أو حذفها.</p><a class='dga-primary-btn' href='/'>العودة إلى الرئيسية</a></main>",
            lang="ar",
        ),
        "/ar/services/moorings",
        lang="ar",
        everywhere=True,
    ),
    "a page of a company's site in Chinese": met(
        "sites in Chinese: 页面走丢了, 200",
        office(
            "页面走丢了",
            "<div class='error-code'>404</div><h1 class='error-title'>页面走丢了！</h1><p class='error-message'>抱歉，您访问的页面似乎不存在或已被移动到其他位置。</p><a href='/'>返回首页</a>",
            lang="zh",
            name="潮位科技",
        ),
        "/news/detail/1864.html",
        lang="zh",
        everywhere=True,
    ),
    "a page of a Korean site on JSP": met(
        "sites in Korean: 요청하신 페이지가 존재하지 않거나 이동되었을 수 있습니다, 200",
        office(
            "페이지를 찾을 수 없습니다",
            "<h2 class='mb-4'>페이지를 찾을 수 없습니다</h2><p class='lead mb-4'>요청하신 페이지가 존재하지 않거나 이동되었을 수 있습니다.</p><a href='/main.do'>메인으로</a>",
            lang="ko",
            name="항만공사",
        ),
        "/board/view.do?no=1864",
        lang="ko",
        everywhere=True,
    ),
    "a page of a Japanese town under a theme of its own": met(
        "sites in Japanese: お探しのページは、一時的にアクセス出来ない状態か移動または削除, 200",
        office(
            "港町観光協会",
            "<section class='notFound'><h2 class='notFound_title' title='404 NotFound'>お探しのページは<br>見つかりませんでした</h2><p class='notFound_text'>お客様のお探しのページは、一時的に「アクセス出来ない状態」か「移動」または「削除」された可能性があります。</p></section>",
            lang="ja",
            name="港町観光協会",
        ),
        "/spot/mole/index.html",
        lang="ja",
        everywhere=True,
    ),
    "a page of a Turkish municipality": met(
        "sites in Turkish: Aradığınız sayfa bu adreste bulunmuyor, 200",
        office(
            "Sayfa bulunamadı — Liman Belediyesi",
            "<h1>Sayfa bulunamadı</h1><p>Aradığınız sayfa bu adreste bulunmuyor.</p><a href='/'>Ana sayfa</a>",
            lang="tr",
            name="Liman Belediyesi",
        ),
        "/duyurular/1864-rihtim",
        lang="tr",
        everywhere=True,
    ),
    "a page of a Polish museum": met(
        "sites in Polish: Poszukiwana strona nie istnieje lub nie jest już dostępna, 200",
        office(
            "Muzeum Portu",
            "<h1>Tej strony już tu nie ma.</h1><p>Poszukiwana strona nie istnieje lub nie jest już dostępna.</p><a href='/'>Powrót na stronę główną</a>",
            lang="pl",
            name="Muzeum Portu",
        ),
        "/wystawy/mareograf",
        lang="pl",
        everywhere=True,
    ),
    "a page of a Dutch water board": met(
        "sites in Dutch: Deze pagina bestaat niet (meer), 200",
        office(
            "Pagina niet gevonden - Waterschap",
            "<h1>Deze pagina bestaat niet (meer)</h1><p>De pagina die u zoekt is verplaatst of verwijderd. Gebruik de zoekfunctie of ga naar de homepage.</p>",
            lang="nl",
            name="Waterschap",
        ),
        "/actueel/2018/peilschaal",
        lang="nl",
        everywhere=True,
    ),
    "a page of a Danish association": met(
        "sites in Danish: Siden findes ikke længere, 200",
        office(
            "Siden blev ikke fundet",
            "<h1>Vi kan ikke finde siden</h1><p>Siden findes ikke længere, eller adressen er forkert.</p>",
            lang="da",
            name="Sejlklubben",
        ),
        "/kalender/2016/regatta",
        lang="da",
        everywhere=True,
    ),
    "a page of a Hebrew museum": met(
        "sites in Hebrew: העמוד שחיפשת לא נמצא, 200",
        office(
            "העמוד לא נמצא",
            "<h1>404</h1><p>אופס! העמוד שחיפשת לא נמצא או שהוסר מהאתר.</p><a href='/'>חזרה לדף הבית</a>",
            lang="he",
            name="מוזיאון הנמל",
        ),
        "/he/exhibitions/1864",
        lang="he",
        everywhere=True,
    ),
    "a page of a Thai department": met(
        "sites in Thai: ไม่พบหน้าที่คุณต้องการ, 200",
        office(
            "ไม่พบหน้า",
            "<h1>404</h1><p>ขออภัย ไม่พบหน้าที่คุณต้องการ หน้านี้อาจถูกย้ายหรือถูกลบไปแล้ว</p>",
            lang="th",
            name="กรมเจ้าท่า",
        ),
        "/news/1864",
        lang="th",
        everywhere=True,
    ),
    "a page of a Catalan library": met(
        "sites in Catalan: La pàgina que busqueu no existeix, 200",
        office(
            "Pàgina no trobada",
            "<h1>Pàgina no trobada</h1><p>La pàgina que busqueu no existeix o s'ha mogut.</p>",
            lang="ca",
            name="Biblioteca del Port",
        ),
        "/activitats/2019/club",
        lang="ca",
        everywhere=True,
    ),
    "a page of a Hindi portal": met(
        "sites in Hindi: पृष्ठ नहीं मिला, 200",
        office(
            "पृष्ठ नहीं मिला",
            "<h1>पृष्ठ नहीं मिला</h1><p>क्षमा करें, आप जिस पृष्ठ को खोज रहे हैं वह मौजूद नहीं है या हटा दिया गया है।</p>",
            lang="hi",
            name="बंदरगाह प्राधिकरण",
        ),
        "/hi/notice/1864",
        lang="hi",
        everywhere=True,
    ),
    "an application of APEX whose page was dropped": met(
        "Oracle APEX: Application Page not found, 200",
        alone(
            "Error",
            "<div class='t-Alert'><h3>Error</h3><p>Application &quot;100&quot; Page &quot;42&quot; not found. Contact your application administrator.</p><a href='f?p=100'>Restart Application</a></div>",
        ),
        "/ords/f?p=100:42:::::P42_ID:1864",
    ),
    "a piece of news of TYPO3 that was deleted": met(
        "TYPO3, EXT:news: No news available., the detail view without its record, 200",
        office(
            "Aktuelles | Hafenamt",
            "<h1>Aktuelles</h1><div class='news news-single'><div class='no-news-found'>Die Meldung ist nicht mehr verfügbar.</div><p><a href='/aktuelles'>Zurück zur Liste</a></p></div>",
            lang="de",
            name="Hafenamt",
        ),
        "/aktuelles/detail?tx_news_pi1%5Bnews%5D=1864",
        lang="de",
    ),
    "a document of SharePoint that was moved away": met(
        "SharePoint Server: PageNotFoundError.aspx, 200 by a farm's own page",
        office(
            "Page not found",
            "<div id='ms-error'><h1 id='errorPageTitleSpan'>The page you're looking for doesn't exist.</h1><ul><li>Check for a typo in the URL, or</li><li><a href='/Pages/default.aspx'>Go to the site home</a></li></ul></div>",
            name="Port Authority",
        ),
        "/Pages/Tariffs2015.aspx",
        "MicrosoftSharePointTeamServices: 16.0.0.5483",
        "X-SharePointHealthScore: 0",
        everywhere=True,
    ),
}

# Adverts: jobs, homes, cars, things.
_ADVERTS: dict[str, Met] = {
    "a job of a German board that was filled": met(
        "markers of closed vacancies: Diese Stellenausschreibung ist nicht mehr verfügbar, 200",
        office(
            "Stellenausschreibung nicht verfügbar | Karriere Hafen",
            "<h1>Diese Stellenausschreibung ist nicht mehr verfügbar.</h1><p>Schauen Sie sich unsere <a href='/stellen'>aktuellen Angebote</a> an.</p>",
            lang="de",
            name="Karriere Hafen",
        ),
        "/stellen/1864/pegelwart-m-w-d",
        lang="de",
    ),
    "a job of a French board that is no more": met(
        "Welcome to the Jungle: Cette offre n’est plus disponible., 200",
        app(
            "Gardien de phare - Le Port - CDI",
            "<main><div role='alert'><p>Cette offre n’est plus disponible.</p><a href='/fr/jobs'>Voir toutes les offres</a></div></main>",
            lang="fr",
        ),
        "/fr/companies/le-port/jobs/gardien-de-phare",
        lang="fr",
    ),
    "a job of a Brazilian board that was removed": met(
        "boards in Brazil: Esta vaga não está mais disponível ou foi removida, 200",
        app(
            "Vagas | Porto",
            "<div class='text-center py-20'><h2>Vaga não encontrada</h2><p>Esta vaga não está mais disponível ou foi removida.</p><button>Ver outras vagas</button></div>",
            lang="pt",
        ),
        "/vagas/1864",
        lang="pt",
    ),
    "a job of a Japanese board that has ended": met(
        "boards in Japan: この求人は掲載を終了しました, 200",
        office(
            "験潮員の求人 | 港ジョブ",
            "<div class='alert alert-destructive'><h5>この求人は掲載を終了しました</h5><p>応募することはできません。似た条件の求人は「験潮員・港町」で検索してください。</p></div>",
            lang="ja",
            name="港ジョブ",
        ),
        "/jobs/1864",
        lang="ja",
    ),
    "a job of Workday that was taken down": met(
        "Workday: The page you are looking for doesn't exist., 200",
        app(
            "Careers",
            "<div data-automation-id='errorContainer'><span data-automation-id='errorMessage'>The page you are looking for doesn't exist.</span><a href='/en-US/Harbour_Careers'>Search for Jobs</a></div>",
        ),
        "/en-US/Harbour_Careers/job/Mole/Tide-Reader_R1864",
        everywhere=True,
    ),
    "a job of SuccessFactors that is not available now": met(
        "markers of closed vacancies: You can't view this job because it's not available at this time, 200",
        office(
            "Career Opportunities",
            "<h1>Career Opportunities</h1><div class='infoMessage'>You can't view this job because it's not available at this time. It may have been filled or removed.</div><a href='/career?company=harbour'>Back to job search</a>",
            name="Careers",
        ),
        "/career?career_ns=job_listing&company=harbour&career_job_req_id=1864",
    ),
    "a job of iCIMS that was filled": met(
        "iCIMS: the job posting is no longer available, 200",
        office(
            "Careers at the Harbour",
            "<div class='iCIMS_MainWrapper'><h2>Sorry, this position has been filled.</h2><p>Please use the search to find other openings, or <a href='/jobs/intro'>join our talent community</a>.</p></div>",
            name="Harbour Careers",
        ),
        "/jobs/1864/tide-reader/job",
    ),
    "a job of a Dutch board that is over": met(
        "boards in Dutch: Deze vacature is niet meer beschikbaar, 200",
        office(
            "Vacature verlopen - Havenbanen",
            "<h1>Deze vacature is niet meer beschikbaar</h1><p>De vacature <strong>Peilschaallezer</strong> is gesloten op 3 mei 2024.</p><h2>Vergelijkbare vacatures</h2><ul><li><a href='/vacature/sluiswachter'>Sluiswachter</a></li></ul>",
            lang="nl",
            name="Havenbanen",
        ),
        "/vacature/peilschaallezer-1864",
        lang="nl",
    ),
    "a job of a Czech board that is out of date": met(
        "boards in Czech: Nabídka již není aktuální, 200",
        office(
            "Nabídka již není aktuální | Práce v přístavu",
            "<h1>Tato nabídka práce již není aktuální</h1><p>Inzerát byl zaměstnavatelem stažen.</p>",
            lang="cs",
            name="Práce v přístavu",
        ),
        "/rpd/1864042/",
        lang="cs",
    ),
    "a job of a Korean board whose term is over": met(
        "boards in Korean: 존재하지 않거나 마감된 채용공고, 200",
        "<html><head><meta charset='utf-8'><title>채용정보</title></head><body><script>alert('존재하지 않거나 마감된 채용공고입니다.');history.back();</script></body></html>",
        "/Recruit/GI_Read/1864042",
        lang="ko",
    ),
    "a thing on a German market that is not there any more": met(
        "markers of dead adverts: Diese Anzeige ist nicht mehr verfügbar, 200",
        office(
            "Kleinanzeigen",
            "<div class='outcomemessage-warning'><h2>Diese Anzeige ist nicht mehr verfügbar.</h2><p>Das könnte dich auch interessieren:</p></div><ul><li><a href='/s-anzeige/tau/2'>Tau, 20 m</a></li><li><a href='/s-anzeige/anker/3'>Anker</a></li></ul>",
            lang="de",
            name="Kleinanzeigen",
        ),
        "/s-anzeige/schwimmer-messing/1864042-230-42",
        lang="de",
    ),
    "a thing on an Italian market that is not there any more": met(
        "markers of dead adverts: Annuncio non più disponibile, 200",
        office(
            "Annuncio non disponibile",
            "<h1>Annuncio non più disponibile</h1><p>L'inserzionista ha rimosso l'annuncio oppure è scaduto.</p><a href='/annunci-italia/nautica/'>Vedi annunci simili</a>",
            lang="it",
            name="Mercatino del porto",
        ),
        "/nautica/galleggiante-ottone-1864042.htm",
        lang="it",
    ),
    "a posting of a list of small ads that has expired": met(
        "craigslist: This posting has expired., 200 as bots of the past met it",
        alone(
            "craigslist | expired",
            "<section class='body'><div class='removed'><h2>This posting has expired.</h2><p>(The title on the listings page will be removed in just a few minutes.)</p></div></section>",
        ),
        "/boa/d/brass-float/1864042042.html",
    ),
    "a posting of a list of small ads that its author deleted": met(
        "craigslist: This posting has been deleted by its author., 200 as bots of the past met it",
        alone(
            "craigslist | posting deleted",
            "<section class='body'><div class='removed'><h2>This posting has been deleted by its author.</h2></div></section>",
        ),
        "/for/d/rope-fender/1864042043.html",
    ),
    "a listing of a plugin for listings that expired": met(
        "WordPress, Posterno: Sorry, this listing is no longer available., 200",
        blog(
            "Berth 42 – Tidewrack",
            "<h1 class='wp-block-post-title'>Berth 42</h1><div class='pno-message info'>Sorry, this listing is no longer available.</div>",
        ),
        "/listings/berth-42/",
    ),
    "a listing that a recruiter closed or an administrator removed": met(
        "a portal of internships: This listing is no longer available, by its script's first answer, 200",
        office(
            "Listing",
            "<div id='root'><h1>This listing is no longer available</h1><p>It may have been closed by the recruiter or removed by an administrator.</p><a href='/listings'>Browse listings</a></div>",
            name="Interns",
        ),
        "/listing.html?id=1864",
    ),
    "a house of a Vietnamese portal that is no longer there": met(
        "markets of Vietnam: Tin này không còn nữa, 200",
        app(
            "Chợ cảng",
            "<div><p>🚫</p><h1>Tin này không còn nữa</h1><p>Người bán đã gỡ tin hoặc tin đã được bán.</p></div>",
            lang="vi",
        ),
        "/tin/1864042",
        lang="vi",
    ),
    "an advert of a Hungarian market that is not found": met(
        "markets of Hungary: Nem találjuk ezt a hirdetést, 200",
        app(
            "Kikötői piac",
            "<div class='text-center'><div class='text-h5'>Hoppá! Nem találjuk ezt a hirdetést.</div><a href='/'>Vissza a főoldalra</a></div>",
            lang="hu",
        ),
        "/hirdetes/1864",
        lang="hu",
    ),
    "a flat of a Spanish portal whose advert was taken down": met(
        "portals of Spain: Lo sentimos, este anuncio ya no está activo, 200",
        office(
            "Anuncio no disponible",
            "<h1>Lo sentimos, este anuncio ya no está activo</h1><p>El anunciante lo dio de baja el 12/03/2025.</p><h2>Otros pisos en la zona</h2><ul><li>Piso en calle del Muelle</li></ul>",
            lang="es",
            name="Pisos del puerto",
        ),
        "/inmueble/1864042/",
        lang="es",
    ),
    "a car of a Finnish market that was removed": met(
        "markets of Finland: Ilmoitusta ei löytynyt tai se on poistettu, 200",
        office(
            "Ilmoitus poistettu",
            "<h1>Ilmoitusta ei löytynyt</h1><p>Ilmoitus on poistettu tai sen voimassaoloaika on päättynyt.</p>",
            lang="fi",
            name="Satamatori",
        ),
        "/auto/1864042",
        lang="fi",
    ),
    "a tractor of a Greek market that expired": met(
        "markets of Greece: Η αγγελία δεν είναι πλέον διαθέσιμη, 200",
        office(
            "Η αγγελία έληξε",
            "<h1>Η αγγελία δεν είναι πλέον διαθέσιμη</h1><p>Δείτε παρόμοιες αγγελίες.</p>",
            lang="el",
            name="Αγγελίες",
        ),
        "/classifieds/1864042",
        lang="el",
    ),
}

# Goods.
_GOODS: dict[str, Met] = {
    "a good of a Taiwanese shop that is off the shelf": met(
        "shops of Taiwan: 很抱歉，找不到該商品, 200",
        app(
            "繩纜行",
            "<div class='not-found'><h2>很抱歉，找不到該商品</h2><p>您想找的商品可能已下架或不存在。</p><a class='back-link' href='/'>返回首頁</a></div>",
            lang="zh-TW",
        ),
        "/products/1864",
        lang="zh-TW",
    ),
    "a good of AbanteCart that cannot be found": met(
        "abantecart: The page you requested cannot be found!, 200",
        counter(
            "The page you requested cannot be found!",
            "<h1 class='heading1'>The page you requested cannot be found!</h1><div class='contentpanel'>The page you are looking for could not be found! Please contact your administrator if the problem persists.</div><a class='btn' href='/'>Continue</a>",
        ),
        "/index.php?rt=product/product&product_id=1864",
    ),
    "a good of a market of China that cannot be found": met(
        "AliExpress: Sorry, the page you requested can not be found, 200",
        counter(
            "Page Not Found",
            "<div class='error-page'><h3>Sorry, the page you requested can not be found:(</h3><p>You can search again, or go to the home page.</p></div>",
        ),
        "/item/1864042042042.html",
    ),
    "a thing of a market of makers that was removed": met(
        "Etsy: Sorry, this item is unavailable, 200",
        counter(
            "Brass float, 1864",
            "<h1>Sorry, this item is unavailable.</h1><p>Fortunately, there are plenty of other special things to discover.</p><ul><li><a href='/listing/2'>Rope mat</a></li><li><a href='/listing/3'>Cork buoy</a></li></ul>",
        ),
        "/listing/1864042/brass-float",
    ),
    "a good of nopCommerce that was deleted": met(
        "nopCommerce: PageNotFound, 200 by a farm that rewrites errors",
        counter(
            "Page not found",
            "<div class='page not-found-page'><div class='page-title'><h1>Page not found</h1></div><div class='page-body'><p><strong>The page you requested was not found, and we have a fine guess why.</strong></p><ul><li>If you typed the URL directly, please make sure the spelling is correct.</li><li>The page no longer exists. In this case, we profusely apologize for the inconvenience.</li></ul></div></div>",
        ),
        "/hemp-line-12mm",
    ),
    "a good of a Romanian shop that is not sold any more": met(
        "shops of Romania: Produsul nu mai este disponibil, 200",
        counter(
            "Produs indisponibil",
            "<h1>Produsul căutat nu mai este disponibil în magazinul nostru</h1><p>Te invităm să vezi produsele similare.</p>",
            lang="ro",
            name="Frânghii",
        ),
        "/franghie-canepa-12mm/pd/D1864/",
        lang="ro",
    ),
    "a good of a Bulgarian shop that is not found": met(
        "shops of Bulgaria: Продуктът не е намерен, 200",
        counter(
            "Продуктът не е намерен",
            "<h1>Продуктът не е намерен</h1><p>Търсеният от вас продукт е изтрит или не съществува.</p>",
            lang="bg",
            name="Въжарница",
        ),
        "/product/1864",
        lang="bg",
    ),
}

# Files, films, posts, records.
_THINGS: dict[str, Met] = {
    "a download of Microsoft's that is no longer available": met(
        "installers of WMF: This download is no longer available, 200",
        office(
            "Download Center",
            "<h1>We're sorry, this download is no longer available.</h1><p>Go to the Download Center home page to find other downloads.</p>",
            name="Download Center",
        ),
        "/en-us/download/details.aspx?id=18640",
    ),
    "a shared file of Box that was removed": met(
        "JDownloader, LinkChecker scripts: This shared file or folder link has been removed, 200",
        alone(
            "Box | Removed",
            "<div class='error-message'><h1>This shared file or folder link has been removed or is unavailable to you.</h1><a href='/login'>Log In</a></div>",
        ),
        "/s/1864abcd42",
    ),
    "a file of a host of files that is no longer available": met(
        "checkers of one-click hosts: The file you are trying to download is no longer available, 200",
        office(
            "Download",
            "<div class='msg'><b>The file you are trying to download is no longer available!</b><p>This could be due to the following reasons:</p><ul><li>The file has been removed because of a ToS/AUP violation.</li><li>The file requested reached max downloads limit.</li></ul></div>",
            name="Files",
        ),
        "/k3y1864abcd.html",
    ),
    "an eprint that was removed": met(
        "eprints/eprints issue 367: the page of a deleted eprint is a 200",
        office(
            "Item Removed - Harbour Eprints",
            "<h1 class='ep_tm_pagetitle'>Item Removed</h1><p>This item has been removed from the repository.</p><p>If you wish to enquire about this removal please contact the repository administrators.</p>",
            name="Harbour Eprints",
        ),
        "/id/eprint/1864/",
    ),
    "a modification of a game that was deleted": met(
        "Nexus-Mods/web-issues issue 865: deleted mods are a 200",
        office(
            "Mod deleted at Nexus Mods",
            "<div class='site-notice'><h3>Deleted mod</h3><p>This mod has been deleted by its author and is no longer available.</p></div>",
            name="Nexus Mods",
        ),
        "/sailing/mods/1864",
    ),
    "a permanent link whose record was deleted": met(
        "harvard-lil/perma issue 2331: deleted records return 200s",
        office(
            "Perma | Deleted",
            "<div class='record-message'><h1>Perma.cc can’t show you this link</h1><p>This record has been deleted.</p></div>",
            name="Perma",
        ),
        "/18TI-DE42",
        "Server: cloudflare",
        "CF-RAY: 413414de8ef65717-IAD",
    ),
    "a file of a repository of objects that was removed": met(
        "IISH/object-repository-admin: deleted.gsp, 200",
        office(
            "Show Files",
            "<h1>File removed</h1><p>This file has been removed from the repository.</p>",
            name="Object repository",
        ),
        "/file/master/10622/1864ABCD",
    ),
    "a resource of a map of scholarship that was deleted": met(
        "rmap-project/rmap: deleted.jsp, 200",
        office(
            "System Error",
            "<h1>Resource Deleted</h1><p>The requested resource has been deleted.</p><p><a href='/search'>Goto Search page</a></p>",
            name="RMap",
        ),
        "/app/discos/ark%3A%2F22573%2Frmd1864",
    ),
    "an item of an archive of the web that is not available": met(
        "archive.org: The item is not available due to issues with the item's content., 200",
        office(
            "Internet Archive: Error",
            "<div id='error'><h1>Item not available</h1><p>The item is not available due to issues with the item's content.</p></div>",
            name="Archive",
        ),
        "/details/tide-tables-1864",
    ),
    "a working paper that its author had removed": met(
        "SSRN: The abstract you requested was not found, 200",
        office(
            "Error",
            "<h1>The abstract you requested was not found</h1><p>This may have occurred because the paper has been removed from the site at the request of the author or the rights holder.</p>",
            name="Working papers",
        ),
        "/sol3/papers.cfm?abstract_id=1864042",
    ),
    "a film of a Russian network that was removed": met(
        "youtube-dl: odnoklassniki, vp_video_stub_txt, 200",
        office(
            "Видео",
            "<div class='vp_video'><div class='vp_video_stub'><div class='vp_video_stub_txt'>Видео удалено или заблокировано</div></div></div>",
            lang="ru",
            name="Сеть",
        ),
        "/video/1864042042",
        lang="ru",
    ),
    "a broadcast of a German station whose time is over": met(
        "German broadcasters: Depublizierung, the page without its contribution, 200",
        paper(
            "Inhalt nicht mehr verfügbar",
            "<h1>Dieser Beitrag ist leider nicht mehr verfügbar</h1><p>Aus rechtlichen Gründen dürfen wir viele Beiträge nur für eine begrenzte Zeit im Internet anbieten. Die Verweildauer dieses Beitrags ist abgelaufen.</p>",
            lang="de",
            name="Küstenfunk",
        ),
        "/sendungen/pegelwart-102.html",
        lang="de",
    ),
    "a film of a French station that is not on offer any more": met(
        "French broadcasters: Cette vidéo n'est plus disponible, 200",
        paper(
            "Vidéo indisponible",
            "<h1>Cette vidéo n'est plus disponible</h1><p>Les droits de diffusion sont arrivés à échéance.</p><h2>À voir aussi</h2><ul><li><a href='/mer/2'>Thalassa</a></li></ul>",
            lang="fr",
            name="Télé-Mer",
        ),
        "/mer/1864042-le-maregraphe.html",
        lang="fr",
    ),
    "a programme of a Swedish station that is not there any more": met(
        "SVT Play: Programmet är inte längre tillgängligt, 200",
        paper(
            "Sidan finns inte längre",
            "<h1>Programmet är inte längre tillgängligt</h1><p>Rättigheterna har gått ut.</p>",
            lang="sv",
            name="Kustplay",
        ),
        "/video/1864abc/pegeln",
        lang="sv",
    ),
    "a petition that is not available": met(
        "Change.org: this petition isn't available, 200",
        app(
            "Petition not available",
            "<h1>Sorry, this petition isn't available</h1><p>It was either removed by its starter or for violating our community guidelines.</p><a href='/petitions'>Browse petitions</a>",
        ),
        "/p/save-the-tide-gauge",
    ),
    "a project of a site of pledges that was hidden": met(
        "Kickstarter: is the subject of a dispute and is currently unavailable, 200",
        office(
            "Tide Clock (Hidden) — Kickstarter",
            "<div id='hidden_project'><h1>Sorry, this project is no longer available.</h1><p>Tide Clock is the subject of an intellectual property dispute and has been removed.</p></div>",
            name="Pledges",
        ),
        "/projects/keeper/tide-clock",
    ),
    "an extension of a browser's store that was taken off": met(
        "Chrome Web Store: This item is not available, 200",
        app(
            "Chrome Web Store",
            "<header><a href='/'>Store</a></header><main><h1>This item is not available</h1><p>Browse other extensions or go to the <a href='/'>store's front page</a>.</p></main>",
        ),
        "/detail/tide-clock/abcdefghijklmnopabcdefghijklmnop",
    ),
    "a topic of an old phpBB that does not exist": met(
        "phpBB 2: Topic_post_not_exist, 200",
        forum(
            "Slipway Forum :: Information",
            "<table class='forumline'><tr><th class='thHead'><b>Information</b></th></tr><tr><td><span class='gen'>The topic or post you requested does not exist</span></td></tr></table>",
        ),
        "/viewtopic.php?t=186442",
    ),
    "a thread of an old vBulletin in Spanish that is not valid": met(
        "vBulletin 3 in Spanish: invalidid, 200",
        forum(
            "Mensaje del foro",
            "<div class='panel'><div>El tema especificado no es válido. Si has seguido un enlace válido, por favor notifícalo al <a href='/sendmessage.php'>administrador</a>.</div></div>",
            lang="es",
            name="Foro del puerto",
        ),
        "/showthread.php?t=186442",
        lang="es",
    ),
    "a topic of an old Invision that is not found": met(
        "IP.Board 3: Sorry, we couldn't find that!, 200",
        forum(
            "An Error Occurred - Slipway",
            "<h1 class='ipsType_pagetitle'>An Error Occurred</h1><div class='message error'><h4>Sorry, an error occurred. If you are unsure on how to use a feature, or don't know why you got this error message, try looking through the help files for more information.</h4><p>[#10340] We could not find the topic you were attempting to view</p></div>",
        ),
        "/index.php?showtopic=186442",
    ),
    "a thread of ProBoards that was deleted": met(
        "ProBoards: The thread you are trying to view does not exist, 200",
        forum(
            "Error | Slipway",
            "<div class='container error'><div class='title-bar'><h2>Error</h2></div><div class='content'><p>The thread you are trying to view does not exist.</p></div></div>",
        ),
        "/thread/186442/float",
    ),
    "an interface of a market knows no such listing": Met(
        source='gateways: {"success":false,"error":"LISTING_NOT_FOUND"}, 200',
        reply=plain(
            '{"success":false,"error":{"code":"LISTING_NOT_FOUND","message":"Listing not found"}}',
            kind="application/json",
        ),
        path="/api/v2/listings/1864",
    ),
    "an article of a help centre that was unpublished": met(
        "Intercom and its kind: Uh oh. That page doesn't exist., 200",
        office(
            "Uh oh. That page doesn’t exist. | Gauge Help Center",
            "<div class='paper'><h1>Uh oh. That page doesn’t exist.</h1><p>Head to the <a href='/en/'>home page</a> that <em>does</em> exist.</p></div>",
            name="Gauge Help Center",
        ),
        "/en/articles/1864042-clean-the-well",
        everywhere=True,
    ),
    "a page of a site of a builder that shows what sells beside its loss": met(
        "shops and magazines: a not-found heading above what is new, 200",
        counter(
            "Not found",
            f"<h1>Not found</h1><p>We looked everywhere. This page has slipped its mooring.</p><section><h2>From the journal</h2><article><h3>A gauge in the fog</h3>{story('en', 2)}</article></section>",
        ),
        "/blogs/journal/rope-walks",
        everywhere=True,
    ),
    "an event of a town's calendar in German that was deleted": met(
        "calendars of towns: Die Veranstaltung wurde nicht gefunden, 200",
        office(
            "Veranstaltungskalender",
            "<h1>Veranstaltungskalender</h1><div class='alert'>Die gewünschte Veranstaltung wurde nicht gefunden oder ist bereits abgelaufen.</div>",
            lang="de",
            name="Hafenstadt",
        ),
        "/veranstaltungen/detail/1864",
        lang="de",
    ),
    "a recipe of an Estonian paper that was taken off": met(
        "papers of Estonia: Lehekülge ei leitud, 200",
        paper(
            "Lehekülge ei leitud",
            "<h1>Lehekülge ei leitud</h1><p>Otsitud artikkel on eemaldatud või teisaldatud.</p>",
            lang="et",
            name="Sadama Sõnumid",
        ),
        "/artikkel/1864042",
        lang="et",
    ),
    "a page of a Croatian office that is not found": met(
        "offices of Croatia: Stranica nije pronađena, 200",
        office(
            "Stranica nije pronađena",
            "<h1>Tražena stranica nije pronađena</h1><p>Stranica je premještena, izbrisana ili nikada nije postojala.</p>",
            lang="hr",
            name="Lučka uprava",
        ),
        "/obavijesti/1864",
        lang="hr",
        everywhere=True,
    ),
    "a story of a Serbian paper that was deleted": met(
        "papers of Serbia: Страница није пронађена, 200",
        paper(
            "Страница није пронађена",
            "<h1>Страница није пронађена</h1><p>Вест коју тражите је обрисана или премештена.</p>",
            lang="sr",
            name="Лучки гласник",
        ),
        "/vest/1864042",
        lang="sr",
    ),
    "a page of a Latvian museum that is not found": met(
        "museums of Latvia: Lapa nav atrasta, 200",
        office(
            "Lapa nav atrasta",
            "<h1>Lapa nav atrasta</h1><p>Diemžēl meklētā lapa neeksistē vai ir pārvietota.</p>",
            lang="lv",
            name="Ostas muzejs",
        ),
        "/izstades/1864",
        lang="lv",
        everywhere=True,
    ),
    "a page of a Lithuanian office that is not found": met(
        "offices of Lithuania: Puslapis nerastas, 200",
        office(
            "Puslapis nerastas",
            "<h1>Puslapis nerastas</h1><p>Atsiprašome, ieškomas puslapis neegzistuoja arba buvo pašalintas.</p>",
            lang="lt",
            name="Uosto direkcija",
        ),
        "/naujienos/1864",
        lang="lt",
        everywhere=True,
    ),
    "a page of a Bengali paper that is not found": met(
        "papers in Bengali: পাতাটি খুঁজে পাওয়া যায়নি, 200",
        paper(
            "৪০৪ - পাতাটি খুঁজে পাওয়া যায়নি",
            "<h1>দুঃখিত, পাতাটি খুঁজে পাওয়া যায়নি</h1><p>আপনি যে পাতাটি খুঁজছেন তা সরিয়ে ফেলা হয়েছে।</p>",
            lang="bn",
            name="বন্দর সংবাদ",
        ),
        "/news/1864042",
        lang="bn",
    ),
    "a page of an Indonesian university that is not found": met(
        "universities of Indonesia: Maaf, halaman yang Anda cari tidak tersedia, 200",
        office(
            "Halaman Tidak Ditemukan",
            "<h1>404</h1><p>Maaf, halaman yang Anda cari tidak tersedia atau telah dihapus.</p>",
            lang="id",
            name="Universitas Pelabuhan",
        ),
        "/berita/1864",
        lang="id",
        everywhere=True,
    ),
    "a page of a Slovene library that is not found": met(
        "libraries of Slovenia: Strani ni mogoče najti, 200",
        office(
            "Strani ni mogoče najti",
            "<h1>Strani ni mogoče najti</h1><p>Stran, ki jo iščete, ne obstaja več.</p>",
            lang="sl",
            name="Knjižnica",
        ),
        "/dogodki/1864",
        lang="sl",
        everywhere=True,
    ),
    "a page of a Slovak town that is not found": met(
        "towns of Slovakia: Požadovaná stránka neexistuje, 200",
        office(
            "Stránka neexistuje",
            "<h1>Požadovaná stránka neexistuje</h1><p>Stránka bola odstránená alebo presunutá.</p>",
            lang="sk",
            name="Mesto",
        ),
        "/oznamy/1864",
        lang="sk",
        everywhere=True,
    ),
    "a page of a Galician council that is not found": met(
        "councils of Galicia: Páxina non atopada, 200",
        office(
            "Páxina non atopada",
            "<h1>Páxina non atopada</h1><p>A páxina que busca non existe ou foi eliminada.</p>",
            lang="gl",
            name="Concello",
        ),
        "/novas/1864",
        lang="gl",
        everywhere=True,
    ),
    "a page of a Persian office that is not found": met(
        "offices of Iran: صفحه مورد نظر شما یافت نشد, 200",
        office(
            "صفحه یافت نشد",
            "<h1>صفحه مورد نظر شما یافت نشد</h1><p>ممکن است این صفحه حذف یا منتقل شده باشد.</p>",
            lang="fa",
            name="اداره بندر",
        ),
        "/fa/news/1864",
        lang="fa",
        everywhere=True,
    ),
    "a page of a Ukrainian office that is not found": met(
        "offices of Ukraine: На жаль, такої сторінки не існує, 200",
        office(
            "404 — Порт",
            "<h1>На жаль, такої сторінки не існує</h1><p>Можливо, її було видалено або переміщено.</p>",
            lang="uk",
            name="Порт",
        ),
        "/novyny/1864",
        lang="uk",
        everywhere=True,
    ),
    "a page of a Norwegian museum that is not found": met(
        "museums of Norway: Beklager, vi finner ikke siden, 200",
        office(
            "Siden finnes ikke",
            "<h1>Beklager, vi finner ikke siden du leter etter</h1><p>Den kan være flyttet eller slettet.</p>",
            lang="nb",
            name="Havnemuseet",
        ),
        "/utstillinger/1864",
        lang="nb",
        everywhere=True,
    ),
}

_PARTS = (_TEMPLATES, _ADVERTS, _GOODS, _THINGS)
CASES: list[Case] = [
    gone(name, each.source, each.site, *_FLAGS, path=each.path)
    for part in _PARTS
    for name, each in part.items()
]
