"""Pages that are gone and come with a 200."""

# ruff: noqa: E501, RUF001
from tests.zoo.wild.case import ELSE, Case, gone, html, plain
from tests.zoo.wild.year2026_eighth.frames import (
    LOST,
    Seen,
    bare,
    home,
    press,
    seen,
    shell,
    stall,
    tale,
    thread,
)

_FLAGS = ("error_page", "same_for_all")

# Sites that answer so whatever is asked for, but for their home page.
_TEMPLATES: dict[str, Seen] = {
    "a canon of texts without that text": seen(
        "suttacentral/suttacentral issue 1152: Page not found, 200",
        shell(
            "null",
            "<header><a href='/'>Canon</a></header><main><h1>Page not found</h1><p>Sorry, we could not find what you were looking for.</p></main>",
        ),
        "/abc123",
        everywhere=True,
    ),
    "a tool for teachers without that page": seen(
        "ucfopen/Materia issue 306: Soft 404s, 200",
        press(
            "404 | Materia",
            "<section class='page'><div id='notfound'><h1>404</h1><p>We may have lost the page you're looking for.</p></div></section>",
            name="Materia",
        ),
        "/widgets/1871",
        name="Materia",
        everywhere=True,
    ),
    "a shop on Shoptet in Czech": seen(
        "shops of Shoptet: Tato stránka neexistuje, 200",
        stall(
            "Stránka nenalezena - Sady v údolí",
            "<h1>Stránka nenalezena</h1><p>Omlouváme se, ale tato stránka neexistuje. Mohla být přesunuta nebo smazána.</p><p>Pokračujte na <a href='/'>hlavní stránku</a>.</p>",
            lang="cs",
        ),
        "/stromky/panenske-ceske/",
        lang="cs",
        everywhere=True,
    ),
    "a council in Hungarian": seen(
        "councils of Hungary: A keresett oldal nem található, 200",
        press(
            "Hiba",
            "<h1>A keresett oldal nem található</h1><p>Lehetséges, hogy az oldalt törölték vagy áthelyezték. Kérjük, ellenőrizze a címet.</p>",
            lang="hu",
        ),
        "/hirek/2017/almafak",
        lang="hu",
        everywhere=True,
    ),
    "a university in Romanian": seen(
        "universities of Romania: Ne pare rău, pagina căutată nu există, 200",
        press(
            "Pagina nu a fost găsită",
            "<h1>404</h1><p>Ne pare rău, pagina căutată nu există sau a fost mutată.</p><a href='/'>Înapoi la prima pagină</a>",
            lang="ro",
        ),
        "/cercetare/mere-vechi",
        lang="ro",
        everywhere=True,
    ),
    "a ministry in Greek": seen(
        "ministries of Greece: Η σελίδα που αναζητάτε δεν βρέθηκε, 200",
        press(
            "Η σελίδα δεν βρέθηκε",
            "<h1>Σφάλμα 404</h1><p>Η σελίδα που αναζητάτε δεν βρέθηκε. Ενδέχεται να έχει μετακινηθεί ή διαγραφεί.</p>",
            lang="el",
        ),
        "/el/anakoinoseis/1871",
        lang="el",
        everywhere=True,
    ),
    "a town in Italian": seen(
        "towns of Italy: La pagina richiesta non è disponibile o non esiste più, 200",
        press(
            "Pagina non trovata",
            "<h1>Pagina non trovata</h1><p>La pagina richiesta non è disponibile o non esiste più. Prova a partire dalla <a href='/'>home page</a>.</p>",
            lang="it",
        ),
        "/amministrazione/bandi/2016/meleto",
        lang="it",
        everywhere=True,
    ),
    "an agency in Portuguese": seen(
        "agencies of Brazil: Ops! Não encontramos o que você procura, 200",
        shell(
            "Pomares do Vale",
            "<header><a href='/'>Pomares do Vale</a></header><section><h1>Ops! Não encontramos a página que você procura.</h1><p>Ela pode ter sido removida ou o endereço está incorreto.</p><a href='/'>Ir para o início</a></section>",
            lang="pt",
        ),
        "/cursos/enxertia-2020",
        lang="pt",
        everywhere=True,
    ),
    "a bureau in Finnish": seen(
        "bureaus of Finland: Hakemaasi sivua ei löydy, 200",
        press(
            "Sivua ei löydy | Hedelmätarha",
            "<h1>Hakemaasi sivua ei löydy</h1><p>Sivu on poistettu tai sen osoite on muuttunut. Voit etsiä tietoa haulla.</p>",
            lang="fi",
        ),
        "/uutiset/omenat-2018",
        lang="fi",
        everywhere=True,
    ),
    "a shop in Indonesian that lost its way": seen(
        "Tokopedia: Waduh, tujuanmu nggak ada!, 200",
        shell(
            "Kebun Lembah",
            "<div data-testid='error'><h1>Waduh, tujuanmu nggak ada!</h1><p>Mungkin kamu salah jalan atau alamat. Ayo balik sebelum gelap!</p><button>Kembali</button></div>",
            lang="id",
        ),
        "/kebun/gunting-pangkas",
        lang="id",
        everywhere=True,
    ),
    "a blog in Japanese made with React": seen(
        "sites in Japanese: アクセスしたページは削除されたか、URLが変更されているため表示することができません。, 200",
        shell(
            "谷の果樹園",
            "<div class='inner'><p class='code'>404</p><p class='description'>アクセスしたページは削除されたか、URLが変更されているため表示することができません。</p><button>トップへ</button></div>",
            lang="ja",
        ),
        "/articles/1871",
        lang="ja",
        everywhere=True,
    ),
    "an institute in Arabic": seen(
        "institutes in Arabic: لم يتم العثور على الصفحة, 200",
        press(
            "لم يتم العثور على الصفحة",
            "<h1>لم يتم العثور على الصفحة</h1><p>ربما تم حذف الصفحة أو تغيير عنوانها.</p>",
            lang="ar",
        ),
        "/ar/news/1871",
        lang="ar",
        everywhere=True,
    ),
    "a club in Swedish": seen(
        "clubs of Sweden: Hoppsan! Sidan kunde inte hittas, 200",
        press(
            "Fruktodlarna",
            "<h1>Hoppsan! Sidan kunde inte hittas</h1><p>Länken du följde är trasig eller så har sidan tagits bort.</p>",
            lang="sv",
        ),
        "/kurser/ympning-2019",
        lang="sv",
        everywhere=True,
    ),
    "a museum in Vietnamese": seen(
        "sites in Vietnamese: Trang bạn tìm kiếm không tồn tại, 200",
        press(
            "Lỗi 404",
            "<h1>404</h1><h2>Trang bạn tìm kiếm không tồn tại</h2><p>Trang có thể đã bị xóa hoặc đổi địa chỉ. <a href='/'>Quay về trang chủ</a></p>",
            lang="vi",
        ),
        "/tin-tuc/vuon-tao.html",
        lang="vi",
        everywhere=True,
    ),
    "a company in Ukrainian": seen(
        "companies of Ukraine: Упс! Сторінку не знайдено, 200",
        shell(
            "Сади долини",
            "<h1>Упс! Сторінку не знайдено</h1><p>Схоже, ви перейшли за застарілим посиланням.</p><a href='/'>На головну</a>",
            lang="uk",
        ),
        "/blog/yabluni",
        lang="uk",
        everywhere=True,
    ),
    "a county's site on a portal of old": seen(
        "portals of counties: The page cannot be found. Please update your bookmarks., 200",
        press(
            "Orchard County",
            "<h2>Page Cannot Be Found</h2><p>The page you requested has been removed, renamed or is no longer part of our site. Please update your bookmarks.</p><h3>Popular services</h3><ul><li><a href='/permits'>Permits</a></li><li><a href='/roads'>Roads</a></li></ul>",
            name="Orchard County",
        ),
        "/depts/agri/blight.asp",
        name="Orchard County",
        everywhere=True,
    ),
    "a bank's help in Thai without that answer": seen(
        "help centres in Thai: ไม่พบบทความที่คุณค้นหา, 200",
        shell(
            "ศูนย์ช่วยเหลือ",
            "<header><a href='/'>ศูนย์ช่วยเหลือ</a></header><div class='empty'><h1>ไม่พบหน้าที่คุณค้นหา</h1><p>บทความนี้อาจถูกลบไปแล้ว ลองค้นหาใหม่อีกครั้ง</p></div>",
            lang="th",
        ),
        "/articles/1871",
        lang="th",
        everywhere=True,
    ),
    "a studio's work without that work": seen(
        "sites made with Framer: The page you're looking for can't be found, 200",
        shell(
            "Not Found",
            "<div data-framer-name='404'><h2>404</h2><p>The page you’re looking for can’t be found.</p><a href='/'>Back home</a></div>",
        ),
        "/work/cider-label",
        everywhere=True,
    ),
}

# Adverts, goods, films, files and records.
_THINGS: dict[str, Seen] = {
    "a job of SmartRecruiters that expired": seen(
        "SmartRecruiters: Sorry, this job has expired, 200",
        press(
            "Orchard Trust - Careers",
            "<div class='job-expired'><h1>Sorry, this job has expired</h1><p>See our other openings.</p><a href='/OrchardTrust'>View all jobs</a></div>",
        ),
        "/OrchardTrust/74300018711871-head-pruner",
    ),
    "a job of Ashby that was not found": seen(
        "Ashby: Job not found, The job you requested was not found., 200",
        shell(
            "Jobs",
            "<div class='ashby-job-posting-not-found'><h1>Job not found</h1><p>The job you requested was not found.</p><a href='/orchard'>View all open positions</a></div>",
        ),
        "/orchard/1871abcd-0000-4000-8000-187118711871",
    ),
    "a vacancy of a Russian board in the archive of its owner": seen(
        "boards of Russia: Вакансия закрыта и удалена работодателем, 200",
        press(
            "Вакансия не найдена",
            "<h1>Вакансия не найдена</h1><p>Возможно, работодатель удалил её или закрыл. Посмотрите другие вакансии.</p>",
            lang="ru",
        ),
        "/vacancy/18711871",
        lang="ru",
    ),
    "a house that its agent took down": seen(
        "Rightmove: This property has been removed by the agent., 200",
        press(
            "Property removed",
            "<div class='property-removed'><h1>This property has been removed by the agent.</h1><p>It has been sold or withdrawn from sale.</p><a href='/find'>Search for similar properties</a></div>",
            name="Rightmove",
        ),
        "/properties/187118711",
    ),
    "a flat in German that is no longer offered": seen(
        "portals of Germany: Dieses Angebot ist nicht mehr aktiv, 200",
        press(
            "Angebot nicht mehr verfügbar",
            "<h1>Dieses Angebot ist leider nicht mehr aktiv</h1><p>Das Exposé wurde vom Anbieter deaktiviert oder gelöscht.</p><a href='/suche'>Neue Suche starten</a>",
            lang="de",
        ),
        "/expose/187118711",
        lang="de",
    ),
    "an advert in Polish that was taken down": seen(
        "markers of delisted adverts: ogłoszenie zostało usunięte, 200",
        stall(
            "Ogłoszenie niedostępne",
            "<div data-testid='ad-inactive-msg'><h4>To ogłoszenie zostało usunięte</h4><p>Nie martw się, mamy podobne ogłoszenia.</p></div>",
            lang="pl",
        ),
        "/d/oferta/drabina-sadownicza-CID628-ID1871.html",
        lang="pl",
    ),
    "an advert in Russian that is out of print": seen(
        "scrapers of Cian: Объявление снято с публикации, поищите ещё что-нибудь, 200",
        stall(
            "Объявление снято с публикации",
            "<div data-name='OfferUnpublished'><h2>Объявление снято с публикации, поищите ещё что-нибудь</h2></div>",
            lang="ru",
        ),
        "/sale/suburban/187118711/",
        lang="ru",
    ),
    "an advert in French that found its collection": seen(
        "markets in French: Cette annonce n'existe plus ou a été supprimée., 200",
        shell(
            "Annonces",
            "<div style='text-align:center'><h2>Annonce introuvable</h2><p>Cette annonce n'existe plus ou a été supprimée.</p><button>← Retour aux annonces</button></div>",
            lang="fr",
        ),
        "/annonces/1871",
        lang="fr",
    ),
    "a used book that somebody bought": seen(
        "AbeBooks: this book is no longer available, 200",
        stall(
            "Book no longer available",
            "<h1>This book is no longer available.</h1><p>The copy that you are looking for has been sold or removed by the seller. Try a <a href='/search'>new search</a>.</p>",
            name="Books",
        ),
        "/servlet/BookDetailsPL?bi=18711871187",
    ),
    "a thing of Mercari that was deleted": seen(
        "メルカリ: 該当する商品は削除されています。, 200",
        shell(
            "商品が見つかりません",
            "<div class='merEmptyState'><p>該当する商品は削除されています。</p><a href='/'>トップへ</a></div>",
            lang="ja",
        ),
        "/item/m18711871871",
        lang="ja",
    ),
    "a transfer that has expired": seen(
        "WeTransfer: Transfer expired, 200",
        shell(
            "WeTransfer - Send Large Files & Share Photos Online",
            "<div class='transfer__window'><h2>Transfer expired</h2><p>Sorry, this transfer has expired and is not available any more.</p><a href='/'>Send a file?</a></div>",
        ),
        "/downloads/1871abcd1871abcd/1871",
    ),
    "a file of 1fichier that was removed": seen(
        "hosters' checkers: The requested file could not be found, 200",
        bare(
            "1fichier.com: Cloud Storage",
            "<div class='bloc2'>The requested file could not be found<br/>The file may has been deleted by its owner.</div>",
        ),
        "/?1871abcdorch",
    ),
    "an item of a workshop of games": seen(
        "Steam Community: There was a problem accessing the item., 200",
        press(
            "Steam Community :: Error",
            "<div id='message'><h2>Error</h2><p>Sorry!</p><h3>An error was encountered while processing your request:</h3><h3>There was a problem accessing the item. Please try again.</h3><p>That item does not exist. It may have been removed by the author.</p></div>",
            name="Steam Community",
        ),
        "/sharedfiles/filedetails/?id=187118711",
    ),
    "a video of Bilibili that went away": seen(
        "checkers of links to Bilibili: 视频去哪了呢, 视频不见了, 200",
        shell(
            "视频去哪了呢？_哔哩哔哩_bilibili",
            "<div class='error-container'><div class='error-text'>啊叻？视频不见了？</div><a href='/'>返回首页</a></div>",
            lang="zh",
        ),
        "/video/BV1871411z7Ab/",
        lang="zh",
    ),
    "a post of Weibo that its author deleted": seen(
        "微博: 抱歉，此微博已被作者删除, 200",
        bare(
            "微博-出错了",
            "<p class='h5-4con'>抱歉，此微博已被作者删除。查看帮助：<a href='/help'>帮助中心</a></p>",
            lang="zh",
        ),
        "/detail/18711871",
        lang="zh",
    ),
    "a post of Naver's that does not exist, by an alert": seen(
        "네이버 블로그: 삭제되었거나 존재하지 않는 게시물입니다., 200",
        '<!DOCTYPE html><html lang="ko"><head><meta charset="utf-8"><title>네이버 블로그</title></head><body><script>alert("삭제되었거나 존재하지 않는 게시물입니다.");history.back();</script><p>삭제되었거나 존재하지 않는 게시물입니다.</p></body></html>',
        "/PostView.naver?blogId=orchard&logNo=1871",
        lang="ko",
    ),
    "a list of films that does not exist": seen(
        "YouTube: The playlist does not exist., 200",
        '<!DOCTYPE html><html lang="en"><head><title>YouTube</title></head><body><script nonce="a">var ytInitialData = {"alerts":[{"alertRenderer":{"type":"ERROR","text":{"runs":[{"text":"The playlist does not exist."}]}}}]};</script><div id="alerts">The playlist does not exist.</div></body></html>',
        "/playlist?list=PL1871abcdOrchard",
    ),
    "a topic of FluxBB in French": seen(
        "fluxbb in French: Bad request, Le lien que vous avez suivi est incorrect ou périmé., 200",
        thread(
            "Info / Vergers réunis",
            "<div id='msg' class='block'><h2><span>Info</span></h2><div class='box'><div class='inbox'><p>Erreur. Le lien que vous avez suivi est incorrect ou périmé.</p><p><a href='javascript: history.go(-1)'>Retour</a></p></div></div></div>",
            lang="fr",
        ),
        "/viewtopic.php?id=1871",
        lang="fr",
    ),
    "a thread of MyBB that does not exist": seen(
        "mybb: showthread.lang.php, error_invalidthread, 200",
        thread(
            "Orchard talk - Error",
            "<table class='tborder'><tr><td class='thead'><strong>Orchard talk</strong></td></tr><tr><td class='trow1'>The specified thread does not exist.</td></tr></table>",
        ),
        "/thread-1871.html",
    ),
    "a bug of Bugzilla that does not exist": seen(
        "bugzilla: user-error.html.tmpl, bug_id_does_not_exist, 200",
        press(
            "Invalid Bug ID",
            "<table id='error_msg'><tr><td id='error_msg' class='throw_error'>Bug #187187 does not exist.</td></tr></table><p>Please press <b>Back</b> and try again.</p>",
            name="Bugzilla",
        ),
        "/show_bug.cgi?id=187187",
    ),
    "an issue of Mantis that was deleted": seen(
        "mantisbt: strings_english.txt, ERROR_BUG_NOT_FOUND, 200",
        press(
            "MantisBT",
            "<div class='alert alert-danger'><p class='bold'>APPLICATION ERROR #1100</p><p>Issue 1871 not found.</p><p>Please use the \"Back\" button in your web browser to return to the previous page.</p></div>",
            name="MantisBT",
        ),
        "/view.php?id=1871",
    ),
    "a law that a union's portal does not hold": seen(
        "EUR-Lex: The requested document does not exist., 200",
        press(
            "EUR-Lex",
            "<div class='alert alert-warning'><p>The requested document does not exist.</p></div>",
            name="EUR-Lex",
        ),
        "/legal-content/EN/TXT/?uri=CELEX:31871R0042",
    ),
    "a petition in German that was closed and taken down": seen(
        "portals of petitions: Diese Petition wurde gelöscht, 200",
        press(
            "Petition nicht verfügbar",
            "<h1>Diese Petition wurde gelöscht</h1><p>Die Petition ist auf unserer Seite nicht mehr einsehbar.</p>",
            lang="de",
        ),
        "/petition/online/streuobst-1871",
        lang="de",
    ),
    "a course in Hebrew that was removed": seen(
        "colleges of Israel: הקורס אינו זמין עוד, 200",
        press(
            "הקורס לא נמצא",
            "<h1>הקורס אינו זמין עוד</h1><p>הקורס שחיפשת הוסר מהקטלוג.</p>",
            lang="he",
        ),
        "/courses/1871",
        lang="he",
    ),
    "a podcast in Danish that was removed": seen(
        "broadcasters of Denmark: Programmet er ikke længere tilgængeligt, 200",
        shell(
            "Programmet findes ikke længere",
            "<div><h1>Programmet er ikke længere tilgængeligt</h1><p>Rettighederne er udløbet, og udsendelsen er fjernet.</p></div>",
            lang="da",
        ),
        "/lyd/p1/aebletimen/1871",
        lang="da",
    ),
    "a recipe in Dutch that was removed": seen(
        "sites of recipes in Dutch: Dit recept bestaat niet meer, 200",
        press(
            "Recept niet gevonden",
            "<h1>Dit recept bestaat niet meer</h1><p>Misschien vind je een ander recept lekker.</p>",
            lang="nl",
        ),
        "/recepten/appelstroop-1871",
        lang="nl",
    ),
    "a product in Turkish that was taken off": seen(
        "markets of Turkey: Aradığınız ürün satıştan kaldırılmıştır, 200",
        stall(
            "Ürün bulunamadı",
            "<h1>Aradığınız ürün satıştan kaldırılmıştır</h1><p>Benzer ürünlere göz atabilirsiniz.</p>",
            lang="tr",
        ),
        "/budama-makasi-p-1871",
        lang="tr",
    ),
    "an object in Spanish that is no more in the catalogue": seen(
        "catalogues of Spain: El registro solicitado no existe o ha sido eliminado, 200",
        press(
            "Catálogo",
            "<h1>Registro no encontrado</h1><p>El registro solicitado no existe o ha sido eliminado del catálogo.</p>",
            lang="es",
        ),
        "/catalogo/registro/1871",
        lang="es",
    ),
    "an interface in Chinese that answers 200 for all": Seen(
        source="Spring Boot in China: {code:404,msg:资源不存在}, 200",
        reply=plain(
            '{"code":404,"msg":"资源不存在或已被删除","data":null}', kind="application/json"
        ),
        path="/api/article/1871",
        lang="zh",
    ),
}

# Every address shows the same page, the home page or a shell of nothing.
_SAME: list[Case] = [
    gone(
        "a record of pardons that is the home page for any slug",
        "vidluther/pardonned issue 63: any nonexistent URL is a 200 with the home page",
        {ELSE: home()},
        *_FLAGS,
        "home_page",
        path="/person/jan-apfel-1871",
    ),
    gone(
        "a town's old address shows its front page",
        "sites of towns: a rewrite of all that is unknown to the front page, 200",
        {ELSE: home("de")},
        *_FLAGS,
        "home_page",
        path="/rathaus/formulare/baumschutz.html",
    ),
    gone(
        "a page that was an article and is a list of what is new now",
        "magazines: an unknown slug shows the list of what is new, 200",
        {
            "/": home(),
            ELSE: html(
                press(
                    "Latest - Orchard Trust",
                    f"<h1>Latest</h1><h2>Moss by post</h2><h2>A knife for March</h2>{tale()}",
                )
            ),
        },
        *_FLAGS,
        "home_page",
        "changed_owner",
        path="/features/the-last-codlin",
        earlier={
            "/": home(),
            "/features/the-last-codlin": html(
                press("The last codlin", f"<h1>The last codlin</h1>{tale('en', 2)}")
            ),
            ELSE: LOST,
        },
    ),
]

CASES: list[Case] = [
    *(
        gone(name, each.source, each.site, *_FLAGS, path=each.path)
        for part in (_TEMPLATES, _THINGS)
        for name, each in part.items()
    ),
    *_SAME,
]
