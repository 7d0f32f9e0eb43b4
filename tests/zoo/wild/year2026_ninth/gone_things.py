"""Adverts, posts, accounts, files and records that are gone, with a 200."""

# ruff: noqa: E501, RUF001
from tests.zoo.wild.case import Case, gone, plain
from tests.zoo.wild.year2026_ninth.frames import (
    Seen,
    alone,
    app,
    below,
    blocks,
    board,
    market,
    office,
    story,
)

_FLAGS = ("error_page", "same_for_all")

_JOBS_AND_HOMES: dict[str, Seen] = {
    "a job within a long page of an employer's goods": below(
        "QuentinMeow/jobs-finder-toolkit issue 299: consumer-product navigation followed by No job found., 200",
        blocks(
            "Careers | Harbor Lights",
            "<section class='careers'><div class='job-detail'><p>No job found.</p></div></section><section><h2>Why work with us</h2><p>Good coats, hot tea, long views.</p></section>",
        ),
        "/careers/job/",
        "7800001843?gh_jid=7800001843",
    ),
    "a job of Workday that is no longer there": below(
        "Workday: The page you are looking for doesn't exist., 200, from scripts, here rendered",
        app(
            "Careers",
            "<div data-automation-id='errorContainer'><span data-automation-id='errorMessage'>The page you are looking for doesn't exist.</span><a href='/External'>Search for Jobs</a></div>",
        ),
        "/en-US/External/job/",
        "Pier-4/Wick-Trimmer_R-1843",
    ),
    "a vacancy of iCIMS that was filled": below(
        "iCIMS: Sorry, this job is no longer available, 200",
        office(
            "Job is no longer available",
            "<div class='iCIMS_ErrorMsg'>The job posting you are trying to view is either no longer available or is not currently posted.</div><a href='/jobs/search'>View all jobs</a>",
        ),
        "/jobs/",
        "1843/keeper/job",
    ),
    "an offer of work in French that was filled": below(
        "France Travail: l'offre n'est plus disponible, 200",
        office(
            "Offre non disponible",
            "<div class='alert'><h1>L'offre que vous souhaitez consulter n'est plus disponible</h1><p>Elle a peut-être été pourvue. Découvrez d'autres offres proches de votre recherche.</p></div>",
            lang="fr",
        ),
        "/candidat/offres/recherche/detail/",
        "184PHAR",
        lang="fr",
    ),
    "a place for an apprentice in German": below(
        "Jobbörsen in Deutschland: Diese Stellenanzeige ist nicht mehr verfügbar, 200",
        office(
            "Stellenanzeige nicht mehr online",
            "<h1>Schade! Diese Stellenanzeige ist nicht mehr verfügbar.</h1><p>Die Ausschreibung ist abgelaufen oder wurde vom Arbeitgeber entfernt.</p><a href='/jobs'>Ähnliche Jobs ansehen</a>",
            lang="de",
        ),
        "/stellenangebote--",
        "Leuchtturmwaerter--1843.html",
        lang="de",
    ),
    "a job in Romanian that left the list": below(
        "peviitor-ro issues on expired adverts: Acest loc de muncă nu mai este disponibil, 200",
        office(
            "Anunț expirat",
            "<h1>Anunțul a expirat</h1><p>Acest loc de muncă nu mai este disponibil.</p><a href='/locuri-de-munca'>Vezi alte joburi</a>",
            lang="ro",
        ),
        "/loc-de-munca/",
        "paznic-de-far/1843",
        lang="ro",
    ),
    "a flat in Italian that was taken off": below(
        "portali immobiliari: L'annuncio non è più disponibile, 200",
        market(
            "Annuncio non disponibile",
            "<div class='nd-alert'><h1>L'annuncio che stai cercando non è più disponibile</h1><p>È stato rimosso dall'inserzionista.</p></div><h2>Annunci simili</h2>",
            lang="it",
        ),
        "/annunci/",
        "101843/",
        lang="it",
    ),
    "a house in Dutch that is off the market": below(
        "huizensites: Deze woning is niet meer beschikbaar, 200",
        market(
            "Object niet beschikbaar",
            "<h1>Deze woning staat niet meer op onze website</h1><p>De makelaar heeft het aanbod verwijderd.</p><a href='/koop'>Zoek verder</a>",
            lang="nl",
        ),
        "/koop/",
        "vuurtorenhuis-1843/",
        lang="nl",
    ),
    "a car in Spanish that was sold": below(
        "portales de coches: Este anuncio ya no está disponible, 200",
        market(
            "Anuncio no disponible",
            "<div class='mt-AdNotAvailable'><h1>¡Vaya! Este anuncio ya no está disponible</h1><p>El vendedor lo ha eliminado o el vehículo ya se ha vendido.</p></div>",
            lang="es",
        ),
        "/renault-4-1971-en-cadiz-",
        "1843-covo.aspx",
        lang="es",
    ),
    "a motorbike in Vietnamese": below(
        "chợ rao vặt: Tin đăng không còn tồn tại, 200",
        market(
            "Tin không tồn tại",
            "<div class='not-found'><h1>Tin đăng này không còn tồn tại</h1><p>Tin đã hết hạn, đã bán hoặc đã bị ẩn bởi người đăng.</p></div>",
            lang="vi",
        ),
        "/mua-ban-xe-may/",
        "101843.htm",
        lang="vi",
    ),
    "an advert in German that was deleted": below(
        "DanielWTE/ebay-kleinanzeigen-api pull request 7: deleted adverts, 200",
        market(
            "Anzeige nicht mehr verfügbar | Kleinanzeigen",
            "<div class='outcomemessage-warning'><h1>Die gewünschte Anzeige ist nicht mehr verfügbar.</h1><p>Es kann sein, dass der Anbieter sie gelöscht hat.</p></div>",
            lang="de",
        ),
        "/s-anzeige/",
        "laterne/101843-234",
        lang="de",
    ),
    "an advert in Ukrainian that is no longer valid": below(
        "дошки оголошень: Оголошення більше не доступне, 200",
        market(
            "Оголошення неактивне",
            "<div data-testid='inactive-banner'><h4>Це оголошення більше не доступне</h4><p>Автор видалив його, або його термін дії закінчився.</p></div>",
            lang="uk",
        ),
        "/d/uk/obyavlenie/",
        "lampa-IDl843.html",
        lang="uk",
    ),
    "an advert in Arabic that was taken away": below(
        "أسواق: هذا الإعلان لم يعد متوفراً, 200",
        market(
            "الإعلان غير متوفر",
            "<div class='empty'><h1>هذا الإعلان لم يعد متوفراً</h1><p>تم حذف الإعلان من قبل صاحبه أو انتهت مدته.</p></div>",
            lang="ar",
        ),
        "/ar/listing/",
        "101843",
        lang="ar",
    ),
    "a room of a house for guests that is delisted": below(
        "rentals of rooms: This listing is no longer available, 200",
        app(
            "Listing not available",
            "<main><h1>This listing is no longer available</h1><p>The host has taken it down. Here are other stays nearby.</p></main>",
        ),
        "/rooms/",
        "10184318",
    ),
}

_GOODS: dict[str, Seen] = {
    "a good of a mall of Japan whose page is not there": below(
        "通販サイト: 有効なページではありません, 200",
        market(
            "ページが見つかりません",
            "<div id='g'><h2>何かお探しですか？</h2><p>申し訳ありませんが、お客様が入力されたウェブアドレスは、当サイトでは有効なページではありません。</p></div>",
            lang="ja",
        ),
        "/dp/",
        "B000001843",
        lang="ja",
    ),
    "a good of Rakuten that ended": below(
        "楽天市場: 申し訳ございません。お探しの商品は現在取り扱っておりません, 200",
        market(
            "商品が見つかりません",
            "<div class='msg'><p>申し訳ございません。ご指定の商品は取り扱いを終了したか、ページが削除されました。</p><a href='/'>ショップトップへ</a></div>",
            lang="ja",
        ),
        "/lampshop/",
        "l1843/",
        lang="ja",
    ),
    "a good of a mall in Korean that is not sold": below(
        "쇼핑몰: 현재 판매중인 상품이 아닙니다, 상품이 존재하지 않습니다, 200",
        market(
            "상품이 존재하지 않습니다",
            "<div class='prd_error'><strong>상품이 존재하지 않습니다.</strong><p>판매가 종료되었거나 삭제된 상품입니다.</p></div>",
            lang="ko",
        ),
        "/products/",
        "101843",
        lang="ko",
    ),
    "a good of Taobao that was taken down": below(
        "淘宝: 很抱歉，您查看的宝贝不存在，可能已下架或者被转移, 200",
        market(
            "宝贝不存在",
            "<div class='error-notice'><h2>很抱歉，您查看的宝贝不存在，可能已下架或者被转移。</h2><p>您可以：在顶部搜索框重新输入关键词搜索</p></div>",
            lang="zh",
        ),
        "/item.htm?id=",
        "101843",
        lang="zh",
    ),
    "a good of Shopee in Chinese of Taiwan": below(
        "蝦皮購物: 此商品不存在, 200",
        app(
            "蝦皮購物",
            "<div class='product-not-exist'><div>此商品不存在</div><button>返回首頁</button></div>",
            lang="tw",
        ),
        "/product/1843/",
        "101843",
        lang="tw",
    ),
    "a dress of a shop of Greece": below(
        "καταστήματα: Το προϊόν δεν είναι πλέον διαθέσιμο, 200",
        market(
            "Το προϊόν δεν βρέθηκε",
            "<h1>Το προϊόν δεν βρέθηκε!</h1><p>Το προϊόν που αναζητάτε έχει αφαιρεθεί από τον κατάλογό μας.</p>",
            lang="el",
        ),
        "/index.php?route=product/product&product_id=",
        "1843",
        lang="el",
    ),
    "a spare part in Czech that left the range": below(
        "e-shopy: Tento produkt již není v nabídce, 200",
        market(
            "Produkt nenalezen",
            "<h1>Produkt nenalezen</h1><p>Omlouváme se, požadovaný produkt již neexistuje a byl z nabídky odstraněn.</p>",
            lang="cs",
        ),
        "/dily/",
        "knot-18-43/",
        lang="cs",
    ),
    "an extension that left the store of a browser": below(
        "Chrome Web Store: This item is not available, 200",
        app(
            "Chrome Web Store",
            "<main><h1>This item is not available</h1><p>This item is no longer available in the Chrome Web Store.</p></main>",
        ),
        "/detail/lamp-tab/",
        "abcdefghijklmnopabcdefghijklmnop",
    ),
    "an extension for an editor that was unpublished": below(
        "Visual Studio Marketplace: We couldn't find that, 200",
        app(
            "Visual Studio Marketplace",
            "<div class='ux-error'><h1>Oops!</h1><p>We're sorry, but the extension that you are looking for has been unpublished or does not exist.</p></div>",
        ),
        "/items?itemName=",
        "keeper.lamp-syntax",
    ),
    "an app in Russian that its developer withdrew": below(
        "RuStore и другие: Приложение недоступно, удалено разработчиком, 200",
        app(
            "Приложение не найдено",
            "<h1>Приложение не найдено</h1><p>Возможно, его удалил разработчик. Посмотрите похожие приложения.</p>",
            lang="ru",
        ),
        "/catalog/app/",
        "com.lamp.keeper",
        lang="ru",
    ),
}

_POSTS: dict[str, Seen] = {
    "a page of Facebook that its owner deleted": below(
        "fossi-foundation.github.io issue 7, apkmirror-public issue 291: This content isn't available right now, 200",
        app(
            "Facebook",
            "<div role='main'><h2>This content isn't available right now</h2><p>When this happens, it's usually because the owner only shared it with a small group of people, changed who can see it or it's been deleted.</p><a href='/'>Go to News Feed</a></div>",
        ),
        "/harborlights/posts/",
        "101843",
    ),
    "a profile of books that says there is no such user": below(
        "sherlock-project/sherlock pull request 2878: Shelf, User Not Found, 200",
        app("Shelf", "<main><h1>User Not Found</h1><a href='/'>Browse shelves</a></main>"),
        "/u/",
        "wickkeeper",
    ),
    "a profile of coders whose feelings are hurt": below(
        "soxoj/maigret issue 3008: Coderwall, 404! Our feels when that url is used",
        blocks(
            "404",
            "<h1>404! Our feels when that url is used</h1><p>Let's get you back <a href='/'>to somewhere good</a>.</p>",
        ),
        "/",
        "wickkeeper",
    ),
    "a video whose account was terminated": below(
        "vididataset/VIDI issue 1: no longer available because the account has been terminated, 200",
        app(
            "- YouTube",
            "<div id='player-unavailable'><h1 id='unavailable-message'>This video is no longer available because the YouTube account associated with this video has been terminated.</h1></div>",
            data='<script>var ytInitialPlayerResponse={"playabilityStatus":{"status":"ERROR","reason":"Video unavailable"}};</script>',
        ),
        "/watch?v=",
        "BHuW1843yEI",
    ),
    "a film of Rutube that was deleted": below(
        "Rutube: Видео удалено, Возможно, оно было удалено автором, 200",
        app(
            "Видео недоступно",
            "<div class='wdp-video-error'><h2>Видео удалено</h2><p>Автор удалил это видео или закрыл свой канал.</p></div>",
            lang="ru",
        ),
        "/video/",
        "1843abcd1843abcd1843abcd1843abcd/",
        lang="ru",
    ),
    "a wall of VKontakte that was deleted": below(
        "ВКонтакте: Страница удалена либо ещё не создана, 200",
        app(
            "Ошибка",
            "<div class='message_page'><div class='message_page_title'>Ошибка</div><div class='message_page_body'>Страница удалена либо ещё не создана.</div></div>",
            lang="ru",
        ),
        "/",
        "smotritel1843",
        lang="ru",
    ),
    "a note of Xiaohongshu that cannot be browsed": below(
        "小红书: 你访问的页面不见了, 笔记不存在, 200",
        app(
            "小红书",
            "<div class='not-found-container'><p>你访问的页面不见了</p><p>当前笔记暂时无法浏览，可能已被作者删除</p><a>返回首页</a></div>",
            lang="zh",
        ),
        "/explore/",
        "1843abcd000000001f00abcd",
        lang="zh",
    ),
    "an article of a public account that its publisher deleted": below(
        "微信公众平台: 该内容已被发布者删除, 200",
        alone(
            "",
            "<div class='weui-msg'><h2 class='weui-msg__title'>该内容已被发布者删除</h2></div>",
            lang="zh",
        ),
        "/s/",
        "AbCdEf1843GhIjKlMnOpQr",
        lang="zh",
    ),
    "a café's post in Korean that was erased": below(
        "네이버 카페: 삭제되었거나 없는 게시글입니다, 200",
        board(
            "알림",
            "<div class='error_content'><h2>삭제되었거나 없는 게시글입니다.</h2><a href='/'>카페 홈으로 가기</a></div>",
            lang="ko",
        ),
        "/ArticleRead.nhn?articleid=",
        "1843",
        lang="ko",
    ),
    "a diary of Japan that its writer withdrew": below(
        "note, はてな and others: この記事は公開されていません, 削除されました, 200",
        app(
            "記事が見つかりません",
            "<main><h1>お探しの記事は見つかりませんでした。</h1><p>この記事は投稿者によって削除されたか、非公開に設定されています。</p></main>",
            lang="ja",
        ),
        "/todai/n/",
        "n1843abcd",
        lang="ja",
    ),
    "a question whose asker deleted it": below(
        "Quora: This question has been deleted, 200",
        app(
            "Quora",
            "<div class='q-box'><h1>Content deleted</h1><p>This question was deleted by its author and its answers are no longer shown.</p></div>",
        ),
        "/",
        "Why-does-colza-oil-smoke",
    ),
    "a petition in French that was withdrawn": below(
        "plateformes de pétitions: Cette pétition a été supprimée, 200",
        blocks(
            "Pétition supprimée",
            "<h1>Cette pétition n'existe plus</h1><p>Elle a été supprimée par son auteur ou par notre équipe de modération.</p>",
            lang="fr",
        ),
        "/petitions/",
        "rallumons-le-phare/1843",
        lang="fr",
    ),
    "a channel that Twitch cannot find in Portuguese": below(
        "Twitch: Desculpe. A menos que tenha uma máquina do tempo, esse conteúdo não está disponível., 200",
        app(
            "Twitch",
            "<div data-a-target='core-error-message'>Desculpe. A menos que tenha uma máquina do tempo, esse conteúdo não está disponível.</div><button>Procurar canais</button>",
            lang="pt",
        ),
        "/videos/",
        "101843",
        lang="pt",
    ),
    "a song that SoundCloud cannot find": below(
        "SoundCloud: We can't find that track, 200, from scripts, here rendered",
        app(
            "Something went wrong on SoundCloud",
            "<div class='errorPage'><h1 class='errorTitle'>We can’t find that track.</h1><p>Maybe the track has been removed. Try searching, or browse popular tracks.</p></div>",
        ),
        "/harborlights/",
        "fog-horn-dub",
    ),
}

_RECORDS: dict[str, Seen] = {
    "a paste that has expired": below(
        "pastebins: This paste has expired, 200",
        alone(
            "Paste not found",
            "<h1>Paste not found</h1><p>This paste has expired, was removed by its creator, or never existed.</p><a href='/'>New paste</a>",
        ),
        "/p/",
        "Ab1843",
    ),
    "PrivateBin holds nothing under that name": below(
        "PrivateBin/PrivateBin: Document does not exist, has expired or has been deleted., 200, from scripts, here rendered",
        office(
            "PrivateBin",
            "<div role='alert' class='alert alert-danger'>Document does not exist, has expired or has been deleted.</div>",
        ),
        "/?",
        "1843abcd1843abcd",
    ),
    "a short address whose notice says it was turned off": below(
        "shorteners: This link has been disabled or removed, 200",
        alone(
            "Link unavailable",
            "<h1>This link is no longer active</h1><p>The owner has deleted it or it has reached its expiry date.</p><a href='/'>Create your own short link</a>",
        ),
        "/",
        "l4mp43",
    ),
    "a file of Gofile that was not found": below(
        "Gofile: This content does not exist, 200",
        app(
            "Gofile",
            "<div class='alert'><p>This content does not exist</p><p>The content you are looking for could not be found. It may have been deleted by its owner or expired.</p></div>",
        ),
        "/d/",
        "Lm1843",
    ),
    "a file of a Russian cloud": below(
        "облака: Ничего не найдено, владелец удалил файлы или закрыл доступ, 200",
        app(
            "Ничего не найдено",
            "<div class='error__body'><h1>Ничего не найдено</h1><p>Возможно, владелец удалил файлы или закрыл доступ, а может быть, вы перешли по ссылке с опечаткой.</p></div>",
            lang="ru",
        ),
        "/d/",
        "L1843abcdEFG",
        lang="ru",
    ),
    "a share of Baidu's disk that was cancelled": below(
        "百度网盘: 啊哦，你来晚了，分享的文件已经被取消了，下次要早点哟, 200",
        app(
            "百度网盘-链接不存在",
            "<div id='share_nofound_des'>啊哦，你来晚了，分享的文件已经被取消了，下次要早点哟。</div>",
            lang="zh",
        ),
        "/s/",
        "1Lamp1843abcd",
        lang="zh",
    ),
    "a form that takes no more, for it is gone": below(
        "Typeform, Google Forms: The form has been deleted by its owner, 200",
        alone(
            "Form not found",
            "<h1>Sorry, this form doesn't exist any more</h1><p>It was deleted by its owner.</p>",
        ),
        "/to/",
        "Lamp1843",
    ),
    "an event that Meetup cannot show": below(
        "Meetup: The event you are looking for has been deleted, 200",
        app(
            "Event not found",
            "<main><h1>The event you're looking for no longer exists</h1><p>It was deleted by the organizer. Find something else to do this weekend.</p></main>",
        ),
        "/keepers-of-the-light/events/",
        "301843",
    ),
    "a recipe in Swedish that the kitchen removed": below(
        "receptsajter: Receptet finns inte längre, 200",
        blocks(
            "Receptet hittades inte",
            "<h1>Receptet finns tyvärr inte längre</h1><p>Vi har städat bland våra recept. Här är några andra favoriter.</p><ul><li><a href='/recept/1'>Fiskgryta</a></li></ul>",
            lang="sv",
        ),
        "/recept/",
        "fyrvaktarens-soppa-1843",
        lang="sv",
    ),
    "a recipe in Polish that was taken down": below(
        "serwisy kulinarne: Ten przepis został usunięty, 200",
        blocks(
            "Brak przepisu",
            "<h1>Ten przepis został usunięty</h1><p>Autor przepisu usunął go ze swojego profilu.</p>",
            lang="pl",
        ),
        "/przepis/",
        "zupa-latarnika",
        lang="pl",
    ),
    "a film that a catalog of television dropped": below(
        "broadcasters: This programme is no longer available, 200, without its data",
        app(
            "Not available",
            "<main><h1>Sorry, this programme is no longer available</h1><p>Programmes are available for 30 days after they are broadcast.</p></main>",
        ),
        "/iplayer/episode/",
        "m0001843",
    ),
    "a decision that a court's site does not find, in German": below(
        "Rechtsprechung im Internet: Das Dokument wurde nicht gefunden, 200",
        office(
            "Dokument nicht gefunden",
            "<h2>Das angeforderte Dokument wurde nicht gefunden.</h2><p>Möglicherweise wurde es aus dem Bestand entfernt.</p>",
            lang="de",
        ),
        "/jportal/?quelle=jlink&docid=",
        "JURE184300001",
        lang="de",
    ),
    "an item of a repository that its school withdrew, in Portuguese": below(
        "repositories of Brazil: identificador inválido, 200",
        office(
            "Recurso não encontrado",
            "<div class='alert'><h2>Identificador inválido</h2><p>O identificador 1843/77 não corresponde a um objeto válido neste repositório. O item pode ter sido retirado.</p></div>",
            lang="pt",
        ),
        "/handle/",
        "1843/77",
        lang="pt",
    ),
    "a page of a professor who has left": below(
        "universities: User not found: this person is no longer listed in the directory, 200",
        office(
            "Staff directory",
            "<h1>Person not found</h1><p>No current member of staff has this page. Pages are removed when somebody leaves the university.</p>",
            name="Harbor University",
        ),
        "/~",
        "ekeeper/publications.html",
    ),
    "an interface that says no such record with success in its status": Seen(
        source="older JSON interfaces: {status:error,code:404}, 200",
        reply=plain(
            '{"status":"error","error":{"code":404,"message":"Lighthouse not found"},"data":null}',
            kind="application/json",
        ),
        path="/api/v1/lighthouses/1843",
        under="/api/v1/lighthouses/",
    ),
    "an interface in GraphQL's manner has nothing": Seen(
        source="GraphQL servers: errors with NOT_FOUND, 200",
        reply=plain(
            '{"errors":[{"message":"Could not resolve to a Lighthouse with the name of \'1843\'.","extensions":{"code":"NOT_FOUND"}}],"data":{"lighthouse":null}}',
            kind="application/json",
        ),
        path="/graphql?query=%7Blighthouse(name%3A%221843%22)%7Bid%7D%7D",
        under="/graphql?query=",
    ),
    "a story that a paper in Spanish retired": below(
        "diarios: Esta noticia ya no está disponible, 200",
        blocks(
            "Noticia no disponible",
            f"<h1>Esta noticia ya no está disponible</h1><p>El contenido al que intenta acceder ha sido retirado.</p><h2>Lo más leído</h2>{story('es')}",
            lang="es",
        ),
        "/noticias/",
        "2019/11/05/faro-1843.html",
        lang="es",
    ),
    "a wire of news in Turkish whose story was taken back": below(
        "haber siteleri: Bu haber yayından kaldırılmıştır, 200",
        blocks(
            "Haber bulunamadı",
            "<h1>Bu haber yayından kaldırılmıştır</h1><p>Aradığınız haber mahkeme kararıyla veya editör tarafından kaldırılmış olabilir.</p>",
            lang="tr",
        ),
        "/haber/",
        "fener-1843",
        lang="tr",
    ),
}

CASES: list[Case] = [
    gone(name, each.source, each.site, *_FLAGS, path=each.path)
    for part in (_JOBS_AND_HOMES, _GOODS, _POSTS, _RECORDS)
    for name, each in part.items()
]
