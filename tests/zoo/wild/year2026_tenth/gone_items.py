"""Deleted, sold, filled and expired items that their sites answer with a 200."""

# ruff: noqa: E501, RUF001
from tests.zoo.wild.case import Case, gone, html, plain
from tests.zoo.wild.year2026_tenth.frames import (
    Seen,
    alone,
    app,
    below,
    board,
    manual,
    news,
    office,
    prose,
    store,
)

_FLAGS = ("error_page", "same_for_all")

_JOBS: dict[str, Seen] = {
    "a job in Japanese whose recruitment has ended": below(
        "採用サイトのテンプレート: この求人は募集を終了したか、非公開になっている可能性があります, 200",
        office(
            "求人が見つかりません",
            "<h1>求人が見つかりません</h1><p>この求人は募集を終了したか、非公開になっている可能性があります。</p><a href='/jobs'>求人一覧へ戻る</a>",
            lang="ja",
        ),
        "/jobs/",
        "1904-driver",
        lang="ja",
    ),
    "a job of an applicant tracking system that is no longer open": below(
        "career-ops-hq/career-ops pull request 135: The job you are looking for is no longer open, with Apply in the footer",
        office(
            "Careers",
            "<h1>Careers</h1><p>The job you are looking for is no longer open.</p><h2>Join our talent community</h2><p>Apply to hear about new roles.</p><a class='btn' href='/talent'>Apply</a>",
        ),
        "/careers/jobs/",
        "4045191904",
    ),
    "a job of a Spanish board that is not active": below(
        "extractores de ofertas: Esta oferta de empleo ya no está activa",
        store(
            "Oferta no disponible",
            "<div class='box'><h1>Esta oferta de empleo ya no está activa</h1><p>La empresa ha cerrado el proceso de selección.</p><a href='/empleos'>Ver ofertas similares</a></div>",
            lang="es",
        ),
        "/ofertas-de-trabajo/",
        "conductor-de-tranvia-1904",
        lang="es",
    ),
    "a position at a software foundation that is not open": below(
        "mozilla/bedrock issue 11060: Sorry, that doesn't seem to be an open position",
        office(
            "Position not found",
            "<h1>Sorry, that doesn't seem to be an open position</h1><p>Check out our current job listings.</p>",
        ),
        "/careers/position/gh/",
        "191904/",
    ),
    "a post in Polish whose recruitment is over": below(
        "portale pracy: Oferta wygasła lub została usunięta, 200",
        store(
            "Oferta nieaktualna",
            "<h1>Ta oferta pracy jest już nieaktualna</h1><p>Pracodawca zakończył zbieranie zgłoszeń. Zobacz podobne oferty.</p>",
            lang="pl",
        ),
        "/praca/",
        "motorniczy,oferta,1904",
        lang="pl",
    ),
    "a position in Hungarian that was filled": below(
        "állásportálok: Ez az álláshirdetés már nem aktuális, 200",
        store(
            "Lejárt hirdetés",
            "<h1>Ez az álláshirdetés már nem aktuális</h1><p>A hirdető lezárta a jelentkezést, az állás leírása nem tekinthető meg.</p>",
            lang="hu",
        ),
        "/allas/",
        "villamosvezeto/1904/1",
        lang="hu",
    ),
    "a job in Arabic that is closed": below(
        "مواقع التوظيف: هذه الوظيفة لم تعد متاحة, 200",
        store(
            "الوظيفة غير متاحة",
            "<h1>عذراً، هذه الوظيفة لم تعد متاحة</h1><p>ربما تم شغلها أو انتهت مدة الإعلان.</p>",
            lang="ar",
        ),
        "/ar/job/",
        "sa2q-1904",
        lang="ar",
    ),
}

_HOMES: dict[str, Seen] = {
    "a property that is no longer available to rent": below(
        "property templates: The property you are looking for is no longer available or does not exist., 200",
        store(
            "Properties",
            "<div class='page-projects'><p>The property you are looking for is no longer available or does not exist.</p><a href='/properties' class='btn-default'>View all properties</a></div>",
        ),
        "/property/",
        "depot-lane-7",
    ),
    "a flat in Portuguese that left the portal": below(
        "portais imobiliários: Este anúncio já não se encontra disponível, 200",
        store(
            "Anúncio indisponível",
            "<h1>Lamentamos, este anúncio já não se encontra publicado</h1><p>O anunciante desativou-o. Veja imóveis semelhantes na zona.</p>",
            lang="pt",
        ),
        "/imovel/",
        "31904007/",
        lang="pt",
    ),
    "an apartment in Korean whose listing ended": below(
        "부동산 앱: 이미 거래가 완료되었거나 삭제된 매물입니다, 200",
        app(
            "매물 정보",
            "<div class='empty'><p>이미 거래가 완료되었거나 삭제된 매물입니다.</p><button>다른 매물 보기</button></div>",
            lang="ko",
        ),
        "/house/",
        "1904007",
        lang="ko",
    ),
    "a used car in German that is no longer advertised": below(
        "Autobörsen: Das Fahrzeug ist leider nicht mehr verfügbar, 200",
        store(
            "Fahrzeug nicht gefunden",
            "<div class='expired'><h1>Das Fahrzeug wurde verkauft oder das Inserat gelöscht</h1><p>Ähnliche Angebote finden Sie hier.</p></div>",
            lang="de",
        ),
        "/fahrzeuge/details.html?id=",
        "319040070",
        lang="de",
    ),
    "a boat in Greek whose advertisement expired": below(
        "μικρές αγγελίες: Η αγγελία δεν είναι πλέον διαθέσιμη, 200",
        store(
            "Η αγγελία έληξε",
            "<h1>Η αγγελία αυτή δεν είναι πλέον διαθέσιμη</h1><p>Έχει λήξει ή έχει αφαιρεθεί από τον χρήστη.</p>",
            lang="el",
        ),
        "/aggelia/",
        "skafos-19040007",
        lang="el",
    ),
    "a second-hand sofa in Swedish that was removed": below(
        "annonssajter: Annonsen är borttagen, 200",
        store(
            "Annonsen hittades inte",
            "<h1>Hoppsan! Annonsen finns inte kvar</h1><p>Den är såld eller borttagen av säljaren.</p>",
            lang="sv",
        ),
        "/annons/",
        "1904007",
        lang="sv",
    ),
    "a bicycle in Finnish whose listing was removed": below(
        "myyntipaikat: Ilmoitusta ei ole enää olemassa, 200",
        store(
            "Ilmoitusta ei löydy",
            "<h1>Hakemaasi ilmoitusta ei enää ole</h1><p>Kohde on todennäköisesti jo myyty.</p>",
            lang="fi",
        ),
        "/vapaa-aika/",
        "19040071",
        lang="fi",
    ),
    "a flea market item in Japanese that was deleted": below(
        "フリマアプリ: この商品は削除されました, 該当する商品は削除されています, 200",
        app(
            "商品が見つかりません",
            "<div role='alert'><p>該当する商品は削除されています。</p><a href='/'>トップへ</a></div>",
            lang="ja",
        ),
        "/item/",
        "m19040071904",
        lang="ja",
    ),
    "a holiday cottage in Danish that can no longer be booked": below(
        "sommerhusudlejning: Huset udlejes ikke længere, 200",
        store(
            "Huset findes ikke",
            "<h1>Dette sommerhus udlejes ikke længere gennem os</h1><p>Se andre huse i området.</p>",
            lang="da",
        ),
        "/sommerhus/",
        "07-1904",
        lang="da",
    ),
}

_GOODS: dict[str, Seen] = {
    "a product of a shop whose template says 404 beside a banner with a price": below(
        "jez500/pricebuddy pull request 201: Shopify template-404, a banner with a dollar amount, 200",
        store(
            "404 Not Found &ndash; Tram parts",
            "<div class='announcement-bar'>Free shipping for orders over $899!</div><div class='template-404'><h1>404</h1><p>The page you requested does not exist. Click <a href='/collections/all'>here</a> to continue shopping.</p></div>",
        ),
        "/products/",
        "brake-handle-7",
    ),
    "a model kit in Polish that was withdrawn": below(
        "sklepy na IdoSell: Produkt niedostępny, wycofany z oferty, 200",
        store(
            "Produkt wycofany",
            "<div class='message'><h1>Ten produkt został wycofany ze sprzedaży</h1><p>Nie możemy pokazać jego opisu. Sprawdź nowości w tej kategorii.</p></div>",
            lang="pl",
        ),
        "/product-pol-",
        "1904-Model-tramwaju.html",
        lang="pl",
    ),
    "a tea in Turkish that the shop no longer lists": below(
        "e-ticaret siteleri: Bu ürün artık satışta değil, 200",
        store(
            "Ürün bulunamadı",
            "<h1>Aradığınız ürün bulunamadı</h1><p>Ürün satıştan kaldırılmış olabilir.</p>",
            lang="tr",
        ),
        "/urun/",
        "cay-1904-p-7",
        lang="tr",
    ),
    "a mobile app that its store in English cannot find": below(
        "app stores of phone makers: App not found or removed by its developer, 200",
        app(
            "App Gallery",
            "<div class='noapp'><p>This app has been removed from the store.</p></div>",
        ),
        "/app/",
        "C1904007",
    ),
    "a game of an independent store that its author took down": below(
        "itch.io and others: the creator of this project has disabled access or deleted it, 200",
        alone(
            "Project unavailable",
            "<h1>This project was removed</h1><p>The developer of Tram Tycoon has deleted it.</p><a href='/games'>Browse games</a>",
        ),
        "/games/",
        "tram-tycoon",
    ),
    "a plugin that a directory closed, without its description": below(
        "WordPress.org plugin directory: This plugin has been closed and is not available for download, only the notice",
        office(
            "Closed plugin",
            "<div class='plugin-notice notice-error'><p>This plugin has been closed as of April 7, 2025 and is not available for download. This closure is permanent. Reason: Author Request.</p></div>",
        ),
        "/plugins/",
        "tram-timetable/",
    ),
    "a workshop add-on in Russian that was deleted": below(
        "Steam: При обработке вашего запроса произошла ошибка, Предмет удалён, 200",
        app(
            "Сообщество Steam :: Ошибка",
            "<div id='message'><h2>Ошибка</h2><h3>Этот предмет был удалён из Мастерской сообщества, поскольку нарушает правила.</h3></div>",
            lang="ru",
        ),
        "/sharedfiles/filedetails/?id=",
        "31904007",
        lang="ru",
    ),
    "an artwork of a poster shop that was taken down": below(
        "print-on-demand shops: This design is no longer available, 200",
        store(
            "Design not available",
            "<h1>Uh-oh, this design is no longer available</h1><p>The artist has removed it or it was taken down. Here's what fans of trams like.</p>",
        ),
        "/i/poster/",
        "Line-7-by-conductor/1904",
    ),
}

_POSTS: dict[str, Seen] = {
    "a user of a Polish joke site who does not exist": below(
        "WebBreacher/WhatsMyName: Demotywatory, Użytkownik o podanym pseudonimie nie istnieje., 200",
        news(
            "Profil",
            "<div class='message'>Użytkownik o podanym pseudonimie nie istnieje.</div>",
            lang="pl",
        ),
        "/user/",
        "motorniczy",
        lang="pl",
    ),
    "a member of a Dutch forum who is not registered": below(
        "WebBreacher/WhatsMyName: Maroc_nl, Deze gebruiker is niet geregistreerd, 200",
        board(
            "Melding",
            "<div class='blockrow restore'>Deze gebruiker is niet geregistreerd en heeft dus geen profiel dat kan worden bekeken.</div>",
            lang="nl",
        ),
        "/forums/members/",
        "conducteur.html",
        lang="nl",
    ),
    "a visitor of a Russian blog who does not exist": below(
        "WebBreacher/WhatsMyName: Oper.ru, Нет такого пользователя, 200",
        board("О посетителе", "<p>Нет такого пользователя.</p>", lang="ru"),
        "/visitors/info.php?t=",
        "vagonovozhatyi",
        lang="ru",
    ),
    "a book collector who deleted the account": below(
        "WebBreacher/WhatsMyName: LibraryThing, Error: This user doesn't exist, 200",
        office("Error", "<h2>Error</h2><p>Error: This user doesn't exist</p>"),
        "/profile/",
        "tramreader",
    ),
    "a wiki farm's user who does not exist": below(
        "WebBreacher/WhatsMyName: Wikidot, User does not exist., 200",
        office("User info", "<div class='error-block'>User does not exist.</div>"),
        "/user:info/",
        "tramguard",
    ),
    "a French blog that does not exist on its host": below(
        "WebBreacher/WhatsMyName: VIP-blog, Blog inexistant, 200",
        news("Blog inexistant", "<p>Blog inexistant</p>", lang="fr"),
        "/blog/",
        "receveur7",
        lang="fr",
    ),
    "a seller whom the auction house cannot find": below(
        "WebBreacher/WhatsMyName: eBay, The User ID you entered was not found, 200",
        store(
            "Error",
            "<div class='error'><h1>The User ID you entered was not found</h1><p>Please check the User ID and try again.</p></div>",
        ),
        "/usr/",
        "tram_parts_1904",
    ),
    "a post of a short-message service whose author's account is suspended": below(
        "X: Something went wrong / Account suspended, 200, from scripts, here rendered",
        app(
            "Profile / X",
            "<div data-testid='empty_state_header_text'>Account suspended</div><div data-testid='empty_state_body_text'>X suspends accounts which violate the X Rules.</div>",
        ),
        "/tramnews7/status/",
        "1904000007",
    ),
    "a photo page whose album was deleted, in Italian": below(
        "servizi di foto: Questo album è stato eliminato, 200",
        app(
            "Album",
            "<div class='state'><h1>Questo album è stato eliminato</h1><p>Il proprietario ha rimosso le foto.</p></div>",
            lang="it",
        ),
        "/album/",
        "tram-2011",
        lang="it",
    ),
    "a video in French that its host removed": below(
        "Dailymotion, PeerTube: Cette vidéo a été supprimée, 200",
        app(
            "Vidéo indisponible",
            "<div class='player-error'><h2>Contenu supprimé</h2><p>La vidéo que vous souhaitez regarder a été supprimée par son propriétaire.</p></div>",
            lang="fr",
        ),
        "/video/",
        "x1904tr",
        lang="fr",
    ),
    "a playlist of a music service that is gone, in German": below(
        "Musikdienste: Diese Playlist gibt es nicht mehr, 200",
        app(
            "Seite nicht gefunden",
            "<main><h1>Diese Playlist gibt es nicht mehr</h1><p>Sie wurde gelöscht oder auf privat gestellt.</p></main>",
            lang="de",
        ),
        "/playlist/",
        "37i9dQ1904",
        lang="de",
    ),
    "a podcast episode that was unpublished": below(
        "podcast hosts: Episode not found, this episode may have been unpublished, 200",
        app(
            "Episode not found",
            "<h1>Episode not found</h1><p>This episode has been unpublished or deleted by its creator.</p>",
        ),
        "/show/lines/episode/",
        "sand-on-the-rails",
    ),
    "a paste in Chinese that has expired": below(
        "剪贴板网站: 该内容已过期或不存在, 200",
        alone("提示", "<p>该内容已过期或不存在</p><a href='/'>新建</a>", lang="zh"),
        "/p/",
        "t1904x",
        lang="zh",
    ),
    "a question in Chinese that was removed": below(
        "知乎: 你似乎来到了没有知识存在的荒原, a marker of several extractors, 200, here rendered",
        app(
            "你似乎来到了没有知识存在的荒原 - 知乎",
            "<div class='ErrorPage'><p>你似乎来到了没有知识存在的荒原</p><a href='/'>去往首页</a></div>",
            lang="zh",
        ),
        "/question/",
        "319040007",
        lang="zh",
    ),
    "a story in Vietnamese that was taken down": below(
        "báo điện tử: Bài viết không tồn tại hoặc đã bị gỡ, 200",
        news(
            "Không tồn tại",
            "<p class='err'>Bài viết không tồn tại hoặc đã bị gỡ bỏ.</p>",
            lang="vi",
        ),
        "/tin-tuc/",
        "tau-dien-so-7-1904.html",
        lang="vi",
    ),
    "a fan fiction chapter that its author removed": below(
        "FanFiction.Net: Story Not Found, Unable to locate story. Code 1., a marker of several downloaders, 200",
        office(
            "Story Not Found",
            "<span class='gui_warning'>Story Not Found<hr size='1'>Unable to locate story. Code 1.</span>",
        ),
        "/s/",
        "1904007/1/",
    ),
}

_RECORDS: dict[str, Seen] = {
    "a workshop in German that was cancelled and deleted": below(
        "Veranstaltungskalender: Diese Veranstaltung existiert nicht oder wurde entfernt., 200",
        office(
            "Veranstaltung nicht gefunden",
            "<h2>Veranstaltung nicht gefunden</h2><p>Diese Veranstaltung existiert nicht oder wurde entfernt.</p>",
            lang="de",
        ),
        "/veranstaltungen/",
        "werkstattfuehrung-1904",
        lang="de",
    ),
    "a ticket in a customer portal that was deleted": below(
        "osTicket, UVdesk: Unknown or invalid ticket ID, 200",
        office("Error", "<div id='msg_error'>Unknown or invalid ticket ID.</div>"),
        "/tickets.php?id=",
        "1904007",
    ),
    "a file on a host in Ukrainian that was deleted": below(
        "файлообмінники: Файл не знайдено або його було видалено, 200",
        alone(
            "Файл не знайдено",
            "<h1>Файл не знайдено</h1><p>Можливо, термін зберігання минув і його було видалено.</p>",
            lang="uk",
        ),
        "/file/",
        "tram1904",
        lang="uk",
    ),
    "a shared folder in German whose link no longer works": below(
        "Nextcloud: Diese Freigabe existiert nicht oder ist nicht mehr verfügbar, here with a 200 from a proxy's error page",
        alone(
            "Cloud",
            "<h2>Freigabe nicht gefunden</h2><p>Diese Freigabe existiert nicht oder ist nicht mehr verfügbar</p>",
            lang="de",
        ),
        "/s/",
        "WaGeN1904seven",
        lang="de",
    ),
    "a recipe in French that was withdrawn": below(
        "sites de recettes: Cette recette n'est plus disponible, 200",
        news(
            "Recette introuvable",
            f"<h1>Cette recette n'est plus en ligne</h1><p>Son auteur l'a retirée.</p><section><h2>À lire aussi</h2>{prose('fr')}</section>",
            lang="fr",
        ),
        "/recettes/",
        "gateau-du-receveur-1904.aspx",
        lang="fr",
    ),
    "a package that a registry of a language does not know": below(
        "registries rendered by scripts: Package not found, 200",
        app(
            "Packages",
            "<div class='crate-error'><h1>tram-brake: Package not found</h1><p>It has never existed or was deleted by its owner.</p></div>",
        ),
        "/packages/",
        "tram-brake",
    ),
    "a manual's page that its version does not have": below(
        "docs portals with a version switch: This page doesn't exist in this version, 200",
        manual(
            "Page unavailable",
            "<h1>This page is not available in version 1.4</h1><p>The topic was removed or never existed in this version of the documentation.</p><a href='/docs/1.4/'>Start page of 1.4</a>",
        ),
        "/docs/1.4/",
        "sandbox.html",
    ),
    "an interface in Korean answers an error code in its body": Seen(
        source="공공데이터 interfaces: resultCode 03, NODATA_ERROR, 200",
        reply=plain(
            '{"response":{"header":{"resultCode":"03","resultMsg":"NODATA_ERROR: 데이터가 없습니다."},"body":null}}',
            kind="application/json; charset=utf-8",
        ),
        path="/api/tram/stations/1904",
        lang="ko",
        under="/api/tram/stations/",
    ),
    "a library record in Spanish that the catalog deleted": below(
        "catálogos de bibliotecas: El registro solicitado ya no existe, 200",
        office(
            "Catálogo",
            "<div class='alert'>El registro solicitado ha sido eliminado del catálogo.</div><a href='/'>Nueva búsqueda</a>",
            lang="es",
        ),
        "/registro/",
        "b1904007",
        lang="es",
    ),
    "a thread in Indonesian that moderators removed": below(
        "forum: Thread yang kamu cari tidak ditemukan atau telah dihapus, 200",
        board(
            "Thread tidak ditemukan",
            "<div class='blockMessage'>Thread yang kamu cari tidak ditemukan atau telah dihapus oleh moderator.</div>",
            lang="id",
        ),
        "/thread/",
        "5d1904/trem-tua",
        lang="id",
    ),
}
# A living neighbor next to a missing item: the host answers the two differently.
_LIVING = {
    "/stories/car-12": html(news("Car 12", f"<h1>Car 12</h1>{prose('en', 2)}")),
    "/stories/": html(
        news("Stories", f"<h1>Stories</h1><a href='/stories/car-12'>Car 12</a>{prose()}")
    ),
}
_RECORDS["a story that was unpublished among stories that stand"] = below(
    "headless content systems: an unpublished entry renders the template with its fallback, 200",
    news(
        "Untitled",
        "<article><h1>Sorry, we couldn't load this story</h1><p>It may have been unpublished. <a href='/stories/'>All stories</a></p></article>",
    ),
    "/stories/",
    "car-7",
    near=_LIVING,
)

CASES: list[Case] = [
    gone(name, each.source, each.site, *_FLAGS, path=each.path)
    for part in (_JOBS, _HOMES, _GOODS, _POSTS, _RECORDS)
    for name, each in part.items()
]
