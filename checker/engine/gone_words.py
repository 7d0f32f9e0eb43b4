"""How the languages of the world say that a page does not exist.

A line for each language: the thing, and the statement that it is missing. Both appear in one title
or heading, in either order. Marks above letters, which are often left out, are ignored (`fold`).
Sources: the error pages of WordPress, Drupal, Joomla, MediaWiki, TYPO3 and of browsers, as
translated.
"""

# ruff: noqa: E501, RUF001 (words of many languages; a line for what belongs together)
import re
import unicodedata

_APOSTROPHES = str.maketrans(dict.fromkeys("\u2019\u2018\u02bc\u00b4`", "'"))
_BETWEEN = 30  # characters, decomposed, between the two: "the page [you were looking for] …"

# What may be missing, in English.
THINGS = (
    "(?:pages?|article|file|document|content|web ?site|site|url|address|link|item|product|listing|job"
    "|posting|position|vacancy|post|thread|topic|video|resource|entry|record|story|blog|profile"
    "|account|user|event|offer|image|photo|picture|store|shop|channel|group|repository|project"
    "|game|app|directory|folder|object|view|node|category|publication|database|playlist|course"
    "|paste|transfer|campaign|fundraiser|petition|question|answer|tweet|handle|doi|auction|flat"
    "|apartment|role|clip|stream|member|author|ticket|survey|poll|invite|invitation|workspace|map"
    "|data ?set|package|module|gist|snippet|ad|advert|advertisement|coupon|plugin|theme|extension"
    "|download|entity|identifier|bucket|blob|thing|comment|message"
    "|service|board|album|collection|exhibition|exhibit|book|recipe|news|gallery|report)"
)

_LANGUAGES: dict[str, tuple[str, ...]] = {
    "en": (
        rf"{THINGS}|we|you|it|that|this",
        r"not (?:be )?(?:found|located)|(?:can ?not|can'?t|couldn'?t|could not|did ?n[o']t|unable to"
        r"|failed to) (?:seem to )?(?:be )?(?:found?|find|located?|displayed?|loaded?)|(?:does|do|did) ?n[o'] ?t "
        r"(?:seem to |appear to )?exist(?: any ?more)?(?: or (?:has|have|was|may have)(?: been)?"
        r" (?:moved|removed|deleted))?|never existed|no longer (?:exists?|available|here|online"
        r"|active|valid|published|supported|open|listed|live|on (?:sale|the market)|for sale"
        r"|advertised|accepting (?:new )?applications)|is(?: not|n'?t) (?:available|here|there|working)"
        r"(?: any ?more| right now| at the moment)?|is(?: not|n'?t) anymore|not available|(?:has|have|was|were) (?:been )?(?:removed|deleted|withdrawn"
        r"|taken down|unpublished|discontinued|shut down|closed down|taken offline|erased)"
        r"|(?:has|have) (?:expired|vanished|ended|been moved|moved or been)|went missing|(?:has|have) been filled|(?:was|has been) ended",
        r"(?:can ?not|can'?t|couldn'?t|could not|unable to|failed to) (?:seem to )?(?:find|locate)|no such",
    ),
    "en, of what is offered": (
        "job(?: posting| ad| listing| offer)?|vacancy|position|posting|role|listing|auction",
        "(?:is |are |has |was |been |now )*(?:closed|ended|filled)",
    ),
    "de": (
        "seiten?|webseite|inserat|auktion|stellenanzeige|immobilie|frage|beitrag|artikel|datei|dokument|inhalt|beitrag|produkt|eintrag|adresse|anzeige"
        "|angebot|stelle|stellenangebot|thema|video|website|link|ressource|profil|objekt|benutzer"
        "|veranstaltung",
        "nicht (?:mehr )?(?:gefunden|vorhanden|verfugbar|auffindbar|erreichbar|finden)"
        "|(?:existiert|gibt es|besteht) (?:leider )?nicht|nicht existier|wurde (?:leider )?"
        "(?:geloscht|entfernt|verschoben)|existiert nicht|gibt es (?:leider )?nicht|fehlt|nicht mehr (?:online|aktiv|aktuell)|(?:ist|wurde) (?:bereits "
        "|leider )?(?:besetzt|vergeben|beendet|abgelaufen|deaktiviert)",
    ),
    "fr": (
        "page|article|fichier|document|contenu|produit|annonce|adresse|offre|ressource|site|lien"
        "|video|fiche|bien|poste|sujet|message|profil|question|discussion|logement|vente|objet|utilisateur",
        "introuvable|non trouvee?|pas (?:ete )?trouvee?|n'existe (?:pas|plus)|inexistante?"
        "|n'est (?:pas|plus) (?:disponible|accessible|en ligne|a vendre|active?)|(?:a ete|est|ete) (?:desactivee?"
        "|retiree?|vendue?|pourvue?|expiree?|archivee?)|expiree?|ne trouvons pas|impossible de trouver|plus disponible|indisponible"
        "|(?:a ete|est) supprimee?|pas trouver|n'a pu etre trouvee?",
    ),
    "es": (
        "paginas?|articulo|archivo|documento|contenido|producto|anuncio|direccion|oferta|recurso"
        "|sitio|enlace|video|inmueble|vivienda|propiedad|empleo|vacante|tema|usuario|noticia|piso",
        "no (?:se )?(?:ha |pudo |puede |hemos |pudimos )?(?:sido |podido )?(?:encontrad[oa]|encontrar"
        "|encontramos|encontro)|ya no (?:se encuentra|esta (?:publicad[oa]|activ[oa]|en venta|en linea))"
        "|ha (?:caducado|expirado)|(?:ha sido|fue) (?:retirad[oa]|vendid[oa]|borrad[oa])|desactivad[oa]|no existe|ya no (?:existe|esta disponible)|no (?:esta )?disponible"
        "|no encontrad[oa]|no se encuentra|inexistente|eliminad[oa]|no hallad[oa]",
    ),
    "pt": (
        "paginas?|artigo|arquivo|ficheiro|documento|conteudo|produto|anuncio|endereco|oferta|site"
        "|recurso|vaga|imovel|noticia|topico|usuario|link|video",
        "nao (?:foi |pode ser |pudemos |conseguimos |possivel )*(?:encontrad[oa]|encontrar|encontramos|localizad[oa])"
        "|nao esta mais (?:disponivel|no ar|ativ[oa])|encerrad[oa]|expirad[oa]|expirou|foi vendid[oa]"
        "|nao existe|ja nao existe|indisponivel|nao (?:esta )?disponivel|removid[oa]|inexistente",
    ),
    "it": (
        "pagina|articolo|file|documento|contenuto|prodotto|annuncio|indirizzo|risorsa|sito|offerta|immobile|inserzione|notizia|lavoro|utente|video",
        "non (?:e stata |e stato |e )?(?:trovat[oa]|disponibile|presente)|non esiste|inesistente"
        "|impossibile trovare|scadut[oa]|vendut[oa]|non e piu (?:disponibile|attiv[oa]|online|in vendita)|non piu (?:disponibile|presente|esistente)|rimoss[oa]",
    ),
    "nl": (
        "pagina|artikel|bestand|document|inhoud|product|advertentie|adres|vacature|website|bericht|woning|huis|onderwerp|veiling|aanbieding",
        "niet (?:meer )?(?:gevonden|beschikbaar|bestaa|vinden)|bestaat (?:helaas )?niet"
        "|onvindbaar|verwijderd|niet (?:gevonden )?worden(?: gevonden)?|(?:is|zijn) (?:gesloten|verlopen|vervuld|beeindigd)",
    ),
    "af": ("bladsy|dokument|artikel", "nie gevind|bestaan nie|kon nie"),
    "sv": (
        "sidan|sida|artikeln|filen|dokumentet|innehallet|produkten|annonsen|adressen",
        "(?:kunde )?inte (?:hittas|att hitta)|hittades inte|hittas inte|finns inte|saknas|existerar"
        " inte|hittar inte|kan inte hitta|borttagen|tagits bort",
    ),
    "nb": (
        "siden|side|artikkelen|filen|dokumentet|innholdet|produktet|annonsen|adressen",
        "ikke (?:funnet|a finne)|ble ikke funnet|finnes ikke|eksisterer ikke|fant ikke|finner ikke"
        "|fjernet|slettet|vart ikkje funne|finst ikkje",
    ),
    "da": (
        "siden|side|artiklen|filen|dokumentet|indholdet|produktet|annoncen|adressen",
        "ikke (?:fundet|findes)|blev ikke fundet|findes ikke|eksisterer ikke|kunne ikke findes"
        "|fandt ikke|kan ikke finde|slettet|fjernet",
    ),
    "fi": (
        "sivu[an]?|sivustoa|artikkelia?|tiedostoa?|dokumenttia|sisaltoa?|tuotetta|ilmoitusta",
        "ei (?:valitettavasti )?(?:loyty|loydy|ole olemassa|ole enaa|voitu loytaa)|poistettu",
    ),
    "is": ("si[dð]an?|grein|skra", "fannst ekki|finnst ekki|ekki til|ekki fundin"),
    "et": (
        "lehekul[gj]\\w*|lehte?|artiklit?|faili|kuulutus\\w*|toode\\w*|teema\\w*|oksjon\\w*",
        "ei (?:leitud|leia|ole olemas|eksisteeri|ole (?:enam )?(?:saadaval|aktiivne))"
        "|on (?:kustutatud|eemaldatud|aegunud|suletud|lõppenud)",
    ),
    "lv": ("lap[au]\\w*|rakstu?s?|faila?s?", "nav atrast|neeksiste|netika atrast|nevar atrast"),
    "lt": ("puslapi\\w*|straipsni\\w*|fail\\w*", "nerast|neegzistuoja|nera rast|nepavyko rasti"),
    "pl": (
        "stron[aye]?|artyku\\w*|pliku?|dokumentu?|tresci|produktu?|oferta|og[lł]oszeni\\w*|adres|aukcj\\w+|prac\\w+",
        "nie (?:zosta[lł]a? )?(?:znalezion\\w+|istnieje|odnaleziono|mozna znalezc)|nie ma takiej"
        "|niedostepn\\w+|usuniet\\w+|nie mozemy znalezc|wygas[lł]\\w*|nieaktualn\\w+|nieaktywn\\w+|zakonczon\\w+|nie jest (?:juz )?dostepn\\w+",
    ),
    "cs": (
        "strank\\w+|clan\\w+|soubor\\w*|dokument\\w*|obsah|produkt\\w*|inzerat|adres\\w+",
        "nenalezen\\w*|nebyl[ao]? nalezen\\w*|neexistuj\\w+|nelze (?:na[jl]\\w+|zobrazit)"
        "|nenasl\\w+|nepodarilo na[jli]\\w+|nebyl[ao]? mozne najit|byl[ao]? (?:odstranen|smazan|vymazan|ukoncen|stazen)[aoy]?\\b|jiz neni (?:dostupn|aktivn|aktualn|v nabidc)\\w+",
    ),
    "sk": (
        "strank\\w+|clan\\w+|subor\\w*|dokument\\w*|obsah|produkt\\w*|inzerat|ponuk\\w+|adres\\w+",
        "sa nenasl\\w+|nenajden\\w*|nebol[ao]? najden\\w*|neexistuj\\w+|nemozno najst|nepodarilo najst|bol[ao]? (?:odstranen|zmazan|vymazan|ukoncen|stiahnut)\\w*|uz nie je (?:dostupn|aktivn|aktualn|v ponuk)\\w+",
    ),
    "hu": (
        "oldal\\w*|cikk|fajl|dokumentum\\w*|tartalom|termek|cim|hirdetes",
        "nem (?:talalhato|letezik|elerheto|talaltuk|talaljuk|talalt)|torolve|toroltek|megszunt",
    ),
    "ro": (
        "pagina|articolul|fisierul|documentul|continutul|produsul|anuntul|adresa",
        "nu (?:a fost |a putut fi |este )?(?:gasit\\w*|exista|disponibil\\w*)|negasit\\w*"
        "|inexistent\\w*|nu mai (?:exista|este)",
    ),
    "bg": (
        "страниц\\w+|стати\\w+|файл\\w*|документ\\w*|съдържани\\w+|продукт\\w*|обяв\\w+",
        "не (?:е |беше |бе |може да бъде )?(?:намерен\\w*|открит\\w*|съществува|налич\\w+)|не бе"
        "|липсва|няма такава",
    ),
    "ru": (
        "страниц\\w+|стать\\w+|файл\\w*|документ\\w*|материал\\w*|товар\\w*|объявлени\\w+|адрес\\w*"
        "|сайт\\w*|раздел\\w*|запис\\w+|новост\\w+|ваканси\\w+|видео|публикаци\\w+|тем[аыу]|элемент",
        "не (?:был[аои]? )?(?:наиден\\w*|найден\\w*|существует|обнаружен\\w*|доступн\\w+)|не удалось"
        " наити|удален[аоы]?\\b|отсутству[ею]т|больше не (?:доступ|существ)\\w+|снят[аоы]? с(?: публикации| продажи)?|нет$|недоступн\\w+|не наиде\\w+",
    ),
    "uk": (
        "сторінк\\w+|статт\\w+|фаил\\w*|документ\\w*|матеріал\\w*|товар\\w*|оголошенн\\w+|саит\\w*",
        "не (?:було )?(?:знаиден\\w*|існує|вдалося знаити|доступн\\w+)|відсутн\\w+|видален(?:а|о|ии)?\\b"
        "|нема(?:є)?|недоступн\\w+",
    ),
    "be": ("старонк\\w+|артыкул\\w*|фаил\\w*", "не (?:знойдзен\\w*|існуе)|няма"),
    "sr": (
        "страниц\\w+|стран\\w+|чланак|фајл|документ\\w*|садржај",
        "није (?:пронађен\\w*|нађен\\w*|доступн\\w+)|не постоји|нисмо пронашли|не може",
    ),
    "mk": ("страниц\\w+|стран\\w+|документ\\w*", "не (?:е )?(?:пронајден\\w*|најден\\w*|постои)"),
    "hr": (
        "stranic\\w+|stran\\w+|clanak|datotek\\w+|dokument\\w*|sadrzaj|proizvod\\w*|oglas\\w*",
        "ni(?:je|su) (?:pronaden\\w*|pronađen\\w*|naden\\w*|nađen\\w*|dostupn\\w+|moguce pronaci)"
        "|ne postoji|nismo pronasli|ne moze(?:mo)? (?:se )?pronaci|nema",
    ),
    "sl": (
        "stran\\w*|clan\\w+|datotek\\w+|dokument\\w*|vsebin\\w+|izdel\\w+",
        "ni (?:bila |bil |bilo )?(?:naiden\\w*|najden\\w*|mogoce naiti|mogoce najti)|ne obstaja"
        "|ni na voljo|ne naidemo|ne najdemo",
    ),
    "sq": ("faqja|faqe|artikulli|dokumenti", "nuk (?:u gjet|ekziston|gjendet|u gjend)"),
    "el": (
        "σελιδα\\w*|αρθρο|αρχειο|εγγραφο|περιεχομενο|προιον|διευθυνση",
        "δεν (?:βρεθηκε|υπαρχει|ειναι διαθεσιμ\\w+|εντοπιστηκε|μπορει)|δε βρεθηκε|δε(?:ν)? βρηκαμε",
    ),
    "tr": (
        "sayfa\\w*|icerik|dosya\\w*|belge|makale|urun\\w*|ilan\\w*|adres",
        "bulunam\\w+|mevcut degil|yok\\b|bulunmuyor|bulamad\\w+|kaldırıldı|kaldırılmıs|silindi|silinmis|bulunmamakta",
    ),
    "az": ("sehife\\w*|səhifə\\w*|material", "tapılmad\\w*|tapilmad\\w*|movcud deyil|mövcud deyil"),
    "kk": ("бет\\w*|парак\\w*|құжат", "табылма\\w+|жок\\b|жоқ\\b"),
    "uz": ("sahifa\\w*|maqola", "topilmadi|mavjud emas"),
    "ar": (
        "الصفح\\w+|صفح\\w+|المقال\\w*|الملف|المحتوى|المنتج|الرابط|الموقع|الاعلان|المستند",
        "غير (?:موجود\\w*|متوفر\\w*|متاح\\w*)|لم (?:يتم|نتمكن من|نجد|نعثر|يعثر)|لا (?:توجد|يوجد|يمكن)"
        "|ليست? موجود\\w*|تعذر|محذوف\\w*|لم تعد",
    ),
    "he": (
        "ה?דף|ה?עמוד|ה?קובץ|ה?מסמך|ה?כתבה|ה?תוכן|ה?מוצר|ה?אתר",
        "לא (?:נמצא\\w*|קיים|קיימת|זמין|זמינה|ניתן|הצלחנו)|אינו (?:קיים|זמין|נמצא)|איננו|אינה",
    ),
    "fa": (
        "صفحه\\w*|برگه|مطلب|فایل|محتوا|سند|کالا|محصول|ادرس|آدرس",
        "(?:یافت|پیدا) (?:نشد|نمی\u200c?شود|نگردید)|وجود ندارد|موجود نیست|در دسترس نیست|نیافتیم",
    ),
    "ur": ("صفحه|صفحہ|صفحات", "نہیں مل\\w*|نهیں مل\\w*|موجود نہیں|دستیاب نہیں"),
    "hi": ("पृष्ठ|पेज|लेख|फाइल|सामग्री", "नहीं मिल|नही मिल|मौजूद नहीं|उपलब्ध नहीं|नहीं मिला"),
    "mr": ("पृष्ठ|पान", "सापडले नाही|आढळले नाही|सापडल|अस्तित्वात नाही"),
    "ne": ("पृष्ठ|पाना", "फेला परेन|भेटिएन"),
    "bn": ("পৃষ্ঠা|পাতা|পেজ", "পাওয়া যায়নি|পাওয়া যায়|পাওয়া যাচ্ছে না|নেই|খুঁজে পাওয়া"),
    "pa": ("ਪੰਨਾ|ਸਫ਼ਾ", "ਨਹੀਂ ਮਿਲਿਆ|ਮੌਜੂਦ ਨਹੀਂ"),
    "gu": ("પૃષ્ઠ|પાનું|પેજ", "મળ્યું નથી|મળ્યુ નથી|ઉપલબ્ધ નથી|અસ્તિત્વમાં નથી"),
    "ta": ("பக்கம்|பக்கத்தை|கோப்பு", "கிடைக்கவில்லை|காணப்படவில்லை|இல்லை|காணவில்லை"),
    "te": ("పేజీ|పుట", "కనుగొనబడలేదు|దొరకలేదు|లేదు|కనబడలేదు"),
    "kn": ("ಪುಟ|ಪುಟವು", "ಕಂಡುಬಂದಿಲ್ಲ|ಸಿಗಲಿಲ್ಲ|ಕಂಡುಬರಲಿಲ್ಲ"),
    "ml": ("പേജ്|താൾ|താള്", "കണ്ടെത്തിയില്ല|കണ്ടെത്താനായില്ല|നിലവിലില്ല|ലഭ്യമല്ല"),
    "si": ("පිටුව|පිටු", "හමු නොවී|සොයාගත නොහැක|හමු නොවුණි|හමුවී නැත"),
    "th": ("หน้า\\w{0,10}|เพจ|ไฟล์|บทความ|เอกสาร|สินค้า", "ไม่พบ|ไม่มี|ไม่ปรากฏ|ถูกลบ|หาไม่เจอ"),
    "lo": ("ໜ້າ|ຫນ້າ", "ບໍ່ພົບ|ບໍ່ມີ"),
    "km": ("ទំព័រ", "រកមិនឃើញ|មិនមាន|រក.{0,12}មិនឃើញ"),
    "my": ("စာမျက်နှာ", "မတွေ့|မရှိ"),
    "vi": (
        "trang|bai viet|tap tin|tai lieu|noi dung|san pham|lien ket|duong dan|địa chỉ",
        "khong (?:tim thay|ton tai|con ton tai|co san|the tim)|khong duoc tim|đa bi xoa|đa bi go",
    ),
    "id": (
        "halaman|laman|artikel|berkas|file|dokumen|konten|produk|alamat",
        "(?:tidak|tak) (?:dapat |bisa )?(?:ditemukan|ada\\b|tersedia|ditemui|wujud)|tidak dijumpai"
        "|telah dihapus|sudah dihapus",
    ),
    "tl": ("pahina|artikulo", "hindi (?:natagpuan|nahanap|matagpuan|makita|umiiral)|wala"),
    "sw": ("ukurasa", "haukupatikana|haupatikani|haujapatikana|haupo|haipatikani"),
    "ko": (
        "페이지\\w*|문서\\w*|게시물\\w*|게시글\\w*|파일\\w*|주소\\w*|상품\\w*|자료\\w*|사이트\\w*|콘텐츠\\w*|기사\\w*|채용\\w*"
        "|공고\\w*|영상\\w*|동영상\\w*|매물\\w*|글\\w*",
        "(?:(?:판매 ?(?:중지|중단|종료)|진열 ?중지|품절|단종|삭제|변경|이동|만료|마감|종료) ?(?:되었|됐|되)거나 )?(?:찾을 수 없\\w*|찾지 못\\w*|존재하지 않\\w*|삭제(?:된|되었)\\w*|없습니다|없는|사라졌\\w*|종료(?:된|되었)\\w*"
        "|마감(?:된|되었)\\w*)",
    ),
    "ja": (
        "ページ|お探しの|ファイル|記事|コンテンツ|商品|url|サイト|アドレス|サービス|求人(?:情報)?|オークション|動画"
        "|募集|投稿|作品|物件|質問|トピック|出品",
        "見つかりません(?:でした)?+|(?:(?:掲載|公開|販売|募集)[をは]?)?+終了(?:しました|いたしました|しております|しています)"
        "|削除され(?:ました|ています)|存在しません(?:でした)?+|ありません(?:でした)?+|存在しません|見つけることができません"
        "|削除されま|終了しま|みつかりません|見当たりません|存在しない|公開されていません|取り扱っておりません|公開を終了|販売を?終了|ございません",
    ),
    "zh": (
        "页面|网页|頁面|網頁|文章|文件|内容|內容|商品|网址|網址|链接|連結|资源|資源|您访问的|您訪問的"
        "|帖子|信息|服务|服務|站点|站點|职位|職位|宝贝|寶貝|视频|視頻|影片|主题|主題|用户|用戶|房源|稿件",
        "(?:不存在|未找到|找不到|没有找到|沒有找到|无法找到|無法找到|已(?:被)?(?:删除|刪除|移除|下架)"
        "|不见了|不見了|走丢了|飞走了|无法访问|已失效|已过期|已经?下线|已结束|已被.{1,8}(?:删除|刪除)|去哪了)"
        "(?:[,、]?或者?(?:已经?|已經)?被?(?:不存在|删除|刪除|移除|下架|关闭|關閉|屏蔽|隐藏|隱藏|移动|移動|(?:正在)?被?审核中?)){0,4}",
    ),
    "ca": (
        "pagina|article|fitxer|document|contingut|producte|adreca",
        "no (?:s'ha |s'ha pogut )?(?:trobat|trobada|trobar|existeix|disponible)|no trobad[ao]"
        "|no s'ha trobat",
    ),
    "eu": (
        "orri[ae]\\w*|orrialde\\w*|artikulu\\w*|ez da",
        "ez da (?:\\w+ )?(?:aurkitu|existitzen)|ez dago|aurkitu|existitzen",
    ),
    "gl": (
        "paxina|artigo|ficheiro|documento",
        "non (?:se )?(?:atopad[oa]|atopou|existe|encontrad[oa])",
    ),
    "oc": ("pagina", "pas trobada|existis pas"),
    "cy": (
        "tudalen|dudalen|ffeil",
        "ni chanfuwyd y|heb (?:ei )?(?:ganfod|chanfod|darganfod)|ddim yn bodoli|(?:nid|nad) yw",
    ),
    "ga": (
        "leathanach\\w*|an leathanach",
        "ni bhfuarthas|nior (?:aimsi\\w+|frith\\w+)|gan aimsiu|ann an|ni ann",
    ),
    "gd": ("duilleag\\w*", "cha deach|lorg"),
    "br": ("[pb]ajenn", "n'eo ket bet kavet|ket kavet|n'eus ket"),
    "lb": ("sait|sait[e]?|siten?", "net fonnt|gett et net"),
    "mt": ("pagna|pagina|paġna", "ma nstabitx|ma instabitx|ma tezistix"),
    "eo": ("pago|paĝo", "ne trovita|ne trovebla|ne ekzistas"),
    "la": ("pagina", "non inventa|non repperta|non exstat"),
    "ka": ("გვერდი|სტატია", "ვერ მოიძებნა|არ მოიძებნა|არ არსებობს|ვერ იქნა"),
    "hy": ("էջ\\w*", "չի գտնվել|չգտնվեց|գոյություն չունի|չկա"),
    "am": ("ገጽ\\w*|ገጹ", "አልተገኘም|የለም"),
    "mn": ("хуудас", "олдсонгуи|олдсонгүи|байхгуи|байхгүй"),
    "so": ("bogga", "lama helin|ma jiro"),
    "zu, xh": ("ikhasi|iphepha", "alitholakali|alitholakalanga|alifunyenwanga|alikho"),
    "ha": ("shafi[n]?", "ba a sami|babu"),
    "fo": ("si[dð]an?", "varð ikki funnin|er ikki funnin|finst ikki"),
    "fy": ("side", "net (?:fun|te finen)|bestiet net"),
    "ky": ("барак\\w*|бет", "табылган жок|табылмады|табылманы|жок"),
    "tt, ba": ("бит", "табылмад\\w+|табылман\\w+"),
    "tg": ("сахифа\\w*|саҳифа\\w*", "ефт нашуд|ёфт нашуд|вучуд надорад|вуҷуд надорад"),
    "tk": ("sahypa", "tapylmady|yok"),
    "ps": ("پاڼه|پاڼ[هې]", "ونه موندل شوه|نشته"),
    "ku": ("rupel\\w*", "nehat ditin|nine"),
    "ckb": ("پەڕە\\w*|لاپەڕە\\w*", "نەدۆزرایەوە|بوونی نییە"),
    "or": ("ପୃଷ୍ଠା|ପେଜ୍", "ମିଳିଲା ନାହିଁ|ନାହିଁ"),
    "as": ("পৃষ্ঠা", "পোৱা নগ'ল|নাই"),
    "rm": ("pagina", "betg (?:chattada|avant maun)|n'exista betg"),
    "yi": ("בלאט|זייט", "נישט געפונען|עקזיסטירט נישט"),
    "jv, su": ("kaca", "ora ditemokake|ora ana|teu kapendak|teu aya"),
    "ceb": ("panid", "wala makit-?i|wala"),
    "mi": ("wharangi", "kaore i kitea"),
    "mg": ("pejy", "tsy hita"),
    "ht": ("paj la", "pa jwenn|pa egziste"),
}

# Only as a whole title or heading.
_ALONE = (
    r"(?:the )?file (?:link )?(?:that )?you requested is not valid|invalid or deleted file|invite invalid"
    r"|unable to open the file(?: at this time)?|(?:sorry, )?unable to open the file(?: at this time)?"
    r"|(?:it )?looks like (?:this|that) page is missing|(?:sorry, )?that content is unavailable"
    r"|お探しの動画は視聴できません|(?:hmm\W{0,3})?this page does ?n'?t exist\W{1,3}try searching for something else",
    r"(?:http (?=status|error))?(?:status |error |erreur |fehler |errore? |erro |fout |feil |fejl |virhe |hiba |chyba "
    r"|blad |hata |ошибка |помилка |грешка |eroare |lỗi |loi |エラー|错误 ?|錯誤 ?|오류 ?|σφαλμα )?"
    r"(?:code )?[:#-]? ?(?:404|410)(?:\.\d)?(?: error| page| fehler| seite| erreur| \(?not found\)?[!1]*)?",
    r"(?:404|410) ?[:|.–—-]+ ?(?:error|page|seite|not found|gone|ops|oops)",
    r"(?:object |page )?not found|nothing (?:was )?(?:found|here)(?: (?:for|at) .{1,100})?|something(?:'s| is) missing|nichts gefunden|nicht gefunden",
    r"there(?:'s| is) nothing here|nothing to see here|gone|410 gone|error|page error|fehler",
    r"no such (?:page|file|article|document|item|user|thread|topic|record|product|post|entry|job)",
    r"(?:invalid|broken|dead|bad|missing|expired|unknown|wrong) (?:url|link|address|id|page|article"
    r"|document|item|thread|topic|file|record|product|request|identifier|handle|user|post|key|token|invite)"
    r"(?: specified| id)?",
    r"no (?:article|document|item|thread|topic|file|record|page|product|post|entry|results?|input file)"
    r" (?:was |were )?(?:specified|found|exists?|selected|available)",
    rf"(?:this |that |the )?{THINGS} (?:is |was |has been |currently |temporarily )?(?:missing"
    r"|unavailable|deleted|removed|withdrawn|expired|gone|closed|suspended|disabled|terminated)",
    r"introuvable|no encontrad[oa]|nao encontrad[oa]|non trovat[oa]|niet gevonden|hittades inte"
    r"|ikke funnet|ikke fundet|ei loytynyt|nie znaleziono|nenalezeno|nenajdene|nem talalhato"
    r"|не наиден[оа]?|не знаидено|bulunamadı|khong tim thay|tidak ditemukan|δεν βρεθηκε",
    r"oops[!.]? (?:something (?:went|is) (?:missing|wrong))|something went missing"
    r"|you(?:'re| are| seem to be| look) lost|lost\?|are you lost\?|dead end|uh[ -]?oh",
    r"(?:the )?(?:requested )?(?:url|page)(?: .{0,200})? was not found on this server",
    r"(?:this )?(?:content|page) is(?: not|n't) available(?: right now| at the moment)?",
    r"(?:アクセス|サービス終了|公開終了|掲載終了)(?:の?お知らせ)?|(?:ホームページ)?サービスは?終了(?:しました|のお知らせ)",
)


# Anywhere on a page with hardly any text.
_TEXTS = (
    rf"(?:the|this|that) {THINGS} (?:that )?(?:you(?:'re| are| were|'ve| have)?|it) .{{0,30}}?(?:looking for"
    r"|requested|trying to (?:reach|access|view)|followed) .{0,60}?(?:n'?t (?:be |seem to )?(?:found"
    r"|exist|available|here)|not (?:be )?(?:found|exist|available|here)|no longer|been (?:removed|moved"
    r"|deleted)|(?:removed|moved|deleted|unavailable))",
    r"in dies(?:er|em) wiki ist derzeit kein text auf dieser seite|aucun texte sur cette page|actualmente no hay texto"
    r"|(?:ha |has )?been removed by the agent|was ended by the seller|to be either missing or off limits"
    r"|(?:question|thread|video|listing) was (?:voluntarily )?removed by (?:its|the) \w{1,20}"
    r"|this (?:form|survey) is no longer accepting responses|指定されたページは存在しないか",
    rf"there is currently no text in this page|invalid {THINGS} specified|no {THINGS} specified|the specified {THINGS} (?:was|is) not",
    rf"(?:requested|specified) {THINGS} (?:was not|could not|cannot|can't|does not|doesn't|is not|isn't|has been)",
    r"die (?:von ihnen )?(?:gesuchte|angeforderte|aufgerufene) (?:seite|datei|adresse)",
    r"la page (?:que vous (?:recherchez|cherchez|demandez)|demandee) (?:n'|est introuvable|a ete)",
    r"la pagina (?:que (?:busca|buscas|esta buscando|intenta)|solicitada).{0,30} no ",
    r"a pagina (?:que (?:voce )?(?:procura|esta procurando|busca)|solicitada) nao",
    r"(?:запрашиваем|запрошенн|искомая)\w* страниц\w+ .{0,20}(?:не |удален)|お探しのページは",
)
# The whole title or heading of a log-in.
_LOGIN = (
    r"(?:please )?(?:log ?-?in|sign ?-?in|log ?on|login page|member login|account login|user login)"
    r"(?: to (?:your account|continue)| required)?|anmelden|anmeldung|einloggen|connexion"
    r"|se connecter|identifiez-vous|iniciar sesion|acceder|entrar|fazer login|accedi|inloggen"
    r"|aanmelden|logga in|logg inn|log ind|kirjaudu(?: sisaan)?|zaloguj(?: sie)?|logowanie"
    r"|prihlaseni|prihlasit se|prihlasenie|bejelentkezes|autentificare|conectare|giris(?: yap)?"
    r"|oturum ac|prijava|вход|воити|войти|авторизация|увіити|вхід|συνδεση|تسجيل الدخول|כניסה"
    r"|התחברות|ورود|로그인|ログイン|登录|登入|登錄|เข้าสู่ระบบ|đang nhap|masuk|log masuk"
)


def _is_mark(letter: str) -> bool:
    return unicodedata.category(letter) == "Mn"


# Above, below and within letters.
_MARKS = re.compile(f"[{''.join(filter(_is_mark, map(chr, range(0x300, 0x10000))))}]+")


def fold(text: str) -> str:
    """Return text in lower case without marks above letters; one apostrophe for all."""
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKD", text.translate(_APOSTROPHES)).lower()
    return _MARKS.sub("", folded)


def _together(missing: str, statement: str, text_before: str = "") -> re.Pattern[str]:
    missing, statement, before = fold(missing), fold(statement), fold(text_before or statement)
    gap = f".{{0,{_BETWEEN}}}?"
    return compiled(rf"(?:{missing}){gap}(?:{statement})|(?:{before}){gap}(?:{missing})")


def compiled(folded: str) -> re.Pattern[str]:
    """Return the pattern of folded words.

    A word's ending is matched once, at most 30 characters.
    """
    return re.compile(folded.replace(r"\w*", r"\w{0,30}+").replace(r"\w+", r"\w{1,30}+"))


# In the folded form. One pattern per language: a longer match of one would hide another's.
STATEMENTS = tuple(_together(*parts) for parts in _LANGUAGES.values())
ALONE = compiled(fold("|".join(_ALONE)))
LOGIN = compiled(fold(_LOGIN))
TEXTS = compiled(fold("|".join(_TEXTS)))
