"""Pages that are gone, with a 200 or behind a redirect: by products, languages and things."""

# ruff: noqa: RUF001
from collections.abc import Iterator

from tests.zoo.wild.case import ELSE, Case, Reply, gone, html, only, plain, redirect
from tests.zoo.wild.pages import HOME, NGINX_404, PATH, modern, shop, swallowing
from tests.zoo.wild.year2026.forms import document_reply
from tests.zoo.wild.year2026_second.makes import shell, text, wiki, wordpress

_FLAGS = ("error_page", "same_for_all")
_WAYS = (*_FLAGS, "home_page", "login", "parked", "changed_owner")
_JSON = "application/json"

# What products say with a 200, whatever is asked for: where it is known from, the answer.
_PRODUCTS: dict[str, tuple[str, Reply]] = {
    "Gnuboard says that there is no such post": (
        "Gnuboard 5: an alert and the way back, 200",
        html(
            "<!doctype html><html lang='ko'><head><meta charset='utf-8'><title>오류안내"
            " 페이지</title></head><body><script>alert('글이 존재하지 않습니다.\\n\\n글이"
            " 삭제되었거나 이동된 경우입니다.');history.back();</script><noscript><div"
            " id='validation_check'><h1>다음 항목에 오류가 있습니다.</h1><p"
            " class='cbg'>글이 존재하지 않습니다. 글이 삭제되었거나 이동된"
            " 경우입니다.</p></div></noscript></body></html>"
        ),
    ),
    "Discuz! says that there is no such thread": (
        "Discuz!: 提示信息, 200",
        html(
            modern(
                "提示信息 - 灯塔论坛",
                "<div id='messagetext' class='alert_error'><p>抱歉，指定的主题不存在或已被删"
                "除或正在被审核</p></div>",
                lang="zh",
            )
        ),
    ),
    "vBulletin has no thread specified": (
        "vBulletin 3 and 4: vBulletin Message, 200",
        html(
            modern(
                "Keepers' Forum",
                "<table><tr><td class='tcat'>vBulletin Message</td></tr><tr><td>No Thread"
                " specified. If you followed a valid link, please notify the"
                " administrator.</td></tr></table>",
            )
        ),
    ),
    "SMF finds the topic missing": (
        "SMF: An Error Has Occurred!, 200",
        html(
            modern(
                "An Error Has Occurred!",
                "<h3>An Error Has Occurred!</h3><div class='errorbox'>The topic or board you"
                " are looking for appears to be either missing or off limits to you.</div>",
            )
        ),
    ),
    "MyBB has no such thread": (
        "MyBB: the specified thread does not exist, 200",
        html(
            modern(
                "Keepers' Forum",
                "<table class='tborder'><tr><td class='thead'><strong>Keepers'"
                " Forum</strong></td></tr><tr><td class='trow1'>The specified thread does not"
                " exist.</td></tr></table>",
            )
        ),
    ),
    "phpBB has no such topic": (
        "phpBB: Information, 200 behind a proxy",
        html(
            modern(
                "Keepers' Forum - Information",
                "<div class='panel' id='message'><h2 class='message-title'>Information</h2><p"
                ">The requested topic does not exist.</p></div>",
            )
        ),
    ),
    "XenForo ran into some problems": (
        "XenForo: Oops! We ran into some problems., 200 behind a proxy",
        html(
            modern(
                "Oops! We ran into some problems. | Keepers",
                "<h1 class='p-title-value'>Oops! We ran into some problems.</h1><div"
                " class='blockMessage'>The requested thread could not be found.</div>",
            )
        ),
    ),
    "OpenCart cannot find it": (
        "OpenCart: The page you requested cannot be found!",
        html(
            shop(
                "The page you requested cannot be found!",
                "<h1>The page you requested cannot be found!</h1><p>The page you requested"
                " cannot be found.</p><a href='/'>Continue</a>",
            )
        ),
    ),
    "Magento says that it is our bad": (
        "Magento: Whoops, our bad..., 200 from Varnish",
        html(
            shop(
                "404 Not Found",
                "<h1><span class='base'>Whoops, our bad...</span></h1><dl><dt>The page you"
                " requested was not found, and we have a fine guess why.</dt><dd>If you typed"
                " the URL directly, please make sure the spelling is correct.</dd></dl>",
            )
        ),
    ),
    "PrestaShop says it in French": (
        "PrestaShop: Cette page n'existe pas ou plus",
        html(
            shop(
                "Erreur 404",
                "<h1>La page que vous cherchez n'a pas été trouvée.</h1><p>Désolés pour le"
                " désagrément. Cherchez à nouveau ce que vous voulez.</p>",
                lang="fr",
            )
        ),
    ),
    "Bitrix finds no element": (
        "1C-Bitrix: Элемент не найден, 200",
        html(
            modern(
                "Каталог",
                "<h1>Каталог</h1><p><font class='errortext'>Элемент не найден</font></p>",
                lang="ru",
            )
        ),
    ),
    "Joomla finds no article": (
        "Joomla: Article not found, 200 by a template",
        html(
            modern(
                "Error: 404 Article not found",
                "<h1>The requested page can't be found.</h1><p>An error has occurred while"
                " processing your request.</p><blockquote><span>404</span> Article not"
                " found</blockquote>",
            )
        ),
    ),
    "TYPO3 gives its reason": (
        "TYPO3: The requested page does not exist, 200 by an old handler",
        document_reply(
            "Page Not Found",
            "<h1>Page Not Found</h1><p>The page did not exist or was inaccessible."
            ' Reason: Segment "annual-report" was not a keyword for a postVarSet as'
            " expected on page with id=1.</p>",
        ),
    ),
    "Domino finds no entry": (
        "HCL Domino: Entry not found in index, 200",
        html(
            "<html><head><title>Error</title></head><body text='#000000'><h1>Error"
            " 404</h1>HTTP Web Server: Lotus Notes Exception - Entry not found in"
            " index</body></html>"
        ),
    ),
    "ASP.NET finds no resource": (
        "ASP.NET: The resource cannot be found, 200 by responseMode",
        html(
            "<html><head><title>The resource cannot be found.</title></head><body"
            " bgcolor='white'><h1>Server Error in '/' Application.<hr></h1><h2><i>The"
            " resource cannot be found.</i></h2><b>Description:</b> HTTP 404. The"
            " resource you are looking for (or one of its dependencies) could have been"
            " removed.<br><b>Requested URL:</b> /archive/2019/annual-report</body></html>"
        ),
    ),
    "Spring shows its white label": (
        "Spring Boot: Whitelabel Error Page, 200 behind a gateway",
        html(
            "<html><body><h1>Whitelabel Error Page</h1><p>This application has no"
            " explicit mapping for /error, so you are seeing this as a"
            " fallback.</p><div>There was an unexpected error (type=Not Found,"
            " status=404).</div></body></html>"
        ),
    ),
    "Moodle finds no record": (
        "Moodle: Can't find data record, 200",
        html(
            modern(
                "Error | Keepers' school",
                "<div class='box errorbox alert alert-danger'><p class='errormessage'>Can't"
                " find data record in database table course.</p></div><a"
                " href='/'>Continue</a>",
            )
        ),
    ),
    "a system of handles finds none": (
        "Handle.Net proxies: Handle Not Found, 200 of mirrors",
        document_reply(
            "Not Found",
            "<h3>Not Found</h3><p>The handle you requested -- 10404/77 -- cannot be found.</p>",
        ),
    ),
    "a wiki has no text on this page": (
        "MediaWiki: noarticletext, 200 by a reverse proxy",
        html(
            wiki(
                "Old ferry",
                "<div class='noarticletext'><p>There is currently no text in this page. You"
                " can search for this page title in other pages, or search the related logs,"
                " but you do not have permission to create this page.</p></div>",
            )
        ),
    ),
    "a block theme of WordPress finds nothing": (
        "WordPress: twentytwentyfive's 404 behind a cache that made it 200",
        html(
            wordpress(
                "Page not found",
                "<h1 class='wp-block-heading'>Page not found</h1><p>The page you are looking"
                " for doesn’t exist, or it has been moved. Please try searching using the"
                " form below.</p><h2>Latest posts</h2>" + text("en", 2),
            )
        ),
    ),
    "Next.js shows its own page": (
        "Next.js: /404 in __NEXT_DATA__, 200",
        html(
            shell(
                "404: This page could not be found.",
                {"statusCode": 404},
                content="<div><h1 class='next-error-h1'>404</h1><div><h2>This page could not be"
                " found.</h2></div></div>",
            )
        ),
    ),
    "an application's data says that it is not found": (
        "Next.js: a soft page whose statusCode is 404",
        html(
            shell(
                "Page Not Found | Skerry",
                {"statusCode": 404, "notFound": True},
                content="<main><h1>We lost this page</h1><p>It may have been moved or deleted.</p>"
                "<a href='/'>Back to home</a></main>",
            )
        ),
    ),
}

# Things that are over or deleted: title, heading, sentence, language.
_THINGS: dict[str, tuple[str, str, str, str, str]] = {
    "a video in Japanese that was deleted": (
        "Niconico: watch pages",
        "動画 - ニコ",
        "この動画は存在しないか、削除された可能性があります。",
        "URLをご確認ください。",
        "ja",
    ),
    "a video in Chinese that is not there": (
        "Bilibili: 视频去哪了呢",
        "视频去哪了呢？ - 视频网",
        "啊叻？视频不见了？",
        "您要访问的视频已被删除或不存在。",
        "zh",
    ),
    "a video in Russian that is not available": (
        "Rutube, VK Видео",
        "Видео недоступно",
        "Видео удалено или скрыто",
        "Автор удалил видео или ограничил доступ к нему.",
        "ru",
    ),
    "a broadcast from a time machine": (
        "Twitch",
        "Skerry Live",
        "Sorry. Unless you’ve got a time machine, that content is unavailable.",
        "Browse channels",
        "en",
    ),
    "a picture of a network that was removed": (
        "Instagram",
        "Skerry Photos",
        "Sorry, this page isn't available.",
        "The link you followed may be broken, or the page may have been removed.",
        "en",
    ),
    "a post of a network that was removed": (
        "Facebook",
        "Skerry Friends",
        "This content isn't available right now",
        "When this happens, it's usually because the owner only shared it with a"
        " small group of people or it's been deleted.",
        "en",
    ),
    "a track that cannot be found": (
        "SoundCloud",
        "Skerry Sound",
        "We can’t find that track.",
        "An old link maybe? Or the track was deleted.",
        "en",
    ),
    "a journal that was purged": (
        "LiveJournal",
        "Deleted Account",
        "This journal has been deleted and purged",
        "If you are keeper, you may not recover it.",
        "en",
    ),
    "a share in Chinese that was cancelled": (
        "Baidu Pan: 链接不存在",
        "百宝网盘-链接不存在",
        "啊哦，你来晚了，分享的文件已经被取消了，下次要早点哟。",
        "去首页看看",
        "zh",
    ),
    "a share in Russian whose owner deleted it": (
        "Yandex Disk",
        "Диск",
        "Ничего не найдено",
        "Возможно, владелец удалил файлы или закрыл к ним доступ, а может быть, в ссылке опечатка.",
        "ru",
    ),
    "an upload with an invalid key": (
        "MediaFire",
        "File sharing",
        "Invalid or Deleted File.",
        "The key you provided for file download was invalid. This is usually caused"
        " because the file is no longer stored here.",
        "en",
    ),
    "an upload in Polish that was removed": (
        "Chomikuj, file hosts",
        "Pliki",
        "Plik został usunięty",
        "Plik nie istnieje lub został usunięty przez właściciela.",
        "pl",
    ),
    "a document of a cloud that might not exist": (
        "OneDrive",
        "Error",
        "This item might not exist or is no longer available",
        "This item might have been deleted, expired, or you might not have permission to view it.",
        "en",
    ),
    "a document of a drive that does not exist": (
        "Google Drive",
        "Page Not Found",
        "Sorry, the file you have requested does not exist.",
        "Make sure that you have the correct URL and the file exists.",
        "en",
    ),
    "a small ad in Norwegian that was deleted": (
        "Finn.no",
        "Annonsen er slettet",
        "Annonsen finnes ikke lenger",
        "Annonsen er slettet av annonsøren.",
        "nb",
    ),
    "a small ad in Swedish that was removed": (
        "Blocket",
        "Hoppsan!",
        "Annonsen är borttagen",
        "Annonsen du letar efter finns inte längre.",
        "sv",
    ),
    "a small ad in Finnish that is not there": (
        "Tori",
        "Ilmoitusta ei löytynyt",
        "Ilmoitusta ei löytynyt",
        "Ilmoitus on poistettu tai se on vanhentunut.",
        "fi",
    ),
    "a small ad in Italian that is not available": (
        "Subito",
        "Annuncio non disponibile",
        "Questo annuncio non è più disponibile",
        "È stato rimosso dall'inserzionista.",
        "it",
    ),
    "a small ad in Hebrew that was removed": (
        "Yad2",
        "לוח מודעות",
        "המודעה הוסרה",
        "המודעה שחיפשת אינה קיימת עוד.",
        "he",
    ),
    "a small ad in Persian that was deleted": (
        "Divar",
        "آگهی",
        "این آگهی حذف شده است",
        "آگهی مورد نظر شما دیگر وجود ندارد.",
        "fa",
    ),
    "goods in Indonesian that cannot be found": (
        "Tokopedia",
        "Produk tidak ditemukan",
        "Waduh, produk tidak ditemukan",
        "Mungkin produk sudah dihapus oleh penjual.",
        "id",
    ),
    "goods in Vietnamese that do not exist": (
        "Shopee, Chợ Tốt",
        "Sản phẩm",
        "Sản phẩm này không tồn tại",
        "Sản phẩm đã bị xóa hoặc ngừng bán.",
        "vi",
    ),
    "goods in Turkish that are not sold any more": (
        "Trendyol, Hepsiburada",
        "Ürün",
        "Bu ürün artık satılmıyor",
        "Ürün satıştan kaldırılmış.",
        "tr",
    ),
    "goods in Japanese that were deleted": (
        "Mercari",
        "フリマ",
        "該当する商品は削除されています。",
        "ほかの商品をさがす",
        "ja",
    ),
    "a room in Korean that was removed": (
        "Zigbang, Dabang",
        "방 정보",
        "삭제되었거나 존재하지 않는 매물입니다.",
        "다른 방을 둘러보세요.",
        "ko",
    ),
    "a post in Thai that is not there": (
        "Pantip",
        "ไม่พบกระทู้",
        "ไม่พบกระทู้ที่คุณต้องการ",
        "กระทู้นี้ถูกลบหรือไม่มีอยู่",
        "th",
    ),
    "a page in Romanian that was not found": (
        "newspapers",
        "Pagina nu a fost găsită",
        "Pagina nu a fost găsită",
        "Pagina căutată nu mai există sau a fost mutată.",
        "ro",
    ),
    "a page in Ukrainian that was not found": (
        "newspapers",
        "Сторінку не знайдено",
        "Сторінку не знайдено",
        "Можливо, її видалили або перенесли.",
        "uk",
    ),
    "a page in Hindi that was not found": (
        "newspapers",
        "पृष्ठ नहीं मिला",
        "पृष्ठ नहीं मिला",
        "आप जो पृष्ठ खोज रहे हैं वह मौजूद नहीं है।",
        "hi",
    ),
    "a page in Vietnamese that does not exist": (
        "newspapers",
        "Không tìm thấy trang",
        "Trang bạn tìm không tồn tại",
        "Đường dẫn có thể đã bị xóa hoặc thay đổi.",
        "vi",
    ),
    "a job in Dutch that is closed": (
        "job boards",
        "Vacature",
        "Deze vacature is gesloten",
        "De vacature is niet meer beschikbaar.",
        "nl",
    ),
    "a job in Spanish that is closed": (
        "job boards: InfoJobs",
        "Oferta de empleo",
        "Esta oferta ya no está disponible",
        "La empresa ha cerrado el proceso de selección.",
        "es",
    ),
    "a calendar of a person that cannot be booked": (
        "Calendly",
        "Calendar",
        "This Calendly URL is not valid.",
        "If you are the owner of the account, you can log in to find out more details.",
        "en",
    ),
    "a course that was taken off": (
        "Udemy, Coursera",
        "Courses",
        "This course is no longer available",
        "The instructor has removed this course.",
        "en",
    ),
}


def _things() -> Iterator[Case]:
    """Yield what its site says is gone, above what else it has, in turn of three makes."""
    for number, (name, (who, title, heading, sentence, lang)) in enumerate(_THINGS.items()):
        words = f"<h1>{heading}</h1><p>{sentence}</p>"
        if number % 3 == 0:
            page = shop(title, words, lang=lang)
        elif number % 3 == 1:
            page = modern(title, f"{words}<h2>…</h2>{text(lang, 3)}", lang=lang)
        else:
            page = shell(title, {"status": "deleted"}, content=words, lang=lang)
        where = {PATH: html(page), ELSE: NGINX_404} if number % 2 else swallowing(html(page))
        yield gone(name, f"public form: {who}, with a 200", where, *_FLAGS)


_ANSWERS: dict[str, Reply] = {
    "a failure with a code of its own": plain(
        '{"code":40404,"success":false,"msg":"资源不存在","data":null}', kind=_JSON
    ),
    "an error of GraphQL": plain(
        '{"errors":[{"message":"Not Found","extensions":{"code":"NOT_FOUND"}}],"data":null}',
        kind=_JSON,
    ),
    "an error of JSON:API": plain(
        '{"errors":[{"status":"404","title":"Record not found","detail":"The record'
        ' identified by 77 could not be found."}]}',
        kind=_JSON,
    ),
    "a video's status of a network": plain(
        '{"statusCode":10204,"statusMsg":"item doesn\'t exist"}', kind=_JSON
    ),
    "an exception in XML": plain(
        '<?xml version="1.0"?><ows:ExceptionReport'
        ' xmlns:ows="http://www.opengis.net/ows/1.1"><ows:Exception'
        ' exceptionCode="NotFound"><ows:ExceptionText>Layer not'
        " found</ows:ExceptionText></ows:Exception></ows:ExceptionReport>",
        kind="application/xml",
    ),
    "an error of OAI": plain(
        '<?xml version="1.0"?><OAI-PMH><error code="idDoesNotExist">The identifier'
        " does not exist in this repository.</error></OAI-PMH>",
        kind="text/xml",
    ),
    "a store's blob in XML": plain(
        '<?xml version="1.0"?><Error><Code>BlobNotFound</Code><Message>The specified'
        " blob does not exist.</Message></Error>",
        kind="application/xml",
    ),
    "a line of plain text about a file": plain(
        "The requested file could not be found on this server.\n"
    ),
    "a line of a content network": plain("Couldn't find the requested release version 4.0.4.\n"),
    "a line in German": plain("Datei nicht gefunden\n"),
}

# First pages of servers and hosts, and of domains that nobody uses: where from, the answer.
_EMPTY: dict[str, tuple[str, Reply]] = {
    "Rocky Linux tests its server": (
        "Rocky Linux",
        document_reply(
            "HTTP Server Test Page powered by: Rocky Linux",
            "<h1>HTTP Server <strong>Test Page</strong></h1><p>This page is used to test"
            " the proper operation of an HTTP server after it has been installed on a"
            " Rocky Linux system.</p>",
        ),
    ),
    "OpenResty welcomes": (
        "OpenResty",
        document_reply(
            "Welcome to OpenResty!",
            "<h1>Welcome to OpenResty!</h1><p>If you see this page, the OpenResty web"
            " platform is successfully installed and working. Further configuration is"
            " required.</p>",
        ),
    ),
    "Django's rocket": (
        "Django's first page",
        document_reply(
            "The install worked successfully! Congratulations!",
            "<h1>The install worked successfully! Congratulations!</h1><p>You are seeing"
            " this page because DEBUG=True is in your settings file and you have not"
            " configured any URLs.</p>",
        ),
    ),
    "a proxy manager's congratulations": (
        "Nginx Proxy Manager: Default Site",
        document_reply(
            "Default Site",
            "<h1>Congratulations!</h1><p>You've successfully started the Nginx Proxy"
            " Manager.</p><p>If you're seeing this site then you're trying to access a"
            " host that isn't set up yet.</p>",
        ),
    ),
    "Cloudron in the wild": (
        "Cloudron: no app for the domain",
        document_reply(
            "Cloudron",
            "<h1>You found a Cloudron in the wild!</h1><p>You are seeing this page"
            " because the DNS record of $HOST is set to this server's IP but there is no"
            " app configured for this domain.</p>",
        ),
    ),
    "CapRover has nothing here yet": (
        "CapRover",
        document_reply(
            "CapRover",
            "<h1>Nothing here yet :/</h1><p>Nothing has been deployed at this address"
            " yet. Learn how to deploy your application.</p>",
        ),
    ),
    "Plesk's page of a domain": (
        "Plesk: Domain Default page",
        document_reply(
            "Domain Default page",
            "<h1>Web Server's Default Page</h1><p>This page is generated by Plesk. If you"
            " are seeing this message, the website for $HOST is not available at this"
            " time.</p>",
        ),
    ),
    "CyberPanel's page": (
        "CyberPanel: Congratulations!",
        document_reply(
            "CyberPanel",
            "<h1>Congratulations!</h1><p>You have successfully created a website with"
            " CyberPanel. Upload your files to public_html.</p>",
        ),
    ),
    "Namecheap's page of a fresh domain": (
        "Namecheap parking",
        document_reply(
            "$HOST - Registered at Namecheap.com",
            "<p>$HOST</p><h2>Registered at Namecheap.com</h2><p>This domain was recently"
            " registered at Namecheap. Please check back later!</p>",
        ),
    ),
    "Loopia parks it": (
        "Loopia",
        document_reply(
            "Parked at Loopia",
            "<h1>Welcome to $HOST</h1><p>This domain is parked with LoopiaDNS from"
            " Loopia. Are you the owner of the domain and want to get started?</p>",
        ),
    ),
    "one.com hosts nothing yet": (
        "one.com",
        document_reply(
            "Hosted By One.com | Webhosting made simple",
            "<p>$HOST is hosted by one.com</p><h1>This website is under construction</h1>",
        ),
    ),
    "Hostpoint's page of a fresh site": (
        "Hostpoint",
        document_reply(
            "$HOST",
            "<h1>Hier entsteht eine neue Website</h1><p>$HOST ist bei Hostpoint registriert.</p>",
            lang="de",
        ),
    ),
    "Infomaniak reserved it": (
        "Infomaniak",
        document_reply(
            "$HOST",
            "<h1>Ce domaine vient d'être réservé</h1><p>$HOST a été enregistré chez"
            " Infomaniak. Son site n'est pas encore en ligne.</p>",
            lang="fr",
        ),
    ),
    "nazwa.pl keeps the domain": (
        "nazwa.pl",
        document_reply(
            "$HOST",
            "<h1>Domena jest utrzymywana na serwerach nazwa.pl</h1><p>Zarejestruj własną"
            " domenę.</p>",
            lang="pl",
        ),
    ),
    "WEDOS parks it": (
        "WEDOS, Active24, Forpsi",
        document_reply(
            "Doména $HOST je zaregistrována",
            "<h1>Doména je zaregistrována a zaparkována</h1><p>Na této doméně zatím není"
            " žádná webová prezentace.</p>",
            lang="cs",
        ),
    ),
    "TransIP holds it": (
        "TransIP, Hostnet",
        document_reply(
            "Gereserveerd: $HOST",
            "<h1>Deze domeinnaam is gereserveerd</h1><p>De eigenaar heeft nog geen"
            " website geplaatst.</p>",
            lang="nl",
        ),
    ),
    "a Danish host parked it": (
        "Simply.com",
        document_reply(
            "$HOST",
            "<h1>Domænet er parkeret</h1><p>$HOST er registreret af en kunde hos"
            " Simply.com. Der er endnu ingen hjemmeside.</p>",
            lang="da",
        ),
    ),
    "a Turkish host parked it": (
        "Natro",
        document_reply(
            "$HOST park edilmiştir",
            "<h1>Bu alan adı park edilmiştir</h1><p>Alan adı sahibi henüz bir site"
            " yayınlamamıştır.</p>",
            lang="tr",
        ),
    ),
    "a Vietnamese registrar holds it": (
        "PA Việt Nam, Mắt Bão",
        document_reply(
            "$HOST",
            "<h1>Tên miền $HOST đã được đăng ký</h1><p>Website chưa được tải lên. Đăng ký"
            " tên miền của bạn ngay.</p>",
            lang="vi",
        ),
    ),
    "a Korean registrar holds it": (
        "Gabia",
        document_reply(
            "$HOST",
            "<h1>가비아에서 등록된 도메인입니다</h1><p>아직 연결된 홈페이지가 없습니다.</p>",
            lang="ko",
        ),
    ),
    "a Chinese domain has expired": (
        "Wanwang, West.cn: 域名已过期",
        document_reply(
            "域名已过期",
            "<h1>您访问的域名 $HOST 已过期</h1><p>如您是域名所有者，请尽快续费。</p>",
            lang="zh",
        ),
    ),
    "a Chinese domain is for sale": (
        "Wanwang, Juming: 域名出售",
        document_reply(
            "$HOST 域名出售",
            "<h1>您正在访问的域名可以转让！</h1><p>This domain is for sale. 联系QQ 404404</p>",
            lang="zh",
        ),
    ),
    "a domain expired and waits for its deletion": (
        "Network Solutions: pending renewal or deletion",
        document_reply(
            "$HOST",
            "<h1>$HOST expired on 04/04/2026 and is pending renewal or"
            " deletion.</h1><p>Related searches: lamps, wicks, oil</p>",
        ),
    ),
    "a domain in Portuguese that was just registered": (
        "Registro.br's resellers",
        document_reply(
            "$HOST",
            "<h1>Domínio registrado</h1><p>Este domínio foi registrado por um de nossos"
            " clientes e ainda não possui site publicado.</p>",
            lang="pt",
        ),
    ),
    "a domain that was seized": (
        "law enforcement's banners, 200",
        document_reply(
            "This domain has been seized",
            "<h1>THIS DOMAIN HAS BEEN SEIZED</h1><p>by the Office of the coast in"
            " accordance with a seizure warrant of the district court.</p><img"
            " src='/seal.png' alt=''>",
        ),
    ),
}


def _by_redirects() -> Iterator[Case]:
    """Yield pages whose addresses lead elsewhere, whatever was asked for."""
    source = "sites that lead away from what they do not have"
    found = html(
        modern(
            "Search",
            "<h1>Search</h1><p>0 results for “annual report”</p><form><input name='q'></form>",
        )
    )
    yield gone(
        "sent to a search without hits",
        "news sites: the slug becomes a query",
        {"/": HOME, "/search?q=annual+report": found, ELSE: redirect("/search?q=annual+report")},
        *_WAYS,
    )
    yield gone(
        "sent to a page called 404.aspx with 200",
        "Sitecore, Sitefinity: custom errors by 302",
        {
            "/": HOME,
            "/404.aspx?aspxerrorpath=/archive/2019/annual-report": html(
                modern("Sorry", "<h1>Sorry, we can’t find that</h1><p>Try the menu.</p>")
            ),
            ELSE: redirect("/404.aspx?aspxerrorpath=/archive/2019/annual-report"),
        },
        *_WAYS,
    )
    yield gone(
        "sent to a file host's error with a number",
        "MediaFire: /error.php?errno=320",
        {
            "/": HOME,
            "/error.php?errno=320&origin=download": html(
                modern("File sharing", "<h1>Invalid or Deleted File.</h1>")
            ),
            ELSE: redirect("/error.php?errno=320&origin=download"),
        },
        *_WAYS,
        path="/file/a404/lamp.zip",
    )
    yield gone(
        "sent home in another language, with a mark",
        "shops: /?redirected=404",
        {
            "/": HOME,
            "/fi/?notfound=1": html(
                modern("Majakkamuseo", "<h1>Tervetuloa</h1>" + text("fi", 2), lang="fi")
            ),
            ELSE: redirect("/fi/?notfound=1"),
        },
        *_WAYS,
    )
    yield gone(
        "sent home with a made-up page, too",
        "WordPress: plugins that send all 404s home",
        {"/": HOME, ELSE: redirect("/", status=301)},
        *_WAYS,
    )
    yield gone(
        "sent to the home of the company that bought it",
        "companies that were bought: everything to one page",
        only(redirect("http://www.buyer-of-lamps.example:PORT/", status=301)),
        *_WAYS,
        others={
            "www.buyer-of-lamps.example": only(
                html(modern("Buyer of Lamps", "<h1>We light the coast</h1>" + text("en", 2)))
            )
        },
    )
    yield gone(
        "sent to a page on the sale of a domain",
        "BrandBucket and others",
        only(redirect("http://www.brands-for-sale.example:PORT/names/old-lamp?lander=1")),
        *_WAYS,
        others={
            "www.brands-for-sale.example": only(
                document_reply(
                    "old-lamp is for sale",
                    "<h1>old-lamp</h1><p>This premium domain is for sale. Buy now for $4,040 or"
                    " make an offer.</p>",
                )
            )
        },
    )
    yield gone(
        "sent to a store for applications that do not know it",
        "Google Play behind a link service",
        only(redirect("http://play.skerry-store.example:PORT/store/apps/details?id=x.gone")),
        *_WAYS,
        others={
            "play.skerry-store.example": only(
                document_reply(
                    "Not Found",
                    "<div id='error-section'>We're sorry, the requested URL was not found on this"
                    " server.</div>",
                )
            )
        },
    )
    yield gone(
        "sent up to the list of its kind",
        source,
        {
            "/": HOME,
            "/archive/": html(
                modern(
                    "Archive",
                    "<h1>Archive</h1><ul><li><a href='/archive/2025'>2025</a></li><li><a"
                    " href='/archive/2026'>2026</a></li></ul>",
                )
            ),
            ELSE: redirect("/archive/"),
        },
        *_WAYS,
    )
    yield gone(
        "sent by a refresh to the home page",
        "static sites: 404.html with a meta refresh, 200",
        {
            "/": HOME,
            ELSE: html(
                "<!doctype html><html><head><title>Redirecting…</title><meta"
                " http-equiv='refresh' content='3; url=/'></head><body><p>This page has"
                " moved. You will be taken to our home page.</p></body></html>"
            ),
        },
        *_WAYS,
    )


def _the_same_everywhere() -> Iterator[Case]:
    """Yield sites that answer each address with one and the same page."""
    for name, source, page in (
        (
            "one page says that a club was dissolved",
            "associations' last pages",
            modern(
                "Verein Leuchtturm",
                "<h1>Verein Leuchtturm</h1><p>Der Verein wurde zum 31. Dezember 2025"
                " aufgelöst. Wir danken allen Mitgliedern.</p>",
                lang="de",
            ),
        ),
        (
            "one page says goodbye",
            "services that shut down",
            modern(
                "Goodbye from Skerry Notes",
                "<h1>Thank you and goodbye</h1><p>Skerry Notes shut down on 31 March 2026."
                " All notes have been deleted.</p>",
            ),
        ),
        (
            "one page of a casino on an old name",
            "dropped domains that were caught",
            modern(
                "Situs Slot Gacor 2026",
                "<h1>Slot Gacor Hari Ini</h1><p>Daftar sekarang, bonus 100 persen, deposit"
                " lewat pulsa.</p>" + text("id", 1),
                lang="id",
            ),
        ),
        (
            "one picture of a building site",
            "builders' pages of construction, 200",
            "<html><head><title>Under Construction</title></head><body><center><img"
            " src='/uc.gif' alt='Under construction'></center></body></html>",
        ),
    ):
        yield gone(name, source, only(html(page)), *_WAYS)


CASES: list[Case] = [
    *(
        gone(name, source, swallowing(reply), *_FLAGS)
        for name, (source, reply) in _PRODUCTS.items()
    ),
    *_things(),
    *(
        gone(
            f"an answer says no: {name}",
            "APIs and stores behind gateways that say 200",
            swallowing(reply),
            *_FLAGS,
        )
        for name, reply in _ANSWERS.items()
    ),
    *(
        gone(name, f"public form: {who}", only(reply), "parked", *_FLAGS)
        for name, (who, reply) in _EMPTY.items()
    ),
    *_by_redirects(),
    *_the_same_everywhere(),
]
