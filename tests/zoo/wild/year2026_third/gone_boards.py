"""Small ads, things and posts that went, in the words of boards in many languages, with a 200."""

# ruff: noqa: RUF001
from tests.zoo.wild.case import Case, gone, html
from tests.zoo.wild.pages import swallowing
from tests.zoo.wild.year2026_third.frames import ads

_FLAGS = ("error_page", "same_for_all")

# By language: where it is known from, the title, the heading, a sentence below, other ads.
_BOARDS: dict[str, tuple[str, str, str, str, tuple[str, ...]]] = {
    "cs": (
        "Bazoš",
        "Inzerát byl vymazán",
        "Inzerát byl vymazán.",
        "Zkuste hledat jiný.",
        ("Kyvadlové hodiny", "Budík"),
    ),
    "sk": (
        "Bazoš.sk",
        "Inzerát bol vymazaný",
        "Inzerát bol vymazaný.",
        "Skúste hľadať iný.",
        ("Kyvadlové hodiny", "Budík"),
    ),
    "hr": (
        "Njuškalo",
        "Oglas više nije aktivan",
        "Traženi oglas više nije aktivan",
        "Pogledajte slične oglase.",
        ("Zidni sat", "Džepni sat"),
    ),
    "sr": (
        "KupujemProdajem",
        "Оглас је обрисан",
        "Оглас је обрисан или истекао",
        "Погледајте друге огласе.",
        ("Зидни сат", "Будилник"),
    ),
    "bg": (
        "OLX.bg",
        "Обявата вече не е активна",
        "Тази обява вече не е активна",
        "Вижте подобни обяви.",
        ("Стенен часовник", "Будилник"),
    ),
    "ro": (
        "OLX.ro",
        "Anunțul nu mai este disponibil",
        "Acest anunț nu mai este disponibil",
        "Vezi anunțuri similare.",
        ("Ceas de perete", "Ceas de buzunar"),
    ),
    "hu": (
        "Jófogás",
        "A hirdetés már nem elérhető",
        "Ez a hirdetés már nem elérhető",
        "Nézz szét a hasonlók között.",
        ("Ingaóra", "Zsebóra"),
    ),
    "lt": (
        "Skelbiu.lt",
        "Skelbimas nebegalioja",
        "Skelbimas nebegalioja arba buvo ištrintas",
        "Peržiūrėkite kitus.",
        ("Sieninis laikrodis", "Žadintuvas"),
    ),
    "lv": (
        "SS.lv",
        "Sludinājums ir dzēsts",
        "Sludinājums ir dzēsts vai tā termiņš ir beidzies",
        "Skatiet citus.",
        ("Sienas pulkstenis", "Modinātājs"),
    ),
    "et": (
        "okidoki",
        "Kuulutus on kustutatud",
        "See kuulutus on kustutatud",
        "Vaata teisi kuulutusi.",
        ("Seinakell", "Äratuskell"),
    ),
    "el": (
        "XE",
        "Η αγγελία δεν είναι διαθέσιμη",
        "Η αγγελία δεν είναι πλέον διαθέσιμη",
        "Δείτε παρόμοιες αγγελίες.",
        ("Ρολόι τοίχου", "Ξυπνητήρι"),
    ),
    "tr": (
        "Sahibinden",
        "İlan yayından kaldırılmış",
        "Aradığınız ilan yayından kaldırılmıştır",
        "Benzer ilanlara bakabilirsiniz.",
        ("Duvar saati", "Cep saati"),
    ),
    "ar": (
        "Haraj",
        "الإعلان محذوف",
        "هذا الإعلان محذوف أو انتهت صلاحيته",
        "تصفح إعلانات مشابهة.",
        ("ساعة حائط", "ساعة جيب"),
    ),
    "ms": (
        "Mudah",
        "Iklan tidak lagi tersedia",
        "Iklan ini tidak lagi tersedia",
        "Lihat iklan lain.",
        ("Jam dinding", "Jam loceng"),
    ),
    "zh-TW": (
        "591",
        "物件不存在",
        "您查詢的物件不存在，可能已關閉或被刪除",
        "看看其他物件。",
        ("掛鐘", "懷錶"),
    ),
    "bn": (
        "Bikroy",
        "বিজ্ঞাপনটি পাওয়া যায়নি",
        "দুঃখিত, এই বিজ্ঞাপনটি আর পাওয়া যাচ্ছে না",
        "অন্য বিজ্ঞাপন দেখুন।",
        ("দেয়াল ঘড়ি", "পকেট ঘড়ি"),
    ),
    "ca": (
        "boards in Catalonia",
        "L'anunci ja no està disponible",
        "Aquest anunci ja no està disponible",
        "Mira anuncis semblants.",
        ("Rellotge de paret", "Despertador"),
    ),
    "da": (
        "DBA, Den Blå Avis",
        "Annoncen er slettet",
        "Annoncen findes ikke længere",
        "Se lignende annoncer.",
        ("Bornholmerur", "Vækkeur"),
    ),
    "ja": (
        "Rakuma",
        "商品が見つかりません",
        "ご指定の商品は存在しないか、削除された可能性があります",
        "ほかの商品を見る",
        ("柱時計", "懐中時計"),
    ),
    "th": (
        "Kaidee",
        "ไม่พบประกาศ",
        "ประกาศนี้ถูกลบหรือหมดอายุแล้ว",
        "ดูประกาศอื่น",
        ("นาฬิกาแขวน", "นาฬิกาปลุก"),
    ),
}

CASES: list[Case] = [
    gone(
        f"a small ad of a board that it does not have any more: {lang}",
        f"public form: {who}, with a 200",
        swallowing(
            html(
                ads(
                    f"{title} | Tandelmarkt",
                    f"<div class='empty-state'><h1>{heading}</h1><p>{below}</p></div>",
                    lang=lang,
                    others=others,
                )
            )
        ),
        *_FLAGS,
    )
    for lang, (who, title, heading, below, others) in _BOARDS.items()
]
