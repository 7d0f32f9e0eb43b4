"""What sites say of pages that they do not find, and of their other articles, by language."""

# ruff: noqa: RUF001
# Language; what the page says of itself; the heading of the others; how one of these begins.
NOT_FOUND = [
    (
        "en",
        "Page not found",
        "Most read",
        "The ferry ran until the first frost of that year, and crowds stood on both banks when it"
        " was retired.",
    ),
    (
        "de",
        "Seite nicht gefunden",
        "Meistgelesen",
        "Die Fähre fuhr bis zum ersten Frost, und an beiden Ufern standen Menschen, als sie zum"
        " letzten Mal ablegte.",
    ),
    (
        "fr",
        "Page introuvable",
        "Les plus lus",
        "Le bac a circulé jusqu'aux premières gelées, et la foule se pressait sur les deux rives à"
        " son dernier départ.",
    ),
    (
        "es",
        "Página no encontrada",
        "Lo más leído",
        "La barca navegó hasta las primeras heladas y la gente se agolpaba en ambas orillas en su"
        " última travesía.",
    ),
    (
        "pt",
        "Página não encontrada",
        "Mais lidas",
        "A barca navegou até às primeiras geadas e havia gente nas duas margens quando partiu pela"
        " última vez.",
    ),
    (
        "it",
        "Pagina non trovata",
        "I più letti",
        "Il traghetto navigò fino alle prime gelate e una folla salutò dalle due rive la sua"
        " ultima corsa.",
    ),
    (
        "nl",
        "Pagina niet gevonden",
        "Meest gelezen",
        "Het veer voer tot de eerste vorst, en op beide oevers stonden mensen toen het voor het"
        " laatst vertrok.",
    ),
    (
        "sv",
        "Sidan hittades inte",
        "Mest läst",
        "Färjan gick till den första frosten, och folk stod på båda stränderna när den lade ut för"
        " sista gången.",
    ),
    (
        "nb",
        "Fant ikke siden",
        "Mest lest",
        "Fergen gikk til den første frosten, og folk sto på begge bredder da den la fra for siste"
        " gang.",
    ),
    (
        "da",
        "Siden findes ikke",
        "Mest læste",
        "Færgen sejlede til den første frost, og folk stod på begge bredder, da den lagde fra for"
        " sidste gang.",
    ),
    (
        "fi",
        "Sivua ei löydy",
        "Luetuimmat",
        "Lautta kulki ensimmäisiin pakkasiin asti, ja väkeä oli molemmilla rannoilla, kun se lähti"
        " viimeisen kerran.",
    ),
    (
        "is",
        "Síða fannst ekki",
        "Mest lesið",
        "Ferjan sigldi fram að fyrsta frosti og fólk stóð á báðum bökkum þegar hún lagði frá í"
        " síðasta sinn.",
    ),
    (
        "pl",
        "Strony nie znaleziono",
        "Najczęściej czytane",
        "Prom pływał do pierwszych mrozów, a gdy odbijał po raz ostatni, na obu brzegach stały"
        " tłumy ludzi.",
    ),
    (
        "cs",
        "Stránka nebyla nalezena",
        "Nejčtenější",
        "Přívoz jezdil do prvních mrazů, a když vyplouval naposledy, stáli lidé na obou březích"
        " řeky.",
    ),
    (
        "sk",
        "Stránka nebola nájdená",
        "Najčítanejšie",
        "Kompa premávala do prvých mrazov, a keď odrážala naposledy, na oboch brehoch stáli ľudia.",
    ),
    (
        "hu",
        "Az oldal nem található",
        "Legolvasottabb",
        "A komp az első fagyokig járt, és mindkét parton emberek álltak, amikor utoljára indult"
        " el.",
    ),
    (
        "ro",
        "Pagina nu a fost găsită",
        "Cele mai citite",
        "Bacul a mers până la primul îngheț, iar pe ambele maluri stătea lumea când a plecat"
        " ultima oară.",
    ),
    (
        "bg",
        "Страницата не беше намерена",
        "Най-четени",
        "Фериботът плаваше до първите студове, а хора стояха на двата бряга, когато тръгна за"
        " последен път.",
    ),
    (
        "ru",
        "Страница не найдена",
        "Самое читаемое",
        "Паром ходил до первых заморозков, и на обоих берегах стояли люди, когда он отчалил в"
        " последний раз.",
    ),
    (
        "uk",
        "Сторінку не знайдено",
        "Найпопулярніше",
        "Пором ходив до перших морозів, і на обох берегах стояли люди, коли він відчалив востаннє.",
    ),
    (
        "sr",
        "Страница није пронађена",
        "Најчитаније",
        "Скела је возила до првих мразева, а људи су стајали на обе обале када је последњи пут"
        " кренула.",
    ),
    (
        "hr",
        "Stranica nije pronađena",
        "Najčitanije",
        "Skela je vozila do prvih mrazeva, a ljudi su stajali na obje obale kad je krenula"
        " posljednji put.",
    ),
    (
        "sl",
        "Stran ni bila najdena",
        "Najbolj brano",
        "Brod je vozil do prve zmrzali, na obeh bregovih pa so stali ljudje, ko je odplul zadnjič.",
    ),
    (
        "el",
        "Η σελίδα δεν βρέθηκε",
        "Δημοφιλή",
        "Το πορθμείο ταξίδευε ως την πρώτη παγωνιά και ο κόσμος στεκόταν στις δύο όχθες στο"
        " τελευταίο ταξίδι.",
    ),
    (
        "tr",
        "Sayfa bulunamadı",
        "Çok okunanlar",
        "Feribot ilk dona kadar çalıştı ve son kez kalkarken iki kıyıda da insanlar toplanmıştı.",
    ),
    (
        "ar",
        "الصفحة غير موجودة",
        "الأكثر قراءة",
        "ظلت العبارة تعمل حتى أول صقيع، ووقف الناس على الضفتين حين أبحرت للمرة الأخيرة.",
    ),
    (
        "he",
        "הדף לא נמצא",
        "הנקראים ביותר",
        "המעבורת הפליגה עד הכפור הראשון, ואנשים עמדו על שתי הגדות כשיצאה לדרכה בפעם האחרונה.",
    ),
    (
        "fa",
        "صفحه پیدا نشد",
        "پربازدیدترین‌ها",
        "کشتی تا نخستین یخبندان کار می‌کرد و مردم در هر دو ساحل ایستاده بودند وقتی برای آخرین بار"
        " رفت.",
    ),
    (
        "hi",
        "पृष्ठ नहीं मिला",
        "सबसे ज़्यादा पढ़े गए",
        "नाव पहली ठंड तक चलती रही और जब वह आख़िरी बार निकली तो दोनों किनारों पर लोग खड़े थे।",
    ),
    (
        "bn",
        "পৃষ্ঠাটি পাওয়া যায়নি",
        "সর্বাধিক পঠিত",
        "প্রথম শীত পর্যন্ত খেয়া চলেছিল, আর শেষবার ছাড়ার সময় দুই পাড়ে মানুষ দাঁড়িয়ে ছিল।",
    ),
    (
        "th",
        "ไม่พบหน้าที่ต้องการ",
        "อ่านมากที่สุด",
        "เรือข้ามฟากวิ่งจนถึงน้ำค้างแข็งครั้งแรก และผู้คนยืนอยู่สองฝั่งเมื่อเรือออกเป็นครั้งสุดท้าย",
    ),
    (
        "vi",
        "Không tìm thấy trang",
        "Đọc nhiều nhất",
        "Chuyến phà chạy đến đợt sương giá đầu tiên, và người dân đứng ở hai bờ khi nó rời bến lần"
        " cuối.",
    ),
    (
        "id",
        "Halaman tidak ditemukan",
        "Terpopuler",
        "Feri beroperasi sampai beku pertama, dan orang berdiri di kedua tepi ketika ia berangkat"
        " terakhir kali.",
    ),
    (
        "ko",
        "페이지를 찾을 수 없습니다",
        "많이 본 뉴스",
        "나룻배는 첫서리까지 다녔고, 마지막으로 떠나던 날 양쪽 강가에는 사람들이 서 있었다.",
    ),
    (
        "ja",
        "ページが見つかりません",
        "よく読まれている記事",
        "渡し船は初霜まで運航し、最後に岸を離れた日には両岸に人々が立ち並んでいた。",
    ),
    (
        "zh",
        "页面不存在",
        "热门文章",
        "渡船一直行驶到当年初霜，最后一次离岸的时候，两岸都站满了前来送行的人群。",
    ),
    (
        "zh-TW",
        "找不到頁面",
        "熱門文章",
        "渡船一直行駛到當年初霜，最後一次離岸的時候，兩岸都站滿了前來送行的人群。",
    ),
    (
        "et",
        "Lehte ei leitud",
        "Loetuimad",
        "Praam sõitis esimeste külmadeni ja mõlemal kaldal seisis rahvas, kui ta viimast korda"
        " lahkus.",
    ),
    (
        "lv",
        "Lapa netika atrasta",
        "Lasītākie",
        "Prāmis kursēja līdz pirmajam salam, un abos krastos stāvēja ļaudis, kad tas atgāja pēdējo"
        " reizi.",
    ),
    (
        "lt",
        "Puslapis nerastas",
        "Skaitomiausi",
        "Keltas plaukiojo iki pirmųjų šalnų, o abiejuose krantuose stovėjo žmonės, kai jis"
        " išplaukė paskutinį kartą.",
    ),
    (
        "ca",
        "No hem trobat la pàgina",
        "El més llegit",
        "La barca va navegar fins a les primeres gelades i hi havia gent a les dues ribes en"
        " l'últim viatge.",
    ),
    (
        "sq",
        "Faqja nuk u gjet",
        "Më të lexuarat",
        "Trageti lundroi deri në ngricën e parë, dhe njerëzit qëndronin në të dy brigjet kur u nis"
        " për herë të fundit.",
    ),
    (
        "az",
        "Səhifə tapılmadı",
        "Ən çox oxunanlar",
        "Bərə ilk şaxtaya qədər işlədi və son dəfə yola düşəndə hər iki sahildə insanlar"
        " dayanmışdı.",
    ),
    (
        "kk",
        "Бет табылмады",
        "Көп оқылғандар",
        "Паром алғашқы аязға дейін жүрді, соңғы рет жүзіп шыққанда екі жағада да адамдар тұрды.",
    ),
    (
        "ms",
        "Halaman tidak dijumpai",
        "Paling popular",
        "Feri itu beroperasi hingga fros pertama, dan orang ramai berdiri di kedua-dua tebing pada"
        " hari terakhirnya.",
    ),
    (
        "ur",
        "صفحہ نہیں ملا",
        "سب سے زیادہ پڑھے گئے",
        "کشتی پہلی سردی تک چلتی رہی، اور جب وہ آخری بار روانہ ہوئی تو دونوں کناروں پر لوگ کھڑے"
        " تھے۔",
    ),
]
