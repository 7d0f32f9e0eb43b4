"""How parking services, registrars, hosts and fresh servers say that there is no site here.

Sources: the public pages of the services that are named; parking services are also known by what
their pages are made of, since a script fills many of them.
"""

# ruff: noqa: E501, RUF001 (words of many languages; a line for what belongs together)
import re

from checker.engine.gone_words import compiled, fold

# A domain, as such pages call it: read from its beginning only, and once.
_NAME = r"(?<![a-z0-9-])(?<![a-z0-9-]\.)(?:[a-z0-9-]{1,63}+\.){1,5}[a-z0-9-]{2,24}"
_DOMAIN = (
    rf"(?:(?:premium |this |the |your ){{0,3}}+(?:domain|website|web ?site)(?: name)?s?|{_NAME})"
)
_SITE = r"(?:account|web ?site|site|web ?page|page|domain|hosting|store|shop|blog|server)"

# In a title or heading. A little may stand around it.
_STATEMENTS = (
    rf"{_DOMAIN}.{{0,40}}?(?:for sale|has expired|expired|is parked|parked|may be available"
    rf"|available for purchase|is available|can be yours|is coming soon|isn't connected|not connected)",
    rf"(?:buy|purchase|own|get|acquire) (?:(?:this|the) (?:domain|name)|{_NAME})|parked (?:domain|page|website|free)",
    rf"{_DOMAIN}.{{0,40}}?(?:registered (?:with|at|by|through)|hosted (?:with|by|at)|reserved)",
    rf"registered (?:at|with) {_NAME}|future home of|domain (?:name )?(?:parking|default) page",
    rf"{_SITE}(?: {_NAME})? (?:has been |is |was |temporarily |currently ){{0,4}}+(?:suspended|disabled"
    r"|deactivated|terminated|blocked|permanently closed)",
    rf"{_SITE}.{{0,60}}?(?:currently unavailable|is closed|has expired|not (?:been )?configured"
    r"|not published|has been blocked|no longer available)",
    r"(?:web(?: ?site|server|-server)?|hosting|domain|server|site)(?:'s)? default (?:web ?site )?page"
    r"|default (?:web ?site|server|domain|web|apache|nginx|vhost) page|default web ?site",
    r"welcome to (?:nginx|openresty|apache|caddy|tengine|lighttpd|centos|plesk|xampp|iis)",
    r"(?:apache2?|nginx|http server|caddy|lighttpd).{0,30}?(?:default|test|welcome) page"
    r"|test page for (?:the )?(?:apache|nginx|http)",
    r"(?:this )?(?:site|website|page|domain) (?:is )?(?:under construction|coming soon)",
    r"web ?(?:app|site|server) is (?:running|up|live).{0,30}(?:waiting|content|work)",
    # German, Dutch, Scandinavian
    rf"(?:domain|{_NAME}|webseite|website).{{0,40}}?(?:zum verkauf|zu verkaufen|ist geparkt|geparkt"
    r"|wurde registriert|ist registriert|abgelaufen|erworben werden|gesperrt|reserviert|kaufen)",
    r"hier entsteht (?:eine|in kurze|die)|(?:account|konto|website|webseite|prasenz).{0,30}?gesperrt"
    r"|internetprasenz wurde|webprasenz.{0,20}(?:eingerichtet|nicht verfugbar)",
    rf"(?:domein(?:naam)?|{_NAME}|website).{{0,40}}?(?:te koop|geparkeerd|gereserveerd|geregistreerd"
    r"|opgeschort|verlopen)",
    rf"(?:doman(?:en)?|domænet?|domenet?|verkkotunnus|{_NAME}).{{0,40}}?(?:till salu|til salg|til salgs"
    r"|parkerad|parkeret|parkert|myytavana|upptagen|registrerad hos|registreret)",
    # Romance
    rf"(?:dominio|domini|{_NAME}).{{0,40}}?(?:en venta|a la venta|in vendita|a venda|en venda|parkeado"
    r"|aparcado|parcheggiato|estacionado|expirado|caducado|scaduto|expirou|registrad[oa]|registrato"
    r"|suspendid[oa]|sospeso)",
    rf"(?:nom de domaine|domaine|{_NAME}).{{0,40}}?(?:a vendre|en vente|expire|est reserve"
    r"|est enregistre|parking|parque|disponible a la vente)",
    r"(?:cuenta|sitio|pagina|web|conta|site|compte|sito|account).{0,30}?(?:suspendid[oa]|suspendue?"
    r"|suspens[oa]|sospes[oa]|desactivad[oa]|bloquead[oa])",
    rf"(?:domeniu(?:l)?|{_NAME}).{{0,30}}?(?:de vanzare|expirat|suspendat)",
    # Slavic, Baltic, Hungarian, Greek, Turkish
    rf"(?:domen[ay]\w*|{_NAME}|stron[ay]|serwis).{{0,40}}?(?:na sprzedaz|zaparkowan\w+|wygas\w+"
    r"|zarejestrowan\w+|zostal[ay]? zawieszon\w+|zablokowan\w+|utrzymywana)",
    rf"(?:domen\w+|{_NAME}|stranky?|web|ucet).{{0,40}}?(?:na predaj|na prodej|k prodeji|je na prodaj"
    r"|na prodaju|zaparkovan\w+|parkovan\w+|pozastaven\w+|expirovala|registrovan\w+ u)",
    rf"(?:домен\w*|саит\w*|аккаунт\w*|хостинг\w*|{_NAME}).{{0,40}}?(?:прода[её]тся|на продаж\w+"
    r"|припаркован\w*|истек\w*|заблокирован\w*|приостановлен\w*|не привязан|не оплачен\w*|отключен\w*"
    r"|не делегирован|зарегистрирован\w*|выставлен на)",
    rf"(?:домен\w*|саит\w*|{_NAME}).{{0,40}}?(?:продаєтьс\w+|на продаж|припаркован\w*|заблоковано"
    r"|призупинено|се продава|на продају|на прода\w+)",
    rf"(?:domain|{_NAME}|oldal).{{0,30}}?(?:elado|parkolt|parkol|felfuggeszt\w+|lejart)",
    rf"(?:ονομα χωρου|domain|{_NAME}).{{0,30}}?(?:πωλειται|προς πωληση)",
    rf"(?:alan ad[ıi]|domain|{_NAME}|hesap|site).{{0,40}}?(?:satılık|satilik|park edil\w+|askıya"
    r"|suresi dol\w+)",
    # Asian, Arabic
    r"(?:域名|网域|網域|网站|網站|本站).{0,30}?(?:出售|转让|轉讓|待售|停放|过期|過期|已关闭|已關閉|已暂停"
    r"|被暂停|未绑定|没有绑定|未备案)|(?:出售|转让|购买|購買)(?:此|该|本)?域名",
    r"(?:トメイン|アカウント|サイト|ホームヘーシ|アト レス).{0,40}?(?:販売|売りに|使用されていません|ハーキンク"
    r"|停止|取得|期限|失効|凍結|利用てきません)|こちらのトメイン",
    rf"(?:{fold('도메인')}|{fold('계정')}|{fold('사이트')}|{fold('홈페이지')}).{{0,40}}?"
    rf"(?:{fold('판매')}|{fold('만료')}|{fold('주차')}|{fold('파킹')}|{fold('정지')}|{fold('중지')})",
    rf"(?:ten mien|{_NAME}|trang web|tai khoan).{{0,40}}?(?:đang (?:đuoc )?(?:rao )?ban|can ban|het han|tam ngung|bi khoa"
    r"|tam khoa|dang ban)",
    rf"(?:domain|{_NAME}|akun|situs).{{0,40}}?(?:dijual|ditangguhkan|kedaluwarsa|disuspend|diparkir)",
    r"(?:النطاق|الدومين|الموقع|الحساب).{0,40}?(?:للبيع|منتهي|موقوف|معلق|محجوز)",
    r"(?:دامنه|سایت|سايت|حساب).{0,40}?(?:فروش|منقضی|مسدود|تعلیق)",
    r"(?:הדומיין|דומיין|האתר|החשבון).{0,40}?(?:למכירה|מושעה|פג תוקף|הושעה)",
    r"โดเมน.{0,40}?(?:ขาย|หมดอาย|ระงับ)",
)
# Said alone, they are the whole of a title or heading.
_ALONE = (
    r"it works|iis windows(?: server)?|iis\d?|testing 123|(?:account|site|website) (?:suspended|expired)",
    r"(?:squarespace - )?website expired|domain (?:expired|parked|for sale)|parked|for sale|parking page",
    r"(?:site )?under construction|coming soon|(?:web)?site (?:is )?coming soon|new website",
    r"default(?: web ?site)? page|default web ?site|web ?server default page|plesk|cpanel",
    r"microsoft azure(?: app service - welcome)?|welcome to (?:your )?new (?:web)?site",
    r"hello,? world|index of /|sorry, this (?:shop|store) is currently unavailable",
)
# Anywhere on a page with hardly any text.
_TEXTS = (
    rf"(?:owner of|offering) .{{0,80}}(?:it )?for sale|{_DOMAIN} (?:is|may be|might be) for sale",
    r"is parked free|parked free,? courtesy|(?:page|domain) is (?:currently )?parked|parked by",
    r"domain (?:has )?(?:recently been |been |is )?registered (?:with|at|by|through)",
    r"(?:domain|website|account|site) has expired|pending renewal|buy this domain|domain broker",
    r"sponsored listings displayed above|relationship with (?:the|third party) advertisers",
    r"(?:account|website|site|domain) has been (?:suspended|disabled|deactivated)",
    r"contact your hosting provider|generated by plesk|default (?:welcome )?page used to test",
    r"proper operation of the (?:apache|nginx|http)|web server is successfully installed",
    r"no web ?site (?:is )?(?:configured )?at this address|waiting for your content",
    r"domain_parking|make an offer on this domain|related searches.{0,200}privacy policy",
    r"domain (?:is )?not (?:yet )?(?:configured|connected|pointed|linked)|if you are the (?:site |domain "
    r")?owner,? (?:please )?(?:log ?in|click|contact|renew|sign in)",
)
# In what a page is made of.
_SOURCES = (
    r"data-adblockkey\s*+=|sedoparking\.com/|parkingcrew\.net/|\bbodis\.com/|parklogic\.com/"
    r"|window\.park\s*+=|window\.lander_system|/parking-lander/|adsense/domains/caf\.js"
    r"|location(?:\.href)?+\s*+=\s*+[\"']/lander|domain_parking=|above\.com/marketplace"
    r"|<i?frame[^<>]{1,300}?(?:sedo|dan\.com|afternic|hugedomains|bodis|parking)[a-z]{0,30}+\.",
)

STATEMENTS = tuple(compiled(fold(statement)) for statement in _STATEMENTS)
ALONE = compiled("|".join(_ALONE))
TEXTS = compiled("|".join(_TEXTS))
SOURCES = re.compile("|".join(_SOURCES))
