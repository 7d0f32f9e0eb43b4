"""Pages that say that they are not there, with a 200, in the languages of the world."""

# ruff: noqa: RUF001
from collections.abc import Iterator

from tests.zoo.wild.case import Case, gone, html, wire
from tests.zoo.wild.pages import bare, modern, old, prose, shop, swallowing

_SAYS_SO = ("error_page", "same_for_all")
_SOURCE = "public form: a content management system's own page for what it does not find"

# Language, title, heading, sentence. Some say it in the title only, some in the heading only.
_PAGES = [
    ("en", "Page not found – River Museum", "Oops! That page can’t be found.", "Try a search?"),
    ("en", "River Museum", "We couldn't find that page", "It may have been moved or deleted."),
    ("en", "Sorry, this page isn't available", "Sorry, this page isn't available.", "Broken link."),
    ("en", "Error 404 | River Museum", "Something went missing", "The link is out of date."),
    ("de", "Seite nicht gefunden – Flussmuseum", "Hoppla!", "Die Seite gibt es nicht mehr."),
    ("de", "Flussmuseum", "Diese Seite existiert nicht (mehr)", "Bitte nutzen Sie die Suche."),
    ("fr", "Page non trouvée - Musée", "Oups !", "La page que vous cherchez n'existe pas."),
    ("fr", "Musée du fleuve", "Cette page est introuvable", "Elle a peut-être été déplacée."),
    ("es", "Página no encontrada | Museo", "¡Vaya!", "La página que buscas no existe."),
    ("es", "Museo del río", "No se ha encontrado la página", "Vuelva al inicio."),
    ("pt", "Página não encontrada | Museu", "Ops!", "O endereço pode estar errado."),
    ("it", "Pagina non trovata - Museo", "Ops!", "La pagina cercata non esiste."),
    ("nl", "Pagina niet gevonden | Museum", "Helaas!", "Deze pagina bestaat niet (meer)."),
    ("sv", "Sidan kunde inte hittas | Museet", "Hoppsan!", "Sidan du söker finns inte."),
    ("nb", "Museet", "Siden ble ikke funnet", "Siden du leter etter finnes ikke."),
    ("da", "Siden blev ikke fundet – Museet", "Ups!", "Siden findes ikke længere."),
    ("fi", "Sivua ei löytynyt | Museo", "Hups!", "Etsimääsi sivua ei ole olemassa."),
    ("is", "Síðan fannst ekki", "Síðan fannst ekki", "Síðan sem þú leitar að er ekki til."),
    ("pl", "Nie znaleziono strony - Muzeum", "Ups!", "Strona, której szukasz, nie istnieje."),
    ("pl", "Muzeum", "Strona nie została znaleziona", "Sprawdź adres."),
    ("cs", "Stránka nenalezena | Muzeum", "Jejda!", "Hledaná stránka neexistuje."),
    ("sk", "Stránka sa nenašla", "Stránka sa nenašla", "Hľadaná stránka neexistuje."),
    ("hu", "Az oldal nem található – Múzeum", "Hoppá!", "A keresett oldal nem létezik."),
    ("ro", "Pagina nu a fost găsită", "Pagina nu a fost găsită", "Pagina căutată nu există."),
    ("bg", "Страницата не е намерена", "Опа!", "Търсената от вас страница не съществува."),
    ("ru", "Страница не найдена — Музей", "Упс!", "Запрошенная страница удалена."),
    ("ru", "Музей реки", "Такой страницы не существует", "Возможно, она была удалена."),
    ("uk", "Сторінку не знайдено", "Ой!", "Сторінка, яку ви шукаєте, не існує."),
    ("sr", "Страница није пронађена", "Упс!", "Тражена страница не постоји."),
    ("hr", "Stranica nije pronađena", "Ups!", "Tražena stranica ne postoji."),
    ("sl", "Strani ni mogoče najti", "Ojej!", "Iskana stran ne obstaja."),
    ("el", "Η σελίδα δεν βρέθηκε", "Ωχ!", "Η σελίδα που ζητήσατε δεν υπάρχει."),
    ("tr", "Sayfa bulunamadı - Müze", "Hay aksi!", "Aradığınız sayfa mevcut değil."),
    ("ar", "الصفحة غير موجودة - المتحف", "عذراً!", "لم يتم العثور على الصفحة المطلوبة."),
    ("he", "הדף לא נמצא", "אופס!", "הדף שחיפשת אינו קיים."),
    ("fa", "صفحه مورد نظر یافت نشد", "متأسفیم!", "صفحه‌ای که دنبال آن هستید وجود ندارد."),
    ("hi", "पृष्ठ नहीं मिला", "क्षमा करें!", "आप जो पृष्ठ खोज रहे हैं वह मौजूद नहीं है।"),
    ("bn", "পৃষ্ঠাটি পাওয়া যায়নি", "দুঃখিত!", "আপনি যে পৃষ্ঠা খুঁজছেন তা নেই।"),
    ("ta", "பக்கம் கிடைக்கவில்லை", "மன்னிக்கவும்!", "நீங்கள் தேடும் பக்கம் இல்லை."),
    ("th", "ไม่พบหน้าที่คุณต้องการ", "ขออภัย", "หน้าที่คุณกำลังค้นหาไม่มีอยู่"),
    ("vi", "Không tìm thấy trang", "Rất tiếc!", "Trang bạn tìm không tồn tại."),
    ("id", "Halaman tidak ditemukan", "Ups!", "Halaman yang Anda cari tidak ada."),
    (
        "ko",
        "페이지를 찾을 수 없습니다",
        "죄송합니다",
        "요청하신 페이지가 삭제되었거나 주소가 변경되었습니다.",
    ),
    (
        "ja",
        "ページが見つかりません | 博物館",
        "お探しのページは見つかりませんでした",
        "移動した可能性があります。",
    ),
    ("ja", "博物館", "お探しのページは存在しません", "URLをご確認ください。"),
    ("zh", "页面不存在 - 博物馆", "抱歉", "您访问的页面不存在或已被删除。"),
    ("zh-TW", "找不到網頁", "找不到您要的網頁", "網頁可能已移除。"),
    ("et", "Lehekülge ei leitud", "Vabandust!", "Otsitavat lehekülge ei ole olemas."),
    ("lv", "Lapa nav atrasta", "Diemžēl!", "Meklētā lapa neeksistē."),
    ("lt", "Puslapis nerastas", "Atsiprašome!", "Ieškomas puslapis neegzistuoja."),
    ("ca", "No s'ha trobat la pàgina", "Ui!", "La pàgina que cerqueu no existeix."),
    ("eu", "Ez da orria aurkitu", "Barkatu!", "Bilatzen duzun orria ez da existitzen."),
    ("gl", "Páxina non atopada", "Vaia!", "A páxina que buscas non existe."),
    ("ka", "გვერდი ვერ მოიძებნა", "უკაცრავად!", "მოთხოვნილი გვერდი არ არსებობს."),
    ("cy", "Heb ganfod y dudalen", "Wps!", "Nid yw'r dudalen hon yn bodoli."),
]


def _in_languages() -> Iterator[Case]:
    for number, (lang, title, heading, sentence) in enumerate(_PAGES):
        content = f"<h1>{heading}</h1><p>{sentence}</p>"
        make = shop if number % 3 == 0 else modern
        page = html(make(title, content, lang=lang))
        yield gone(
            f"says in {lang} that it is not there, {number}", _SOURCE, swallowing(page), *_SAYS_SO
        )


def _in_charsets() -> Iterator[Case]:
    pages = {
        "windows-1251": ("Страница не найдена", "К сожалению, такой страницы нет."),
        "koi8-r": ("Страница не найдена", "Документ удалён."),
        "shift_jis": ("ページが見つかりません", "お探しのページは削除されました。"),
        "euc-jp": ("ページが見つかりません", "お探しのページは削除されました。"),
        "euc-kr": ("페이지를 찾을 수 없습니다", "삭제되었거나 변경된 페이지입니다."),
        "gb18030": ("页面未找到", "您访问的页面不存在。"),
        "big5": ("找不到網頁", "您要的網頁不存在。"),
        "iso-8859-2": ("Nie znaleziono strony", "Strona została usunięta."),
        "iso-8859-1": ("Page non trouvée", "La page demandée n'existe plus."),
        "utf-16": ("Strona nie została znaleziona", "Plik UTF-16 z BOM."),
    }
    for number, (charset, (title, sentence)) in enumerate(pages.items()):
        in_meta = number % 2 == 0 or charset == "utf-16"
        text = old(title, f"<H1>{title}</H1>{sentence}", charset=charset if in_meta else None)
        page = html(text, charset=charset, said=None if in_meta else charset)
        word = "meta" if in_meta else "header"
        yield gone(
            f"says in {charset}, named by its {word}, that it is not there",
            "public form: sites older than UTF-8",
            swallowing(page),
            *_SAYS_SO,
        )


def _in_charsets_named_wrongly() -> Iterator[Case]:
    source = "pages of one charset on servers that name another"
    russian = old("Страница не найдена", "<H1>Страница не найдена</H1>", charset="windows-1251")
    czech = old("Stránka nenalezena", "<H1>Stránka nenalezena</H1>")
    for name, reply in (
        (
            "the header's charset is wrong, the page's own is right, and it is not there",
            html(russian, charset="windows-1251", said="utf-8"),
        ),
        ("UTF-8 that nobody names, and it is not there", html(czech, said=None)),
        ("UTF-8 with a mark, and it is not there", html(czech, charset="utf-8-sig", said=None)),
    ):
        yield gone(name, source, swallowing(reply), *_SAYS_SO)
    page = czech.encode()
    head = b"HTTP/1.1 200 OK\r\n<b>Notice</b>: index in a.php\r\nContent-Type: text/html\r\n\r\n"
    yield gone(
        "a malformed header line above a page that is not there",
        "scripts that print their warnings before the page",
        swallowing(wire(head, page)),
        *_SAYS_SO,
    )


def _makes() -> Iterator[Case]:
    """Yield further ways to say it."""
    pages = {
        "an Apache page passed on with a 200 by a proxy": bare(
            "404 Not Found", "<p>The requested URL was not found on this server.</p>"
        ),
        "an IIS page passed on with a 200": bare(
            "404 - File or directory not found.", "<h3>The resource might have been removed.</h3>"
        ),
        "a shop that says the product is no longer available": shop(
            "Product not found", "<h1>This product is no longer available</h1>"
        ),
        "a job board whose posting is over": modern(
            "Job not found", "<h1>This job posting is no longer available</h1><p>It expired.</p>"
        ),
        "a video site whose video was removed": modern(
            "Video unavailable", "<h1>This video has been removed by the user</h1>"
        ),
        "a forum whose thread was deleted": modern(
            "Riverside Forum - Error",
            "<h1>Error</h1><p>No thread specified. If you followed a valid link, please notify"
            " the administrator</p>",
        ),
        "a title with markup, entities and line breaks": modern(
            "\n   404 &ndash;\n   Page&nbsp;Not&nbsp;Found   \n", "<p>&nbsp;</p>"
        ),
        "a heading made of several elements": modern(
            "River Museum", "<h1 class='e'><span>404</span><br><small>Page not found</small></h1>"
        ),
        "a second heading that says it": modern(
            "River Museum", "<h1>River Museum</h1><h2>404: page not found</h2><p>Sorry.</p>"
        ),
        "a page of the framework for single pages": modern(
            "404: This page could not be found",
            "<div><h1>404</h1><h2>This page could not be found.</h2></div>",
        ),
        "a not-found page with a long list of other articles": modern(
            "Nothing found",
            f"<h1>Nothing Found</h1><p>It seems we can’t find what you’re"
            f" looking for.</p>{prose('en', 6)}",
        ),
        "a repository's page for an item that was withdrawn": modern(
            "Item not found", "<h1>The requested item could not be found or was withdrawn</h1>"
        ),
    }
    for name, text in pages.items():
        yield gone(name, _SOURCE, swallowing(html(text)), *_SAYS_SO)


def _hosts_and_engines() -> Iterator[Case]:
    """Yield what single products and services say, each in its own words."""
    pages = {
        "a content system without the article": modern(
            "404 - Article not found", "<h1>404 - Article not found</h1>"
        ),
        "an application server's page, passed on with a 200": bare(
            "HTTP Status 404 – Not Found",
            "<p>The origin server did not find a current"
            " representation for the target resource.</p><h3>Apache Tomcat/9.0</h3>",
        ),
        "a framework's page, passed on with a 200": bare(
            "The resource cannot be found.",
            "<h2><i>The resource cannot be found.</i></h2><p>HTTP"
            " 404. The resource you are looking for could have been removed.</p>",
        ),
        "a wiki without the article": modern(
            "Brass band - River Wiki",
            "<h1>Brass band</h1><p>There is currently no text in this page. You can search for this"
            " page title in other pages, or create this page.</p>",
        ),
        "one sentence without a title": "<html><body>File not found.</body></html>",
        "another sentence without a title": "No input file specified.",
        "a file host whose file was deleted": modern(
            "File deleted", "<h1>That file isn’t here anymore</h1><p>Someone deleted it.</p>"
        ),
        "a network whose post is not for everybody any more": modern(
            "Error",
            "<h1>This content isn't available right now</h1><p>When this happens, it's"
            " usually because the owner changed who can see it, or it's been deleted.</p>",
        ),
        "a service that was shut down": modern(
            "River Pages has been shut down",
            "<h1>River Pages has been shut down</h1><p>Thank you for twenty years. All homepages"
            " were deleted on 1 March.</p>",
        ),
        "a Japanese host of home pages that ended": modern(
            "サービス終了のお知らせ",
            "<h1>ホームページサービスは終了しました</h1><p>長らくのご利用ありがとうございました。</p>",
            lang="ja",
        ),
        "an account that was suspended at a network": modern(
            "Account suspended",
            "<h1>Account suspended</h1><p>We suspend accounts which violate our rules.</p>",
        ),
    }
    for name, text in pages.items():
        yield gone(name, "public form", swallowing(html(text)), *_SAYS_SO, "parked")


CASES = [
    *_in_languages(),
    *_in_charsets(),
    *_in_charsets_named_wrongly(),
    *_makes(),
    *_hosts_and_engines(),
]
