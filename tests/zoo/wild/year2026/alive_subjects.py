"""Live pages whose subject is what rules look for: sales, parking, ends, withdrawals, numbers."""

# ruff: noqa: RUF001
from tests.zoo.wild.case import Case, alive, html
from tests.zoo.wild.pages import article, modern, prose, site
from tests.zoo.wild.year2026.forms import document

_SOURCE = "false alarms of word lists: pages about wine, films, guidance, traffic"

# Language, title and heading, lead; below it a whole article.
_LONG = {
    "a wine estate for sale": (
        "fr",
        "Domaine viticole à vendre en Bourgogne",
        "Ce domaine est à vendre avec ses douze hectares de vignes et son chai.",
    ),
    "a wine estate for sale, in English": (
        "en",
        "This domaine is for sale: twelve hectares in Burgundy",
        "The domain is for sale with its cellar.",
    ),
    "an estate in Spanish for sale": (
        "es",
        "Este dominio vinícola está en venta",
        "La finca se vende con su bodega y sus barricas.",
    ),
    "a demesne in German for sale": (
        "de",
        "Domäne am Fluss steht zum Verkauf",
        "Die Domäne kann ab sofort erworben werden; Gebote nimmt das Land entgegen.",
    ),
    "a cinema's next films": (
        "en",
        "Coming soon to the River Cinema",
        "Seven films open in the next weeks.",
    ),
    "a cinema's next films in French": (
        "fr",
        "Prochainement au cinéma du quai",
        "Sept films sortent ce mois.",
    ),
    "a shop that opens soon": (
        "en",
        "Opening soon: the museum's new café",
        "The new café is under construction and opens in May.",
    ),
    "a bridge under construction": (
        "en",
        "Under construction: the second bridge",
        "The site is under construction since March; the works are on time.",
    ),
    "a building site in German": (
        "de",
        "Hier entsteht das neue Flussmuseum",
        "Hier entsteht in Kürze ein Neubau mit drei Sälen.",
    ),
    "guidance that was withdrawn": (
        "en",
        "This guidance was withdrawn",
        "This guidance was withdrawn on 1 March 2024. It remains here for reference. It has been"
        " replaced by the bridges manual.",
    ),
    "a standard that was withdrawn": (
        "en",
        "ISO 1931:1998 Oak blocks for roadways",
        "Status: Withdrawn. This standard has been withdrawn and revised by ISO 1931:2019.",
    ),
    "a German standard that was withdrawn": (
        "de",
        "DIN 1931:1998-04 (zurückgezogen)",
        "Dieses Dokument wurde zurückgezogen; ersetzt durch DIN EN 1931.",
    ),
    "a paper that was retracted": (
        "en",
        "Retracted: Load of oak blocks in frost",
        "This article has been retracted at the request of its authors. The text stays available.",
    ),
    "a preprint that was withdrawn": (
        "en",
        "[Withdrawn] On the piers of old bridges",
        "This paper has been withdrawn by its author; earlier versions remain below.",
    ),
    "a law that was repealed": (
        "en",
        "Ferries Act 1931 (repealed)",
        "This Act is no longer in force.",
    ),
    "a bus line 404": (
        "en",
        "Bus 404: Riverside – Old Mill",
        "Line 404 runs every twenty minutes. The stop Quay is not served until May.",
    ),
    "a bus line 404 in German": (
        "de",
        "Linie 404: Flussufer – Alte Mühle",
        "Die Linie 404 fährt alle zwanzig Minuten.",
    ),
    "a room 404": (
        "en",
        "Room 404",
        "Two beds and a view of the river; the error on the door is a joke.",
    ),
    "a paragraph 404": (
        "en",
        "Section 404 of the Clean Water Act",
        "Permits for dredged or fill material. Permit not found? Ask the district.",
    ),
    "an asteroid 404": ("en", "404 Arsinoe", "Discovered in 1895."),
    "a flight that is gone": ("en", "Flight 404 – what happened", "The aircraft was never found."),
    "a lost ship": (
        "fr",
        "Introuvable depuis 1931 : l'épave du bac",
        "L'épave est introuvable, la page du livre de bord aussi.",
    ),
    "a missing page of a manuscript": (
        "en",
        "The missing page: folio 12 is not found",
        "The page does not exist in any copy; it was cut out before 1500.",
    ),
    "a missing page in German": (
        "de",
        "Seite nicht gefunden: Das Rätsel um Blatt 12",
        "Seite 12 des Kodex wurde nie gefunden.",
    ),
    "a missing page in Polish": (
        "pl",
        "Nie znaleziono strony: zagadka kodeksu",
        "Strona 12 nie istnieje w żadnym odpisie.",
    ),
    "a missing page in Russian": (
        "ru",
        "Страница не найдена: загадка рукописи",
        "Двенадцатая страница не найдена ни в одном списке.",
    ),
    "a missing page in Chinese": ("zh", "找不到的一页：古籍第十二页之谜", "该页不存在于任何抄本。"),
    "a missing page in Japanese": (
        "ja",
        "見つからないページ：写本第十二葉の謎",
        "そのページはどの写本にも存在しない。",
    ),
    "a missing page in Korean": (
        "ko",
        "찾을 수 없는 페이지: 필사본의 수수께끼",
        "그 페이지는 어느 사본에도 없다.",
    ),
    "a missing page in Arabic": (
        "ar",
        "الصفحة غير موجودة: لغز المخطوط",
        "لم يتم العثور على الصفحة في أي نسخة.",
    ),
    "a missing page in Turkish": (
        "tr",
        "Sayfa bulunamadı: yazmanın sırrı",
        "Bu sayfa hiçbir nüshada yok.",
    ),
    "a missing page in Greek": (
        "el",
        "Η σελίδα δεν βρέθηκε: το αίνιγμα του κώδικα",
        "Η σελίδα δεν υπάρχει.",
    ),
    "a missing page in Hungarian": (
        "hu",
        "Az oldal nem található: a kódex rejtélye",
        "A tizenkettedik oldal elveszett.",
    ),
    "a missing page in Czech": (
        "cs",
        "Stránka nenalezena: záhada kodexu",
        "Dvanáctá strana neexistuje.",
    ),
    "a missing page in Italian": (
        "it",
        "Pagina non trovata: l'enigma del codice",
        "La pagina non esiste in nessuna copia.",
    ),
    "a missing page in Portuguese": (
        "pt",
        "Página não encontrada: o enigma do códice",
        "A página não existe em nenhuma cópia.",
    ),
    "a theory about what does not exist": (
        "en",
        "The record does not exist: a proof by contradiction",
        "Suppose that it does. Record 77 does not exist, as we shall see.",
    ),
    "an auction that ended in 1931": (
        "en",
        "The auction has ended: how the ferry was sold",
        "This lot was sold to a farmer.",
    ),
    "a list of properties that were sold": (
        "en",
        "Sold: what houses at the quay fetched in 2025",
        "No. 12 is sold, no. 14 is no longer available.",
    ),
    "a study of closed jobs": (
        "en",
        "This job is no longer available: the end of the ferryman",
        "The position has been filled by a machine.",
    ),
    "an interview on video that was removed": (
        "en",
        "“This video isn't available anymore”: a director remembers",
        "The video was removed by its uploader.",
    ),
    "an article on private videos": (
        "en",
        "Private video: what the word means on YouTube",
        "Video unavailable, it says, and that is all.",
    ),
    "an article on rate limits": (
        "en",
        "Too many requests from your network: what 429 means",
        "Rate limit exceeded? Wait.",
    ),
    "an article on invalid host names": (
        "en",
        "Bad Request - Invalid Hostname: how to bind a site in IIS",
        "HTTP Error 400. The request hostname is invalid.",
    ),
    "an article on stopped web apps": (
        "en",
        "Error 403 - This web app is stopped",
        "The web app you have attempted to reach is currently stopped. Three causes are known.",
    ),
    "an article on 1014": (
        "en",
        "Error 1014: CNAME Cross-User Banned explained",
        "Two accounts, one name.",
    ),
    "an article on plain HTTP": (
        "en",
        "The plain HTTP request was sent to HTTPS port",
        "How to fix nginx's error 497.",
    ),
    "an article on disabled deployments": (
        "en",
        "402 PAYMENT_REQUIRED: DEPLOYMENT_DISABLED on Vercel",
        "Why it happens, and how to go on.",
    ),
    "an article in Chinese on filing": (
        "zh",
        "网站未备案会怎样？Non-compliance ICP Filing 详解",
        "该网站暂时无法访问，请联系网站管理员。",
    ),
    "an article in Japanese on first pages": (
        "ja",
        "エックスサーバー サーバー初期ページが消えないときの対処法",
        "サーバー初期ページが表示される理由を説明します。",
    ),
    "an article in Russian on Beget": (
        "ru",
        "«Домен не прилинкован ни к одной из директорий»: что делать",
        "Привяжите домен к папке сайта.",
    ),
    "an article on Caddy": (
        "en",
        "Caddy works! Your first HTTPS site in a minute",
        "Congratulations! Your web server is working.",
    ),
    "an article on OVH": (
        "fr",
        "« Votre domaine a bien été créé chez OVH » : et après ?",
        "Félicitations, mais où mettre le site ?",
    ),
    "a review of DirectAdmin": (
        "en",
        "DirectAdmin, LiteSpeed and Caddy compared",
        "Under Construction is what visitors see first.",
    ),
}

# Title, heading and a few words: pages that are short because they are what they are.
_SHORT = {
    "a webcam of a car park": document(
        "Webcam: parking at the old mill",
        "<h1>Parking webcam</h1><img src='/cam/parking.jpg' alt='Parking'><p>Updated every minute."
        "</p>",
    ),
    "a webcam without words": document(
        "Webcam Parkplatz", "<img src='/cam/p1.jpg' alt=''><p>10:41</p>", lang="de"
    ),
    "a table of a car park's places": modern(
        "Parking", "<h1>Parking</h1><table><tr><td>Quay</td><td>80</td></tr></table>"
    ),
    "a film that is announced": modern(
        "Gone | River Cinema", "<h1>Gone</h1><p>Coming soon. 1 h 34 min. In English.</p>"
    ),
    "a standard's short record": modern(
        "EN 404:2005", "<h1>EN 404:2005</h1><p>Withdrawn. Superseded by EN 13274.</p>"
    ),
    "a bus stop's next departures": modern(
        "Line 404", "<h1>404</h1><ul><li>10:20 Old Mill</li><li>10:40 Old Mill</li></ul>"
    ),
    "a song's words": modern(
        "Not Found – Song of the Quay",
        "<h1>Not Found</h1><p>I looked for you on either bank<br>and never found you there.</p>"
        "<p>The ferryman has gone to sleep,<br>the river does not care.</p>",
    ),
    "a status board": modern(
        "Status of our services",
        "<h1>All systems operational</h1><p>Maintenance: none. Errors: 0.</p>",
    ),
    "a product that is sold out, and says so": modern(
        "Brass compass",
        "<h1>Brass compass</h1><p>49 €. Sold out. Notify me when it is back.</p>"
        "<p>Diameter 62 mm, 180 g, made in Nuremberg; with a box of walnut.</p>",
    ),
    "an event that is over": modern(
        "Night of the museums 2025",
        "<h1>Night of the museums 2025</h1><p>This event has ended. 4 October 2025, 18 to 1 h.</p>"
        "<p>With a brass band, two boats and a lantern walk along the quay.</p>",
    ),
    "a person who left": modern(
        "Anna Quay – People",
        "<h1>Anna Quay</h1><p>No longer with the museum. Curator of ferries from 1998 to 2021.</p>",
    ),
    "a search without hits that was linked": modern(
        "Search: goat",
        "<h1>Search: goat</h1><p>No results found for “goat”. Did you mean: boat (41)?</p>"
        + prose("en", 1),
    ),
}


CASES: list[Case] = [
    *(
        alive(name, _SOURCE, site(html(article(title, lang=lang, lead=lead))))
        for name, (lang, title, lead) in _LONG.items()
    ),
    *(alive(name, _SOURCE, site(html(text))) for name, text in _SHORT.items()),
]
