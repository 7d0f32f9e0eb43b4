"""Deleted, sold, filled, expired and withdrawn items that their sites answer with a page."""

# ruff: noqa: E501, RUF001
from tests.zoo.wild.case import ELSE, Answer, Case, Reply, gone, html, plain
from tests.zoo.wild.year2026_eleventh.frames import (
    LOST,
    ROBOTS,
    Seen,
    app,
    bare,
    blog,
    forum,
    home,
    office,
    on,
    prose,
    shop,
)

_FLAGS = ("error_page", "same_for_all")


def _alive(title: str, lang: str = "en") -> Answer:
    return html(blog(title, f"<article><h1>{title}</h1>{prose(lang, 2)}</article>", lang=lang))


# At work: papers, code, documentation, videos, files.
_WORK: dict[str, Seen] = {
    "a preprint that its author had removed from a repository of social science": on(
        "SSRN: This paper has been removed from SSRN at the request of the author, 200",
        "/sol3/papers.cfm?abstract_id=186242",
        office(
            "Paper not available :: SSRN",
            "<div class='box-abstract-main'><h1>Paper not available</h1><p>This paper has been removed from the library at the request of the author, the publisher or the rights holder.</p></div>",
            name="SSRN",
        ),
        near={"/sol3/papers.cfm?abstract_id=186241": _alive("On the Wages of Keepers")},
    ),
    "a summary that a library of papers lost in its new application": on(
        "CiteSeerX: old viewdoc/summary addresses open the new application, which has no such document, 200",
        "/viewdoc/summary?doi=10.1.1.18.62",
        app(
            "CiteSeerX",
            "<main><h2>Document Not Found</h2><p>We could not find a document with this identifier.</p></main>",
        ),
        scope="/viewdoc/",
    ),
    "a group of a foundry for free software that does not exist": on(
        "Savannah: Invalid Group, That group does not exist, 200",
        "/projects/lampclock/",
        office(
            "Invalid Group",
            "<h2>Exiting with Error</h2><h3>Invalid Group</h3><p class='error'>That group does not exist.</p>",
            name="Savannah",
        ),
        scope="/projects/",
        near={"/projects/lantern/": _alive("Lantern - Summary")},
    ),
    "a project of an archive of code that was not kept": on(
        "Google Code Archive: The project was not found, a 200 with the archive's frame",
        "/archive/p/lampclock/wikis/Winding.wiki",
        app(
            "Google Code Archive - Long-term storage for Google Code Project Hosting.",
            "<h1>404</h1><p>The project was not found. It may have been deleted before the archive was made, or never existed.</p>",
        ),
        scope="/archive/p/",
    ),
    "an image of containers that its hub does not find": on(
        "Docker Hub: 404 Route Not Found in its application, 200",
        "/r/keepers/lampclock",
        app(
            "Docker Hub Container Image Library",
            "<main><h1>404</h1><h2>Oops! Page Not Found</h2><p>Sorry, we can't find the page you are looking for.</p></main>",
        ),
        scope="/r/",
        near={"/r/keepers/lantern": _alive("keepers/lantern - Docker Image")},
    ),
    "a topic of IBM's documentation that is not there": on(
        "IBM Documentation: Sorry, this page isn't available, 200 by an application",
        "/docs/en/lamps/7.1.0?topic=wick-trimming",
        app(
            "IBM Documentation",
            "<main><h1>Sorry, the page you requested cannot be found.</h1><p>The page you are trying to reach may have moved, or the version is out of support.</p></main>",
        ),
        scope="/docs/",
    ),
    "a video whose page holds its removal only in a script": on(
        "YouTube: Video unavailable, This video has been removed by the uploader, 200",
        "/watch?v=nR0ck1862xA",
        app(
            "- YouTube",
            more='<meta name="title" content=""><meta property="og:site_name" content="YouTube">\n',
            data='<script>var ytInitialPlayerResponse = {"playabilityStatus":{"status":"ERROR","reason":"Video unavailable","errorScreen":{"playerErrorMessageRenderer":{"subreason":{"simpleText":"This video has been removed by the uploader"}}}}};</script>',
        ),
        scope="/watch?v=",
        near={"/watch?v=nR0ck1862xB": _alive("The lens at night - YouTube")},
    ),
    "a video of a site that suggests another one at random": on(
        "yt-dlp pull request 13504: a 200 page with a not-found description and a suggestion to watch something else",
        "/B1862A7",
        blog(
            "The page you're looking for cannot be found",
            "<div class='error-page'><h1>404</h1><p>The page you're looking for cannot be found.</p><p>You may have followed an outdated link. Watch this instead:</p><a href='/A11B22C'><img src='/thumb/7.jpg' alt='Storm over the pier'> Storm over the pier</a></div>",
        ),
        scope="/B",
    ),
    "a video in Japanese that its poster deleted": on(
        "ニコニコ動画: お探しの動画は再生できません, この動画は削除されました, 404でない古い端末向け, 200",
        "/watch/sm18621862",
        app(
            "お探しの動画は再生できません - ニコニコ動画",
            "<div class='error'><h1>お探しの動画は再生できません</h1><p>この動画は投稿者によって削除されました。</p></div>",
            lang="ja",
        ),
        lang="ja",
    ),
    "a video in Chinese that has disappeared": on(
        "bilibili: 视频去哪了呢？_哔哩哔哩, 啊叻？视频不见了？, 200",
        "/video/BV1862411x7",
        app(
            "视频去哪了呢？_哔哩哔哩_bilibili",
            "<div class='error-text'>啊叻？视频不见了？</div><a href='/'>返回首页</a>",
            lang="zh",
        ),
        scope="/video/",
        lang="zh",
    ),
    "a status in Chinese that its author deleted": on(
        "微博: 抱歉，此微博已被作者删除, 200",
        "/1862/Nh1lL4mp7",
        office(
            "微博-出错了",
            "<div class='page_error'><p class='S_txt1'>抱歉，此微博已被作者删除。查看帮助：<a href='/help'>帮助中心</a></p></div>",
            lang="zh",
            name="微博",
        ),
        lang="zh",
    ),
    "a file of a cloud that might not exist": on(
        "OneDrive: This item might not exist or is no longer available, 200",
        "/redir?resid=1862AF7&authkey=nr",
        app(
            "OneDrive",
            "<div class='od-Error'><h1>This item might not exist or is no longer available</h1><p>This item might have been deleted, expired, or you might not have permission to view it. Contact the owner of this item for more information.</p></div>",
        ),
        scope="/redir",
    ),
    "a spreadsheet that was put in the trash by its owner": on(
        "Google Docs: Sorry, the file you have requested has been deleted, 200",
        "/spreadsheets/d/1nR0ck1862xYz/edit",
        bare(
            "Google Drive -- Page Not Found",
            "<div id='drive-logo'></div><p class='errorMessage'>Sorry, the file you have requested has been deleted.</p><p>Make sure that you have the correct URL and the owner of the file hasn't deleted it.</p>",
        ),
        scope="/spreadsheets/d/",
    ),
    "a transfer of large files that is over": on(
        "WeTransfer: This transfer expired, 200",
        "/downloads/1862ab7/c0ffee",
        app(
            "WeTransfer - Send Large Files & Share Photos Online",
            "<div class='transfer'><h1>This transfer expired or was deleted</h1><p>Ask the sender to send the files again.</p></div>",
        ),
        scope="/downloads/",
    ),
    "a form in German that takes no answers any more and has no questions": on(
        "LimeSurvey, de: Diese Umfrage ist nicht mehr verfügbar, 200",
        "/index.php/186242?lang=de",
        office(
            "Umfrage",
            "<div class='jumbotron'><h2>Diese Umfrage ist nicht mehr verfügbar.</h2><p>Die Umfrage endete am 30.11.2019.</p></div>",
            lang="de",
        ),
        lang="de",
    ),
    "a messenger's contact page for a channel that was deleted": on(
        "t.me: the page for a name that nobody has, If you have Telegram, you can contact, 200",
        "/northrocklight",
        bare(
            "Telegram: Contact @northrocklight",
            "<div class='tgme_page_icon'></div><div class='tgme_page_description'>If you have <strong>Telegram</strong>, you can contact <a class='tgme_username_link' href='tg://resolve?domain=northrocklight'>@northrocklight</a> right away.</div>",
            more='<meta name="robots" content="noindex, nofollow">\n',
        ),
        near={
            "/southrock": html(
                bare(
                    "Telegram: View @southrock",
                    f"<div class='tgme_page_title'>South Rock Light</div><div class='tgme_page_extra'>1 862 subscribers</div>{prose()}<a>Preview channel</a>",
                )
            )
        },
    ),
    "a group of a social network whose content is not available": on(
        "Facebook: This content isn't available right now, 200",
        "/groups/186242186242",
        app(
            "Facebook",
            "<div><h2>This content isn't available right now</h2><p>When this happens, it's usually because the owner only shared it with a small group of people, changed who can see it or it's been deleted.</p><a href='/'>Go to News Feed</a></div>",
        ),
        scope="/groups/",
    ),
    "a profile of pictures in Spanish that is not available": on(
        "Instagram, es: Esta página no está disponible, 200",
        "/faro.norte.1862/",
        app(
            "Instagram",
            "<main><span>Esta página no está disponible.</span><p>Es posible que el enlace que seleccionaste esté roto o que se haya eliminado la página.</p></main>",
            lang="es",
        ),
        lang="es",
    ),
    "a journal in Russian that was deleted and purged": on(
        "LiveJournal: Журнал удалён, This journal has been deleted, 410 or 200",
        "/1862.html",
        blog(
            "Удалённый журнал",
            "<h1>Журнал удалён</h1><p>Этот журнал был удалён его владельцем.</p>",
            lang="ru",
        ),
        scope="all",
        lang="ru",
    ),
    "a record of an open repository with a tombstone": on(
        "Zenodo: 410, Gone, The record you are trying to access was removed",
        "/records/1862007",
        office(
            "Record removed",
            "<h1>Gone</h1><p>The record you are trying to access was removed. The metadata of the record is kept for archival purposes.</p><dl><dt>Reason for removal</dt><dd>Test upload of a record</dd></dl>",
        ),
        status=410,
    ),
    "a question that was removed for reasons of moderation": on(
        "Stack Overflow: Page not found, This question was removed, 404",
        "/questions/18621862/which-oil-burns-brightest",
        forum(
            "Page not found - Stack Overflow",
            "<h1>Page not found</h1><p>This question was removed from the site for reasons of moderation. Please refer to the help center for possible explanations why a question might be removed.</p>",
        ),
        status=404,
    ),
    "an address that an archive has not kept": on(
        "Wayback Machine: The Wayback Machine has not archived that URL, 404",
        "/web/2016/http://keepers.example/oil",
        office(
            "Internet Archive Wayback Machine",
            "<h2>Hrm.</h2><p>The Wayback Machine has not archived that URL.</p><p>This URL has been excluded, or was never captured.</p>",
        ),
        scope="/web/",
        status=404,
    ),
    "a shortened link of a company that ended its links": on(
        "goo.gl, Firebase Dynamic Links: Dynamic Link Not Found, 404, since August 2025",
        "/nR0ck7",
        bare(
            "Dynamic Link Not Found",
            "<h1>Dynamic Link Not Found</h1><p>If you are the developer of this app, ensure that your Dynamic Links domain is correctly configured and that the path component of this URL is valid.</p>",
        ),
        scope="all",
        status=404,
    ),
    "an article of an encyclopedia that was deleted after a discussion": on(
        "Wikipedia: a deleted page, with its line of the deletion log, 404",
        "/wiki/North_Rock_Ferry_Company",
        office(
            "North Rock Ferry Company - Wikipedia",
            "<h1>North Rock Ferry Company</h1><p>Wikipedia does not have an article with this exact name.</p><p>A page with this title has previously been moved or deleted.</p><ul><li>10:42, 7 May 2024 Keeper deleted page North Rock Ferry Company (Expired PROD)</li></ul>",
            name="Wikipedia",
        ),
        status=404,
    ),
}

# At home: jobs, houses, advertisements, goods, people, events.
_HOME: dict[str, Seen] = {
    "a job of an employer's board that was not found by its application": on(
        "Ashby: Job not found, The job you requested was not found, 200",
        "/north-rock/7c1862aa",
        app(
            "Jobs",
            "<main><h1>Job not found</h1><p>The job you requested was not found.</p><a href='/north-rock'>View all open jobs at North Rock</a></main>",
            data='<script>window.__appData = {"posting":null,"organization":{"name":"North Rock"}}</script>',
        ),
        scope="/north-rock/",
    ),
    "a job that has expired at a recruiter of enterprises": on(
        "SmartRecruiters: Sorry, this job has expired, 200",
        "/NorthRock/743999862-keeper",
        office(
            "Sorry, this job has expired",
            "<h1>Sorry, this job has expired</h1><p>The position may have been filled. Take a look at our other jobs.</p><ul><li><a href='/NorthRock/1'>Boatman</a></li><li><a href='/NorthRock/2'>Cook</a></li></ul>",
            name="North Rock Careers",
        ),
    ),
    "a job in German whose posting has run out": on(
        "meet1407/Job-Scrapper: stelle abgelaufen, nicht mehr verfügbar; StepStone-artige Seite, 200",
        "/stellenangebote--Leuchtturmwaerter--18624.html",
        shop(
            "Diese Stellenanzeige ist nicht mehr online",
            "<h1>Diese Stellenanzeige ist leider nicht mehr online</h1><p>Ähnliche Jobs könnten Sie interessieren:</p><ul><li>Hafenmeister (m/w/d)</li><li>Schleusenwärter (m/w/d)</li></ul>",
            lang="de",
        ),
        lang="de",
    ),
    "a vacancy in Portuguese that has expired": on(
        "meet1407/Job-Scrapper: esta vaga expirou, 200",
        "/vagas/faroleiro-1862",
        office(
            "Vaga encerrada",
            "<h1>Esta vaga expirou</h1><p>A vaga já não está disponível. Veja outras oportunidades.</p>",
            lang="pt",
        ),
        scope="/vagas/",
        lang="pt",
    ),
    "an offer in French that its board calls expired": on(
        "meet1407/Job-Scrapper: offre expirée, n'est plus disponible, 200",
        "/offres-emploi/gardien-de-phare-1862.html",
        office(
            "Offre expirée",
            "<div class='alert'>Cette offre n'est plus disponible</div><p>Le recruteur a retiré cette annonce. Découvrez des offres similaires.</p>",
            lang="fr",
        ),
        lang="fr",
    ),
    "an advertisement in German that is not available any more": on(
        "Kleinanzeigen: Die gewünschte Anzeige ist nicht mehr verfügbar, 200 with a list of others",
        "/s-anzeige/messinglampe/1862424242-234-7",
        shop(
            "Messing | Kleinanzeigen",
            "<div class='outcomebox-info'>Die gewünschte Anzeige ist nicht mehr verfügbar.</div><h2>Ähnliche Anzeigen</h2><ul><li>Petroleumlampe 25 €</li><li>Schiffslaterne 80 €</li></ul>",
            lang="de",
        ),
        lang="de",
    ),
    "a house in Spanish that is not published any more": on(
        "idealista: Lo sentimos, este anuncio ya no está publicado, 200",
        "/inmueble/18624242/",
        shop(
            "Anuncio no disponible",
            "<h1>Lo sentimos, este anuncio ya no está publicado :(</h1><p>El anunciante lo dio de baja el jueves 6 de marzo de 2025.</p><h2>Anuncios similares</h2>",
            lang="es",
        ),
        lang="es",
    ),
    "a flat in Polish whose advertisement is out of date": on(
        "Otodom, OLX: To ogłoszenie jest już niedostępne, 200",
        "/pl/oferta/kawalerka-ID1862",
        shop(
            "Ogłoszenie niedostępne",
            "<h1>To ogłoszenie nie jest już dostępne</h1><p>Mogło wygasnąć lub zostać usunięte przez ogłoszeniodawcę.</p>",
            lang="pl",
        ),
        scope="/pl/oferta/",
        lang="pl",
    ),
    "a boat in Dutch that was removed from a market place": on(
        "Marktplaats: Deze advertentie is niet meer beschikbaar, 200",
        "/v/watersport/m1862-sloep",
        shop(
            "Advertentie niet beschikbaar",
            "<h1>Helaas, deze advertentie is niet meer beschikbaar</h1><p>De adverteerder heeft de advertentie verwijderd of de sloep is verkocht.</p>",
            lang="nl",
        ),
        lang="nl",
    ),
    "a car in Romanian that left its portal": on(
        "autovit, OLX.ro: Acest anunț nu mai este disponibil, 200",
        "/anunt/barca-ID1862.html",
        shop(
            "Anunț indisponibil",
            "<h1>Acest anunț nu mai este disponibil</h1><p>Îți recomandăm anunțuri similare.</p>",
            lang="ro",
        ),
        lang="ro",
    ),
    "an advertisement in Norwegian that is inactive and empty": on(
        "FINN.no: Denne annonsen er ikke lenger tilgjengelig, 200",
        "/item/186242186",
        shop(
            "Annonsen finnes ikke",
            "<h1>Beklager, denne annonsen er ikke lenger tilgjengelig</h1><p>Den kan være slettet av annonsøren.</p>",
            lang="no",
        ),
        scope="/item/",
        lang="no",
    ),
    "a listing in Greek that was withdrawn": on(
        "αγγελίες: Η αγγελία δεν είναι πλέον διαθέσιμη, 200",
        "/aggelies/1862",
        shop(
            "Η αγγελία δεν βρέθηκε",
            "<h1>Η αγγελία δεν είναι πλέον διαθέσιμη</h1><p>Έχει διαγραφεί ή έχει λήξει.</p>",
            lang="el",
        ),
        lang="el",
    ),
    "a handmade lamp whose shop took it down": on(
        "Etsy: Sorry, this item is unavailable / Uh oh!, 200 with others",
        "/listing/1862424242/brass-lamp",
        shop(
            "Uh oh! Sorry, the page you were looking for was not found.",
            "<h1>Uh oh!</h1><p>Sorry, the page you were looking for was not found.</p><h2>You may also like</h2><ul><li>Copper lamp 40.00</li><li>Oil can 18.00</li></ul>",
        ),
        scope="/listing/",
    ),
    "an auction that was pulled by its house": on(
        "eBay: We looked everywhere. Looks like this page is missing, 200",
        "/itm/186242424242",
        shop(
            "Error Page | eBay",
            "<div class='error-header'><p>We looked everywhere.</p><p>Looks like this page is missing. If you still need help, visit our help pages.</p></div>",
        ),
        scope="/itm/",
    ),
    "a good in Chinese that went off the shelf": on(
        "京东: 该商品已下柜，非常抱歉, 200",
        "/1862424242.html",
        shop(
            "商品已下架",
            "<div class='itemover-tip'>该商品已下柜，非常抱歉！</div><p>为您推荐</p>",
            lang="zh",
        ),
        lang="zh",
    ),
    "a good in Korean whose page was deleted": on(
        "스마트스토어: 상품이 존재하지 않습니다, 200",
        "/store/products/1862424242",
        shop(
            "상품이 존재하지 않습니다",
            "<strong>상품이 존재하지 않습니다.</strong><p>현재 사용하실 수 없는 페이지입니다. 주소가 바르게 입력되었는지 확인해 주세요.</p>",
            lang="ko",
        ),
        scope="/store/products/",
        lang="ko",
    ),
    "a spare wick in Hungarian that is not sold any more": on(
        "UNAS, Shoprenter: A keresett termék nem található, 200",
        "/kanoc-1862",
        shop(
            "A termék nem található",
            "<h1>A keresett termék nem található</h1><p>A terméket már nem forgalmazzuk.</p>",
            lang="hu",
        ),
        lang="hu",
    ),
    "a kettle in Ukrainian that was removed from sale": on(
        "Rozetka, Prom: Товар знято з продажу або видалено, 200",
        "/ua/p18624242-chajnik.html",
        shop(
            "Товар не знайдено",
            "<h1>На жаль, цей товар видалено продавцем</h1><p>Подивіться схожі товари.</p>",
            lang="uk",
        ),
        lang="uk",
    ),
    "a stove in Persian that was deleted from a board": on(
        "دیوار: این آگهی حذف شده است, 200",
        "/v/gZ1862",
        shop(
            "آگهی حذف شده",
            "<h1>این آگهی حذف شده است</h1><p>آگهی‌های مشابه را ببینید.</p>",
            lang="fa",
        ),
        lang="fa",
    ),
    "a room in Hebrew whose notice was taken off": on(
        "יד2: המודעה הוסרה, 200",
        "/item/n0rth7",
        shop(
            "המודעה הוסרה",
            "<h1>אופס, המודעה כבר לא קיימת</h1><p>ייתכן שהמודעה הוסרה על ידי המפרסם.</p>",
            lang="he",
        ),
        scope="/item/",
        lang="he",
    ),
    "a pump in Hindi that its seller no longer offers": on(
        "IndiaMART जैसे पोर्टल: यह उत्पाद अब उपलब्ध नहीं है, 200",
        "/proddetail/deepak-1862.html",
        shop(
            "उत्पाद उपलब्ध नहीं",
            "<h1>यह उत्पाद अब उपलब्ध नहीं है</h1><p>विक्रेता ने इसे हटा दिया है। मिलते-जुलते उत्पाद देखें।</p>",
            lang="hi",
        ),
        lang="hi",
    ),
    "an event in Thai that its organizer canceled and removed": on(
        "ระบบจองบัตร: ไม่พบกิจกรรมนี้, 200",
        "/event/1862",
        office(
            "ไม่พบกิจกรรม",
            "<h1>ไม่พบกิจกรรมนี้</h1><p>กิจกรรมอาจถูกยกเลิกหรือลบโดยผู้จัด</p>",
            lang="th",
        ),
        scope="/event/",
        lang="th",
    ),
    "a member of a forum in German who does not exist": on(
        "Sherlock data.json: a message for missing members of WoltLab, vBulletin and phpBB boards, 200",
        "/user/1862-waerter/",
        forum(
            "Hinweis",
            "<div class='alert'>Das angegebene Benutzerkonto existiert nicht.</div>",
            lang="de",
        ),
        scope="/user/",
        lang="de",
    ),
    "an account of a list of anime that is not there": on(
        "Sherlock data.json: errorType message, a page for a missing user with a 200",
        "/profile/northkeeper",
        blog(
            "404 Not Found - MyList",
            "<div class='badresult'><h1>404 Not Found</h1><p>This page doesn't exist.</p></div>",
        ),
        scope="/profile/",
        near={"/profile/southkeeper": _alive("southkeeper's Profile - MyList")},
    ),
    "a member of a board who is invalid or does not exist": on(
        "sherlock removed_sites.md: The member you specified is either invalid or doesn't exist, MyBB, 200",
        "/User-northkeeper",
        forum(
            "Lamp Board",
            "<table><tr><td class='thead'>Lamp Board</td></tr><tr><td class='trow1'>The member you specified is either invalid or doesn't exist.</td></tr></table>",
        ),
        scope="/User-",
    ),
    "a recipe in Italian that its kitchen took down": on(
        "siti di ricette: Questa ricetta non è più disponibile, 200",
        "/ricette/zuppa-del-guardiano.html",
        blog(
            "Ricetta non disponibile",
            "<h1>Questa ricetta non è più disponibile</h1><p>Ti suggeriamo altre zuppe di mare.</p>",
            lang="it",
        ),
        lang="it",
    ),
}


def _flags(seen: Seen) -> tuple[str, ...]:
    is_hard = isinstance(seen.reply, Reply) and seen.reply.status >= 400
    return () if is_hard else _FLAGS


def _interface() -> Case:
    wrapped = plain('{"code":404,"msg":"light not found","data":null}', kind="application/json")
    site = {"/": home(), "/robots.txt": ROBOTS, "/api/v1/lights/1862": wrapped, ELSE: LOST}
    return gone(
        "an interface that answers OK with an error inside",
        "interfaces that wrap everything: 200 with a code of 404 in the body",
        site,
        *_FLAGS,
        path="/api/v1/lights/1862",
    )


CASES: list[Case] = [
    *(
        gone(name, each.source, each.site, *_flags(each), path=each.path)
        for part in (_WORK, _HOME)
        for name, each in part.items()
    ),
    _interface(),
]
