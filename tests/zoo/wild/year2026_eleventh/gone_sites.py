"""Missing pages of sites that answer every unknown address, or a whole section, with a 200."""

# ruff: noqa: E501, RUF001
from tests.zoo.wild.case import Case, gone, html
from tests.zoo.wild.year2026_eleventh.frames import (
    Seen,
    app,
    bare,
    blog,
    docs,
    forum,
    office,
    on,
    prose,
    shop,
)

_FLAGS = ("error_page", "same_for_all")

_LANDING_RU = app(
    "Клуб смотрителей",
    "<h1>Клуб смотрителей</h1><p>Наставники, встречи, чтения.</p><a href='/mentors'>Наставники</a>",
    lang="ru",
    more='<link rel="canonical" href="http://$HOST/">\n',
)
_LANDING_EN = app(
    "Commons: a place for keepers and their helpers",
    "<h1>A place for keepers and their helpers</h1><p>Rooms, guides and an open feed.</p><a href='/login'>Sign in</a>",
)

_SITES: dict[str, Seen] = {
    "documentation on Mintlify has no such page": on(
        "mintlify/docs issue 3759: non-existent URLs show 404 visually, the status is 200",
        "/guides/wick-trimming",
        app(
            "Page Not Found - Lamp Docs",
            "<nav><a href='/introduction'>Introduction</a><a href='/api-reference'>API Reference</a></nav><main><span>404</span><h1>Page Not Found</h1><p>We couldn't find the page. Maybe you were looking for one of these pages below?</p><a href='/quickstart'>Quickstart</a></main>",
        ),
        scope="all",
    ),
    "a help portal of an integrator catches a lost link as a page": on(
        "SolaceDev/solace-dev-codelabs issue 194: the help docs catch the broken link and return a valid page",
        "/docs/Atomsphere/Lamps/c-atm-Lamp_1862.html",
        docs(
            "Page not found",
            "<h1>We can't find the page you're looking for</h1><p>The topic you requested may have moved, or it was renamed. Use the search above.</p>",
            name="Lamp Help",
        ),
        scope="/docs/",
    ),
    "an application of Next.js streams its missing record": on(
        "lawrenceli0228/animego issue 85: notFound() returns HTTP 200 on routes that have a loading.tsx",
        "/anime/999999999",
        app(
            "404: This page could not be found.",
            "<template data-dgst='NEXT_HTTP_ERROR_FALLBACK;404'></template><h1>404</h1><h2>This page could not be found.</h2>",
            more='<meta name="robots" content="noindex">\n<meta name="next-error" content="not-found">\n',
            data='<script>self.__next_f.push([1,"NEXT_HTTP_ERROR_FALLBACK;404"])</script>',
        ),
        scope="/anime/",
    ),
    "a landing page in Russian is what nginx serves for anything": on(
        "ithozyaeva/itx pull request 255: любой несуществующий URL отдавался как копия главной со статусом 200",
        "/nashuar",
        _LANDING_RU,
        scope="all",
        lang="ru",
        near={"/": html(_LANDING_RU)},
    ),
    "a front end's fallback sends the front page of a community for any address": on(
        "Team-Commonly/commonly pull request 1198: unknown paths were served the homepage as HTTP 200 by the Nginx fallback",
        "/guides/agents-for-keepers",
        _LANDING_EN,
        scope="all",
        near={
            "/": html(_LANDING_EN),
            "/guides/start": html(app("Start here | Commons", f"<h1>Start here</h1>{prose()}")),
        },
    ),
    "a government's digital talent site renders 404 in its scripts": on(
        "GCTC-NTGC/gc-digital-talent issue 5186: a 200 status code; when the page renders, the 404 page is shown",
        "/en/search/lamp-lighters",
        app(
            "Sorry, we can't find the page you were looking for. | Talent",
            "<h1>404</h1><h2>Sorry, we can't find the page you were looking for.</h2><p>It looks like you've landed on a page that either doesn't exist or has moved.</p>",
        ),
        scope="/en/",
    ),
    "a Danish site of budgets answers everything": on(
        "internetarchive/heritrix3 issue 729: an example of soft404, a bogus address gets a 200",
        "/raad/pension-for-fyrpassere",
        blog(
            "Siden blev ikke fundet",
            "<h1>Ups! Siden blev ikke fundet</h1><p>Vi kan desværre ikke finde den side, du leder efter.</p><a href='/'>Til forsiden</a>",
            lang="da",
        ),
        scope="all",
        lang="da",
    ),
    "a bank in Korean shows an apology under a forgotten title": on(
        "LEESOIM/Java_study_BANK: error_404.jsp, Insert title here, 죄송합니다. 요청하신 페이지를 찾을 수 없습니다",
        "/customer/notice/1862.do",
        office(
            "Insert title here",
            "<h1>죄송합니다. 요청하신 페이지를 찾을 수 없습니다.</h1>",
            lang="ko",
        ),
        scope="all",
        lang="ko",
    ),
    "a server of interfaces in Korean says that an address is not there": on(
        "DevYeop/apiServer: custom404.jsp, 해당 URL은 존재하지 않습니다",
        "/board/view/1862",
        bare(
            "페이지를 찾을 수 없습니다",
            "<div class='container'><h1>해당 URL은 존재하지 않습니다.</h1></div>",
            lang="ko",
        ),
        scope="all",
        lang="ko",
    ),
    "a portal in Chinese says that the content seems to be deleted": on(
        "gxstrap/xstrap: templates/404.ftl, 该内容不存在或已被删除",
        "/article/1862.html",
        office(
            "404",
            "<div class='panel-heading'><span>404</span>该内容不存在或已被删除！</div><div class='well'><p>该内容似乎已经被删除。</p><p>请确认您的来源链接是否正确？</p><a href='/?ref=404'>返回首页</a></div>",
            lang="zh",
        ),
        scope="/article/",
        lang="zh",
    ),
    "a blog engine in Chinese names two reasons": on(
        "zhangyd-c/OneBlog: error/404.ftl, 抱歉，您尝试查看的页面不存在",
        "/article/142",
        blog(
            "Page Not Found :(",
            "<div class='h1'><strong>Not found</strong> :(</div><p>抱歉，您尝试查看的页面不存在。</p><p>出现这种情况可能有以下两种原因:</p><ul><li>当前请求的地址错误</li><li>当前请求的地址已废弃</li></ul>",
            lang="zh",
        ),
        scope="all",
        lang="zh",
    ),
    "a housing office in Russian says that there is no such page": on(
        "GHOSTin/hl: show_404_error.tpl, Страницы не существует",
        "/query/1862/",
        office(
            "Жилищный отдел",
            "<h3>Страницы не существует!</h3><p>К сожалению такой страницы не существует. Возможно, она была удалена.<br>Попробуйте <a href='/'>вернуться на главную</a></p>",
            lang="ru",
        ),
        scope="all",
        lang="ru",
    ),
    "an old engine in Russian repeats the address that was asked for": on(
        "DataLife Engine themes: Вы пытались открыть страницу {url}, но получили эту ошибку",
        "/index.php?do=static&page=keepers",
        bare(
            "404",
            "<h2>Ошибка 404 | 404 Error</h2><p>Вы пытались открыть страницу <b>$PATH</b>, но получили эту ошибку. Возможные причины:</p><ol><li>Страница еще не создана.</li><li>Страница существовала когда-то, но была удалена.</li><li>Страницы не было и не будет вовсе.</li></ol>",
            lang="ru",
        ),
        scope="all",
        lang="ru",
    ),
    "a photo wiki in German says that a page may have been removed": on(
        "Gummibeer/photo-wiki: 404.blade.php, Die Seite, die Sie suchen ist möglicherweise entfernt worden",
        "/bilder/nordfelsen-1911",
        office(
            "404",
            "<h1>404</h1><p>Die Seite, die Sie suchen, ist möglicherweise entfernt worden.</p>",
            lang="de",
        ),
        scope="all",
        lang="de",
    ),
    "a theme in German with a screen of empty lines": on(
        "ogustavoluigi/theme-content-type: 404.blade.php, Die angeforderte Seite existiert nicht oder nicht mehr",
        "/angebote/turmfuehrung",
        office(
            "404 Fehler | Seite nicht gefunden",
            f"<h1>404 Fehler</h1><p>Die angeforderte Seite existiert nicht oder nicht mehr.</p><a class='btn' href='/'>Zurück zur Startseite</a>{'<br>' * 20}",
            lang="de",
        ),
        scope="all",
        lang="de",
    ),
    "a climbing club in French says not, or not any more": on(
        "nboueme/climbing-community: error404.jsp, La page que vous cherchez n'existe pas (ou plus)",
        "/topo/1862/voies",
        office(
            "Club - Erreur 404",
            "<h1>Erreur 404 !</h1><p>La page que vous cherchez n'existe pas (ou plus).</p>",
            lang="fr",
        ),
        scope="/topo/",
        lang="fr",
    ),
    "a river's agency in French renders its lost page with a menu of news": on(
        "sites d'agences publiques: Désolé, cette page est introuvable, 200",
        "/publications/rapport-feux-2014",
        office(
            "Page introuvable - Agence des phares",
            f"<nav>Vous êtes ici : Accueil &gt; Erreur</nav><h1>Désolé, cette page est introuvable</h1><p>Le lien que vous avez suivi est peut-être rompu, ou la page a été supprimée.</p><h2>À la une</h2><ul><li><a href='/actus/1'>Journée portes ouvertes</a></li><li><a href='/actus/2'>Un nouveau feu</a></li></ul>{prose('fr')}",
            lang="fr",
        ),
        scope="all",
        lang="fr",
    ),
    "a portfolio in Spanish has no such work": on(
        "oriolmacias.dev: 404 in three languages, in an application of Astro's served with 200",
        "/es/proyectos/linterna",
        app(
            "Página no encontrada | Portafolio",
            "<main><h1>404</h1><p>La página que buscas no existe en este portafolio.</p><a href='/es'>Volver al inicio</a></main>",
            lang="es",
        ),
        scope="all",
        lang="es",
    ),
    "a university in Spanish answers from its portal": on(
        "portales universitarios sobre Liferay: El recurso solicitado no se ha encontrado, 200",
        "/web/facultad/horarios-2017",
        office(
            "Estado - Universidad",
            "<div class='alert alert-danger'>No encontrado</div><p>El recurso solicitado no se ha encontrado.</p><code>http://$HOST$PATH</code>",
            lang="es",
        ),
        scope="/web/",
        lang="es",
    ),
    "a museum in Italian misses a room": on(
        "template di musei: Ops! Pagina non trovata, 200",
        "/sale/lanterna-1862",
        office(
            "Ops! | Museo dei fari",
            "<h1>Ops! Pagina non trovata</h1><p>La pagina che stai cercando potrebbe essere stata rimossa o aver cambiato nome.</p>",
            lang="it",
        ),
        scope="all",
        lang="it",
    ),
    "a secretary's office in Portuguese of Brazil misses a notice": on(
        "portais estaduais: Conteúdo não encontrado, 200",
        "/noticias/farol-restaurado-2015",
        office(
            "Conteúdo não encontrado — Secretaria",
            "<h1>Conteúdo não encontrado</h1><p>O conteúdo que você procura não existe, foi removido ou está temporariamente indisponível.</p>",
            lang="pt",
        ),
        scope="/noticias/",
        lang="pt",
    ),
    "a guild in Dutch misses a page": on(
        "CMS van verenigingen: Helaas, deze pagina bestaat niet (meer), 200",
        "/activiteiten/torendag-2018",
        office(
            "Pagina niet gevonden",
            "<h1>Helaas, deze pagina bestaat niet (meer)</h1><p>Gebruik het menu of de zoekfunctie om verder te gaan.</p>",
            lang="nl",
        ),
        scope="all",
        lang="nl",
    ),
    "a teacher's site in Polish misses a page with a joke on typing": on(
        "wizarddos/Geografia-strona-vercel: 404.php, Upss - Coś poszło nie tak",
        "/lekcje/latarnie.php",
        office(
            "404 - Nie znaleziono",
            "<h1>Upss - Coś poszło nie tak</h1><p>Strona, której szukasz, nie istnieje - prawdopodobnie to jakaś literówka</p><p>Sprawdź adres URL lub wróć na stronę główną</p>(404 - not found)",
            lang="pl",
        ),
        scope="all",
        lang="pl",
    ),
    "a game's site in Hungarian greets who found its lost page": on(
        "sleepy22/tibiahu: error404Success.php, Némá, megtaláltad a 404-es oldalunkat",
        "/karakter/toronyor",
        office(
            "404",
            '<h3>404 - avagy a hírhedt "file nincs meg"</h3><p>Némá, megtaláltad a 404-es oldalunkat :)</p><p>Ennek elég sok oka lehet, például nem létező - vagy törölt - karakter adatlapját próbáltad elérni.</p>',
            lang="hu",
        ),
        scope="/karakter/",
        lang="hu",
    ),
    "a spa in Czech misses a page": on(
        "šablony českých webů: Omlouváme se, ale hledaná stránka neexistuje, 200",
        "/pobyty/majak-vikend",
        office(
            "Stránka neexistuje",
            "<h1>Jejda!</h1><p>Omlouváme se, ale hledaná stránka neexistuje. Možná byla přesunuta nebo smazána.</p>",
            lang="cs",
        ),
        scope="all",
        lang="cs",
    ),
    "a county in Swedish misses a page": on(
        "kommuner: Sidan du letar efter finns inte längre eller har flyttats, 200",
        "/turism/fyrvandring",
        office(
            "Sidan kan inte hittas",
            "<h1>Sidan kan inte hittas</h1><p>Sidan du letar efter finns inte längre eller har flyttats.</p>",
            lang="sv",
        ),
        scope="all",
        lang="sv",
    ),
    "a harbor in Finnish misses a page": on(
        "suomalaiset sivustot: Hakemaasi sivua ei löytynyt, 200",
        "/satama/majakkaristeily",
        office(
            "Sivua ei löytynyt",
            "<h1>Hakemaasi sivua ei löytynyt</h1><p>Sivu on voitu poistaa tai siirtää.</p>",
            lang="fi",
        ),
        scope="all",
        lang="fi",
    ),
    "a school in Turkish misses a page": on(
        "okul siteleri: Aradığınız sayfa bulunamadı, 200",
        "/haberler/fener-gezisi",
        office(
            "Sayfa Bulunamadı",
            "<h1>404</h1><p>Aradığınız sayfa kaldırılmış, adı değiştirilmiş veya geçici olarak kullanılamıyor olabilir.</p>",
            lang="tr",
        ),
        scope="/haberler/",
        lang="tr",
    ),
    "a daily in Arabic misses a story": on(
        "مواقع الأخبار: عذراً، الصفحة التي تبحث عنها غير موجودة, 200",
        "/news/186242",
        blog(
            "الصفحة غير موجودة",
            "<h1>عذراً، الصفحة التي تبحث عنها غير موجودة</h1><p>ربما تم حذفها أو تغيير عنوانها.</p>",
            lang="ar",
        ),
        scope="/news/",
        lang="ar",
    ),
    "a shop in Vietnamese misses a page": on(
        "mẫu Haravan, Sapo: Không tìm thấy trang, 200",
        "/products/den-bao-dong",
        shop(
            "Không tìm thấy trang",
            "<h1>Không tìm thấy trang</h1><p>Trang bạn đang tìm kiếm không tồn tại hoặc đã bị xóa.</p>",
            lang="vi",
        ),
        scope="/products/",
        lang="vi",
    ),
    "a ministry in Indonesian misses a page": on(
        "situs kementerian: Halaman yang Anda cari tidak ditemukan, 200",
        "/berita/mercusuar-1862",
        office(
            "Halaman tidak ditemukan",
            "<h1>Oops! Halaman yang Anda cari tidak ditemukan</h1><p>Mungkin halaman telah dipindahkan atau dihapus.</p>",
            lang="id",
        ),
        scope="all",
        lang="id",
    ),
    "a town in Japanese sends its apology with the menu of the town": on(
        "自治体サイト: ページが見つかりません, 組織改編により, 200",
        "/kanko/toudai/1862.html",
        office(
            "ページが見つかりません｜灯台町",
            "<h1>ページが見つかりません</h1><p>お探しのページは、移動または削除された可能性があります。</p><p>お手数ですが、トップページまたはサイト内検索をご利用ください。</p><ul><li>くらし</li><li>観光</li><li>町政</li></ul>",
            lang="ja",
        ),
        scope="all",
        lang="ja",
    ),
    "a university of Taiwan misses a page": on(
        "大學網站 RPage: 您所要瀏覽的頁面不存在, 200",
        "/p/406-1000-1862.php",
        office(
            "頁面不存在",
            "<div class='alert'>您所要瀏覽的頁面不存在或已被移除。</div>",
            lang="tw",
        ),
        scope="/p/",
        lang="tw",
    ),
    "a wiki of notes on GitBook has no such page": on(
        "GitBook: Page not found, The page you are looking for doesn't exist, 200 by a proxy in front",
        "/handbook/oil/prices",
        app(
            "Page not found | Handbook",
            "<main><h1>Page not found</h1><p>The page you are looking for doesn't exist.</p></main>",
        ),
        scope="all",
    ),
    "a page builder's site shows the lost page that its owner wrote": on(
        "Wix, Squarespace behind a proxy: custom 404 pages with 200",
        "/our-story-2016",
        blog(
            "Well, this is awkward",
            "<h1>Well, this is awkward</h1><p>We looked high and low, but that page is gone. The tide must have taken it.</p><a href='/'>Back to shore</a>",
        ),
        scope="all",
    ),
    "a classic ASP site keeps the title of every page on its lost one": on(
        "IIS custom errors executed as an address: 200 with the site's own title",
        "/visit/opening.asp",
        office(
            "Museum of Lights",
            "<h2>Error</h2><p>The page you requested could not be found on this web site.</p><p>Requested: $PATH</p>",
        ),
        scope="all",
    ),
    "a forum's search page stands in for topics that were pruned": on(
        "MyBB: The specified thread does not exist, 200",
        "/showthread.php?tid=1862",
        forum(
            "Lamp Forum",
            "<table class='tborder'><tr><td class='thead'><strong>Lamp Forum</strong></td></tr><tr><td class='trow1'>The specified thread does not exist.</td></tr></table>",
        ),
        scope="/showthread.php",
    ),
    "a bug tracker of old says that a bug's number is invalid": on(
        "Bugzilla: Invalid Bug ID / Bug #186242 does not exist, 200",
        "/show_bug.cgi?id=186242",
        office(
            "Invalid Bug ID",
            "<table><tr><td id='error_msg' class='throw_error'>Bug #186242 does not exist.</td></tr></table><p>Please press Back and try again.</p>",
        ),
        scope="/show_bug.cgi",
    ),
    "a mailing list's archive of Mailman has no such list": on(
        "Mailman 2: No such list, 200",
        "/mailman/listinfo/keepers",
        "<html><head><title>lists.lamps.example Mailing Lists - Error</title></head><body bgcolor='#ffffff'><h2>Error</h2><strong>No such list <em>keepers</em></strong><hr><address>Delivered by Mailman</address></body></html>",
        scope="/mailman/listinfo/",
    ),
}

CASES: list[Case] = [
    gone(name, each.source, each.site, *_FLAGS, path=each.path) for name, each in _SITES.items()
]
