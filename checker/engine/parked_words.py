"""How parking services, registrars, hosts and new servers say that there is no site.

Parking services are also recognized by their pages' source, because scripts fill many of these pages.
Sources: the public pages of the services that are named.
"""

# ruff: noqa: E501, RUF001 (words of many languages; long lines keep related words together)
import re

from checker.engine.gone_words import compile_folded, fold

# A domain, as such pages call it; matched once, from its beginning only.
_DOMAIN_NAME = r"(?<![a-z0-9-])(?<![a-z0-9-]\.)(?:[a-z0-9-]{1,63}+\.){1,5}[a-z0-9-]{2,24}"
_DOMAIN = rf"(?:(?:premium |this |the |your ){{0,3}}+(?:domain|website|web ?site)(?: name)?s?\b(?: {_DOMAIN_NAME})?|{_DOMAIN_NAME})"
_IS = r"['\"”]?[ :,-]{1,3}+(?:(?:is|are|was|has|have|been|may|might|could|can|be|now|currently|recently|just|already|listed|up)[ ]){0,4}+"
_SITE = r"(?:account|web ?site|site|web ?page|page|domain|hosting|store|shop|blog|server)"
# "Domaine" and similar words also mean estates, so the statement must follow immediately.
_ROMANCE = (
    rf"(?:(?:nom de domaine|nombre de dominio|nome (?:de |a )?dominio|nom de domini|{_DOMAIN_NAME}).{{0,40}}?"
    rf"|\b(?:ce|le|votre|este|el|su|tu|esse|seu|o|questo|il|aquest) (?:domaine|dominio?)(?: {_DOMAIN_NAME})? "
    r"(?:(?:est|esta|e|es|se|ha|a|foi|vient|d'etre|encuentra|actuellement|desormais|ete|sido|stato|ya|bien"
    r"|deja|gia|ja|recientemente|recentemente|recemment|actualmente|atualmente|attualmente) ){1,5})"
)

# Statements that count in a title or heading, with few words around them.
_STATEMENTS = (
    rf"{_DOMAIN}{_IS}(?:for sale|expired|parked|available|can be yours|yours|coming soon"
    r"|isn't connected|not (?:yet )?connected|offered for)",
    rf"\bdomain(?: name)?(?: {_DOMAIN_NAME})?{_IS}(?:registered|taken|reserved)",
    rf"(?:buy|purchase|own|get|acquire) (?:(?:this|the) (?:domain|name)|{_DOMAIN_NAME})|parked (?:domain|page|website|free)"
    r"|parked (?:at|with|on|via) [a-z]",
    rf"{_DOMAIN}.{{0,40}}?(?:registered (?:with|at|by|through|via)|hosted (?:with|by|at)|(?<!rights )reserved"
    r"|(?:been|was) seized)",
    rf"registered (?:at|with) {_DOMAIN_NAME}|future home of|domain (?:name )?(?:parking|default) page|domain not claimed",
    rf"(?:this )?{_SITE}(?: {_DOMAIN_NAME})?(?: name)? (?:has been |have been |is |was |temporarily |currently ){{0,4}}+"
    r"(?:suspended|disabled|deactivated|terminated|blocked|permanently closed|seized)",
    rf"{_SITE}.{{0,60}}?(?:currently unavailable|has expired|not (?:been )?configured"
    r"|not published|has been blocked|no longer available)|this (?:website|blog|web ?shop|online (?:store|shop)) is (?:permanently )?closed|this (?:store|shop) is (?:currently |temporarily )?unavailable",
    r"(?:contact information|whois|registrant).{0,20} verification",
    r"(?:web(?: ?site|server|-server)?|hosting|domain|server|site)(?:'s)? default (?:web ?site )?page"
    r"|default (?:web ?site|server|domain|web|apache|nginx|vhost|parallels plesk|plesk) page|default web ?site",
    r"welcome to (?:nginx|openresty|apache|caddy|tengine|lighttpd|centos|plesk|xampp|iis|(?:open ?)?lite ?speed"
    r"|openlitespeed|cyberpanel|wildfly|glassfish|payara|jboss|synology web station|wamp|mamp|runcloud|froxlor)",
    r"(?:cyberpanel|directadmin|plesk|cpanel|(?:open)?litespeed|hestiacp|vestacp|cloudpanel|ispconfig|virtualmin"
    r"|webmin|froxlor|aapanel|nginx|apache2?|caddy|tomcat) (?:is |was |has been )?(?:successfully )?installed",
    r"(?:apache2?|nginx|http server|caddy|lighttpd|litespeed).{0,30}?(?:default|test|welcome|placeholder) page"
    r"|test page for (?:the )?(?:apache|nginx|http)(?: http)?(?: server)?(?: (?:on|powered by) [a-z ]{1,40}+)?|caddy works",
    r"(?:enterprise linux|centos|fedora|rocky linux|almalinux|amazon linux).{0,20}?test page",
    r"(?:this )?(?:site|website|page|domain) (?:is )?(?:under construction|coming soon)",
    r"web ?(?:app|site|server) is (?:running|up|live).{0,30}(?:waiting|content|work)"
    rf"|site (?:{_DOMAIN_NAME} )?(?:is |has been |was )?(?:just )?(?:created success|successfully created)|registered,? but may (?:still )?be available|successfully (?:created|registered) (?:with|at|on) [a-z]",
    r"(?:your|the) domain (?:name )?(?:has been|is|was) (?:successfully )?(?:created|registered|set up)",
    # German, Dutch, Scandinavian
    rf"(?:domain|{_DOMAIN_NAME}|webseite|website).{{0,40}}?(?:zum verkauf|zu verkaufen|ist geparkt|geparkt"
    r"|wurde (?:\w{1,12} ){0,2}registriert|ist (?:\w{1,12} ){0,2}registriert|abgelaufen|erworben werden|gesperrt|reserviert"
    r"|erfolgreich eingerichtet|gesichert|beschlagnahmt|im kundenauftrag)",
    rf"(?:domain|{_DOMAIN_NAME}) (?:jetzt |hier |gunstig )?kaufen|im kundenauftrag registriert",
    r"hier entsteht (?:eine|in kurze|die|demnachst|ein )|(?:account|konto|website|webseite|prasenz|zugang).{0,30}?gesperrt"
    r"|(?:internet|web)prasenz.{0,20}(?:wurde|eingerichtet|nicht verfugbar|freigeschaltet|entsteht)",
    rf"(?:domeinnaam|{_DOMAIN_NAME}|website).{{0,40}}?(?:te koop|geparkeerd|gereserveerd|geregistreerd|opgeschort|verlopen)"
    rf"|(?:deze|dit|het|de) domein(?: {_DOMAIN_NAME})? (?:is|staat|werd) (?:te koop|geparkeerd|gereserveerd|geregistreerd|verlopen)"
    r"|gereserveerd (?:voor|door) een klant|hier komt (?:binnenkort |straks )?(?:een|de) (?:nieuwe )?website",
    rf"(?:doman(?:en)?|domænet?|domenet?|verkkotunnus|{_DOMAIN_NAME}).{{0,40}}?(?:till salu|til salg|til salgs"
    r"|parkerad|parkeret|parkert|myytavana|pysakoity|rekisteroity|upptagen|(?:redan )registrerad|registrerad (?:hos|via)|registreret|registrert hos)",
    r"(?:kontot?|webbplatsen|hemsidan|webbhotellet).{0,20}?(?:avstangd|avstangt|sparrad|sparrat|suspendera[dt])"
    r"|(?:kontoen|hjemmesiden|nettstedet|webhotellet).{0,20}?(?:suspenderet|suspendert|sparret|stengt|lukket)"
    r"|(?:tili|sivusto|verkkosivusto|webhotelli).{0,20}?(?:suljettu|jaadytetty|lukittu)",
    # Romance
    r"\b(?:domaine|dominio?) (?:expirad[oa]|expire|caducado|scaduto|suspendu|suspendido|suspenso|sospeso|parkeado|aparcado"
    r"|parcheggiato|estacionado|registrado|registrato|enregistre)",
    rf"{_ROMANCE}(?:en venta|a la venta|in vendita|a venda|en venda|parkeado|aparcado|parcheggiato|estacionado|expirado"
    r"|caducado|scaduto|expirou|suspendid[oa]|sospeso|a vendre|en vente|expire|reserve|enregistree?|parque|disponible a la vente"
    r"|registrad[oa]|registrato|hospedad[oa]|reservad[oa]|cree|creado|creato?)(?![a-z])",
    r"(?:votre|su|tu|il tuo|seu|ihre|twoja|uw) (?:nom de )?(?:domaine?|dominio|domena|domein) .{0,40}?(?:cree|enregistre|cread[oa]|creato"
    r"|criado|registrad[oa]|registrato|angelegt|utworzona|aangemaakt)(?: con exito| corr(?:ect|ett)amente| com sucesso)?"
    r"(?: (?:en|con|chez|bei|w|em|bij|presso) [a-z.]{2,20}+)?",
    r"(?:cuenta|sitio|pagina|web|conta|site|compte|sito|account|hosting|hebergement|hospedagem|alojamiento|servicio|service|servizio)"
    r".{0,30}?(?:suspendid[oa]|suspendue?|suspens[oa]|sospes[oa]|desactivad[oa]|bloquead[oa]|desactivee?|bloquee?\b|disattivat[oa])",
    rf"(?:numele de domeniu|{_DOMAIN_NAME}).{{0,30}}?(?:de vanzare|expirat|suspendat)|acest domeniu (?:este )?(?:de vanzare|expirat)"
    r"|(?:cont|site|gazduire).{0,20}?suspendat",
    # Slavic, Baltic, Hungarian, Greek, Turkish
    rf"(?:domen[ay]\w*|{_DOMAIN_NAME}|stron[ay]|serwis|konto|hosting|usluga|usługa).{{0,40}}?(?:na sprzedaz|zaparkowan\w+|wygas\w+"
    r"|zarejestrowan\w+|zosta[lł][ay]? zawieszon\w+|zawieszon\w+|zablokowan\w+|utrzymywana|nieaktywn\w+)",
    rf"(?:domen\w+|{_DOMAIN_NAME}|stranky?|web|ucet|hosting).{{0,40}}?(?:na predaj|na prodej|k prodeji|je na prodaj"
    r"|na prodaju|zaparkovan\w*|parkovan\w*|pozastaven\w*|expirovala|registrovan\w+ u|zaregistrovan\w+)",
    rf"(?:домен\w*|саит\w*|аккаунт\w*|хостинг\w*|сервис\w*|площадк\w+|{_DOMAIN_NAME}).{{0,40}}?(?:прода[её]тся|на продаж\w+"
    r"|припаркован\w*|истек\w*|заблокирован\w*|приостановлен\w*|не привязан|не прилинкован|не прикреплен\w*|не подключ[её]н\w*"
    r"|не оплачен\w*|отключен\w*|не делегирован|зарегистрирован\w*|выставлен на|только что создан|успешно создан|не опубликован)"
    r"|здесь (?:скоро )?(?:будет|появится) (?:новыи )?саит|саит скоро (?:откроется|появится|будет)",
    rf"(?:домен\w*|саит\w*|{_DOMAIN_NAME}).{{0,40}}?(?:продаєтьс\w+|на продаж|припаркован\w*|заблоковано"
    r"|призупинено|се продава|на продају|на прода\w+)",
    # Croatian, Serbian, Bosnian, Slovenian; Baltic
    r"(?:racun|stranic[ae]|domen[ae]|hosting|usluga|web mjesto|web ?sajt|nalog|spletna stran|gostovanje).{0,30}?(?:suspendiran|suspendovan|obustavljen"
    r"|deaktiviran|ugasen|blokiran|onemogucen|ukinjen|zaustavljen|zamrznjen|istekl?[ao]?\b|poteklo?\b)\w{0,4}",
    r"(?:налог|саит|хостинг|домен).{0,30}?(?:суспендован|обустављен|деактивиран|блокиран|угашен|истекао)\w{0,4}",
    r"(?:konto|veebileht|veebimajutus|koduleht).{0,30}?(?:peatatud|suletud|blokeeritud|aegunud)"
    r"|(?:konts|vietne|majaslapa|hostings|hostinga).{0,30}?(?:apturet|bloket|slegt|deaktivet)\w{0,4}"
    r"|(?:paskyra|svetaine|talpinim\w{1,5}|hostingas|paslauga).{0,30}?(?:sustabdyt|uzblokuot|isjungt|laikinai neveik)\w{0,4}",
    rf"(?:domain|{_DOMAIN_NAME}|oldal|tarhely).{{0,30}}?(?:elado|parkolt|parkol|felfuggeszt\w+|lejart)",
    rf"(?:ονομα χωρου|domain|{_DOMAIN_NAME}).{{0,30}}?(?:πωλειται|προς πωληση)",
    r"(?:λογαριασμος|ιστοσελιδα|ιστοτοπος|ιστοχωρος|φιλοξενια|hosting).{0,40}?(?:ανασταλει|ανεσταλη|ανασταλθηκε|αναστολη"
    r"|απενεργοποιη\w+|εχει ληξει|εληξε)",
    r"(?:домеин\w*|саит\w*|акаунт\w*|хостинг\w*).{0,40}?(?:(?:е|са|беше) (?:временно )?(?:спрян|изтекъл|деактивиран|замразен|блокиран)\w*)",
    rf"(?:alan ad[ıi]|domain|{_DOMAIN_NAME}|hesap|site).{{0,40}}?(?:satılık|satilik|park edil\w+|askıya"
    r"|suresi dol\w+)",
    # Asian, Arabic
    r"(?:域名|网域|網域|网站|網站|本站|站点|站點|主机|主機|空间).{0,30}?(?:(?:出售|转让|轉讓|待售)(?:中|(?![\u4e00-\u9fff]))|停放|过期|過期|已关闭|已關閉|已暂停"
    r"|被暂停|未绑定|没有绑定|未备案|创建成功|開通成功|开通成功|停止(?:运行|访问|服务|解析|運行|訪問|服務)|已到期)|(?:出售|转让|购买|購買)(?:此|该|本)?域名|没有找到站点",
    r"ドメイン.{0,40}?(?:販売|売りに|使用されていません|パーキング|停止|(?:取得|登録|管理)され|期限|失効)|こちらのドメイン"
    r"|アカウント.{0,40}?停止|(?:アカウント|サイト|ホームページ|アドレス|サーバー?).{0,40}?(?:使用されていません|凍結|失効|利用できません)"
    r"|初期(?:ページ|画面)|レンタルサーバー?の?(?:初期|デフォルト)",
    rf"(?:{fold('도메인')}|{fold('계정')}|{fold('사이트')}|{fold('홈페이지')}|{fold('호스팅')}).{{0,40}}?"
    rf"(?:{fold('판매')}|{fold('만료')}|{fold('주차')}|{fold('파킹')}|{fold('정지')}|{fold('중지')}|{fold('등록되어')})",
    rf"(?:ten mien|{_DOMAIN_NAME}|trang web|tai khoan|hosting).{{0,40}}?(?:đang (?:đuoc )?(?:rao )?ban|can ban|het han|tam ngung|bi khoa"
    r"|tam khoa|dang ban)",
    rf"(?:domain|{_DOMAIN_NAME}|akun|situs).{{0,40}}?(?:dijual|ditangguhkan|kedaluwarsa|disuspend|diparkir)",
    r"(?:النطاق|الدومين|الموقع|الحساب).{0,40}?(?:للبيع|منتهي|موقوف|معلق|محجوز)",
    r"(?:دامنه|سایت|سايت|حساب).{0,40}?(?:فروش|منقضی|مسدود|تعلیق)",
    r"(?:הדומיין|דומיין|האתר|החשבון).{0,40}?(?:למכירה|מושעה|פג תוקף|הושעה)",
    r"(?:โดเมน|เว็บไซต์|บัญชี|โฮสติ้ง).{0,40}?(?:ขาย|หมดอาย|ระงับ|ปิดใช้งาน)",
    # A site, hosting or account that was stopped
    r"(?:web ?site|site|hosting|blog|shop|store) (?:has been |is |was )(?:frozen|paused|terminated|cancelled)",
    r"(?:web(?:site|seite|space|prasenz)|internetseite|homepage|hosting(?:paket)?|vertrag).{0,30}?(?:deaktiviert|gekundigt|stillgelegt|abgeschaltet|abgelaufen|suspendiert)",
    r"(?:hebergement|site(?: web)?|boutique|abonnement).{0,30}?(?:expire|resilie|desactive|suspendu|bloque|cloture)e?\b",
    r"(?:sitio|hosting|alojamiento|tienda|servicio|cuenta).{0,30}?(?:deshabilitad|inhabilitad|vencid|caducad|dad[oa] de baj)[oa]",
    r"(?:site|hospedagem|conta|loja|servico|plano).{0,30}?(?:desativad|desabilitad|expirad|bloquead|cancelad)[oa]",
    r"(?:sito|hosting|servizio|dominio|negozio).{0,30}?(?:scadut|disabilitat|bloccat|disattivat)[oa]",
    r"(?:web ?site|site|hosting(?:pakket)?|webruimte).{0,30}?(?:geblokkeerd|opgeschort|verlopen|uitgeschakeld|gedeactiveerd|stopgezet)",
    r"(?:web\w{0,12}|strank\w{1,3}|sluzb\w{1,3}|hosting\w{0,3}|ucet).{0,30}?(?:vyprsel|expirov|pozastaven|zablokovan|deaktivovan|vypnut)\w{0,3}",
    r"(?:felfuggesztett|letiltott|lejart) (?:weboldal|honlap|tarhely|fiok)|(?:web)?(?:oldal|tarhely|honlap|fiok|szolgaltatas).{0,30}?(?:felfuggeszt|letilt|megszun)\w{1,6}",
    r"(?:саит\w{0,2}|хостинг\w{0,2}|акк?аунт\w{0,2}|домен\w{0,2}|сторінк\w{1,2}).{0,40}?(?:вимкнен|призупинен|заблокован|неоплачен|остановлен|выключен|деактивирован)\w{0,3}",
    r"(?:site\w{0,5}|hesa[bp]\w{0,4}|hosting|sayfa\w{0,4}).{0,30}?(?:durdurul\w{2,7}|kapatıl\w{2,7}|donduruldu)",
    r"(?:ايقاف|تعليق|تعطيل|تجميد) .{0,20}?(?:الحساب|الموقع|الاستضافة)|الاستضافة.{0,30}?(?:منتهي|موقوف|معلق|متوقف)",
    r"(?:האתר|אתר זה|החשבון|חשבון זה|האחסון).{0,30}?(?:נחסם|הושבת|הוקפא|אינו פעיל|מוקפא|הושעה)",
    r"(?:खाता|वेबसाइट|साइट|होस्टिंग).{0,30}?(?:निलंबित|निष्क्रिय|समाप्त)",
    r"(?:web ?site|trang web|hosting).{0,30}?(?:het han|tam ngung|tam khoa|ngung hoat đong)",
    r"(?:akun|akaun|situs|web ?site|laman web|hosting|layanan).{0,30}?(?:dinonaktifkan|nonaktif|digantung|dibekukan|kadaluarsa|kedaluwarsa|kadaluwarsa)",
    r"(?:サイト|ホームページ)(?:は|が|の)?.{0,20}?(?:停止|凍結)(?:中|し|さ)",
    rf"(?:{fold('사이트')}|{fold('홈페이지')}|{fold('호스팅')}|{fold('계정')}).{{0,30}}?(?:{fold('차단')}|{fold('초과')}|{fold('미납')})",
    r"(?:站点|站點|空间|空間|网站|網站|主机|主機|虚拟主机).{0,12}?(?:停用|暂停|暫停|停机|停機|欠费|欠費|关停|關停|冻结|凍結)",
)
# Statements that count only as a whole title or heading.
_ALONE = (
    r"iis windows(?: server)?|iis\d?|testing 123|(?:account|site|website) (?:suspended|expired)",
    r"(?:squarespace - )?website expired|domain (?:expired|parked|for sale)|parking page",
    r"default(?: web ?site)? page|default web ?site|web ?server default page|plesk|cpanel",
    r"microsoft azure(?: app service - welcome)?|welcome to (?:your )?new (?:web)?site|welcome to your website",
    r"index of /|sorry, this (?:shop|store) is currently unavailable|please renew your subscription",
    r"apache tomcat(?:/[\d.]{1,12})?|caddy works|wordpress . (?:installation|setup configuration file)",
    r"glassfish server - server running|your web ?server is working",
)
# The same, but these are also names of films, songs and sections, so they count only on a page with
# almost no links.
_PLACEHOLDERS = (
    r"it works|parked|for sale|coming soon|new website|hello,? world|success|congratulations?|almost (?:here|there)",
    r"(?:(?:web)?site |page )?(?:is )?under (?:construction|development)|(?:web)?site (?:is )?coming soon|opening soon",
    r"(?:(?:ce|le|il|el|este|o|deze) )?(?:site|page|pagina|sitio|sito|website|strona|web)(?: web)? (?:est |e |esta |is )?(?:en|in|em) (?:cours de )?(?:construction|construccion"
    r"|costruzione|construcao|constructie|aanbouw|opbouw)|en construction|proximamente|bientot disponible|em breve|in costruzione",
    r"(?:web)?(?:seite|site) im aufbau|im aufbau|demnachst|strona w budowie|w budowie|pripravujeme|ve vystavbe|hamarosan",
    r"(?:саит )?(?:находится )?в (?:стадии )?разработк[еи]|(?:саит )?на реконструкции|скоро открытие|yapım asamasında|yakında",
    r"(?:网站|網站)?(?:正在)?建设中|網站建置中|(?:サイト|ページ)?準備中(?:です)?|工事中|준비 ?중(?:입니다)?|공사 ?중",
)
# Farewells that a closed site shows at all addresses, on a page with little text.
_FAREWELLS = (
    r"\b(?:web ?site|site|service|forum|blog|shop|store|portal|magazine|community|board|wiki|company|business|we|app|platform|article) "
    r"(?:(?:has|have|is|was|been|now) ){0,3}(?:closed (?:down|for good|forever|permanently|its doors|our doors)|shut down|ceased (?:operations?|operating|trading|publication|to exist)"
    r"|come to an end|retired|discontinued|wound down)\b|\bno longer in business\b",
    r"(?:web ?site|webseite|seite|portal|forum|blog|dienst|service|shop|angebot|plattform|projekt|magazin|zeitschrift|wiki)\b.{0,30}?"
    r"(?:eingestellt|(?:dauerhaft|endgultig|fur immer) geschlossen|abgeschaltet)|(?:forum|portal|blog) ist (?:nun |jetzt )?geschlossen|betrieb .{0,40}?eingestellt",
    r"\b(?:site|service|forum|blog|boutique(?: en ligne)?|portail|magazine|plateforme|projet)\b.{0,20}?"
    r"(?:a (?:definitivement )?ferme|fermee? definitivement|a cesse|s'est arretee?|n'existe plus|a pris fin)",
    r"\b(?:sitio|web|foro|blog|tienda|portal|servicio|revista|plataforma|proyecto)\b.{0,20}?(?:ha cerrado|cerro\b|ceso\b|ha cesado|dejo de (?:funcionar|existir)|ha llegado a su fin)",
    r"\b(?:site|forum|blog|loja|portal|servico|revista|plataforma|projeto)\b.{0,20}?(?:foi encerrad[oa]|encerrou|fechou|chegou ao fim|deixou de (?:existir|funcionar)|cessou)",
    r"\b(?:sito|forum|blog|negozio|portale|servizio|rivista|piattaforma|progetto)\b.{0,20}?(?:ha (?:definitivamente )?chiuso|ha cessato|e stat[oa] (?:chius|dismess)[oa]|ha terminato)",
    r"(?:web ?site|site|forum|blog|web ?winkel|dienst|portaal|tijdschrift|platform)\b.{0,20}?(?:is (?:gestopt|opgeheven|beeindigd)|(?:definitief|permanent|voorgoed) gesloten|gesloten wegens|heeft opgehouden)",
    r"(?:webbplatsen|hemsidan|sidan|tjansten|bloggen|forumet|butiken|tidningen|portalen|nettstedet|nettsiden|tjenesten|nettbutikken|siden|hjemmesiden|websitet|webshoppen|bladet)\b.{0,20}?"
    r"(?:nedlagd|lagts ned?r?\b|upphort|stangt for gott|lagt ned|nedlagt|avviklet|opphort|ophørt|lukket for altid|stengt for godt|permanent (?:lukket|stengt|stangd))",
    r"(?:sivusto|palvelu|verkkokauppa|foorumi|blogi|lehti)\b.{0,20}?on (?:lopetettu|lakkautettu|lopettanut|suljettu pysyvasti)",
    r"(?:serwis|portal|strona|forum|blog|sklep|projekt)\b.{0,20}?(?:zosta[lł][ay]? (?:zamkniet|zlikwidowan)\w{1,3}|zakonczy[lł][ay]? (?:swoja )?dzia[lł]alnosc|przesta[lł][ay]? (?:istniec|dzia[lł]ac))",
    r"\b(?:web\w{0,4}|portal|forum|blog|e-?shop|obchod|sluzba|projekt)\b.{0,20}?(?:ukoncil\w? (?:svou |svoju )?(?:cinnost|provoz)|b[yo]l[aoy]? (?:zrusen|ukoncen)\w{0,2})",
    r"(?:oldal|honlap|forum|blog|aruhaz|szolgaltatas|portal).{0,20}?(?:bezart\b|megszunt)|(?:site|forum|blog|magazin|portal|serviciu)\w{0,4}\b.{0,20}?(?:s-a inchis|si-a incetat|inchis definitiv)",
    r"(?:саит|портал|форум|блог|магазин|сервис|проект|журнал|ресурс)\w{0,3}\b.{0,20}?(?:прекратил\w? (?:свою |свое )?(?:работу|деятельность|существование)|закры(?:т|лся)\b|больше не работает)",
    r"(?:саит|портал|форум|блог|магазин|сервіс|проєкт)\w{0,3}\b.{0,20}?(?:припинив\w? (?:свою |своє )?(?:роботу|діяльність|існування)|закрито назавжди|більше не працює)",
    r"(?:site|forum|blog|magaza|portal|hizmet)\w{0,6}\b.{0,20}?(?:kapan(?:mıs|dı)|kapatıl(?:mıs|dı)|faaliyetine son)|yayın hayatına son",
    r"(?:ιστοσελιδα|ιστοτοπος|φορουμ|υπηρεσια|καταστημα).{0,20}?(?:εκλεισε|εχει κλεισει|διακοψε)",
    r"(?:サイト|ホームページ|ブログ|フォーラム|掲示板|サービス|ショップ).{0,30}?(?:閉鎖(?:いた)?し|閉店(?:いた)?し|終了(?:いた)?しました)",
    rf"(?:{fold('사이트')}|{fold('블로그')}|{fold('홈페이지')}).{{0,20}}?(?:{fold('종료')}|{fold('폐쇄')})(?:{fold('되었')}|{fold('하였')}|{fold('했')}|{fold('됐')})",
    r"(?:网站|網站|本站|站点|论坛|論壇|博客|部落格|平台).{0,10}?(?:已(?:经|經)?(?:永久)?(?:关闭|關閉|关站|關站)|停止运营|停止營運)",
    r"(?:اغلاق|توقف) (?:هذا )?الموقع|الموقع.{0,20}?(?:مغلق|اغلق|توقف) نهائي|(?:האתר|הפורום|הבלוג|השירות).{0,20}?(?:נסגר|הפסיק לפעול)|(?:سایت|سرویس).{0,20}?(?:بسته شد|تعطیل شد)",
    r"(?:trang web|web ?site|dien đan).{0,20}?(?:ngung|dung) hoat đong|(?:situs|web ?site|forum|blog).{0,20}?(?:telah (?:ditutup|berhenti beroperasi)|tutup permanen)",
)
# Phrases that count anywhere on a page with little text.
_TEXTS = (
    rf"registered (?:at|with|through) {_DOMAIN_NAME}|(?:owner of|offering) .{{0,80}}(?:it )?for sale|{_DOMAIN} (?:is|may be|might be) for sale",
    r"is parked free|parked free,? courtesy|(?:page|domain) is (?:currently )?parked|(?:page|domain|site) (?:is )?parked by",
    r"domain(?: name)? (?:(?:has|was|is|been|just|recently|already|successfully) ){0,4}+registered (?:with|at|by|through|via|on)",
    r"(?:domain|website|account|site) has expired|pending renewal|buy this domain|domain broker",
    r"sponsored listings displayed above|relationship with (?:the|third party) advertisers",
    r"(?:account|website|site|domain) has been (?:suspended|disabled|deactivated|seized)",
    r"contact your hosting provider|generated by (?:plesk|directadmin|hestia|vesta)|default (?:welcome )?page used to test",
    r"proper operation of the (?:apache|nginx|http)|web server is successfully installed|has just been created",
    r"no web ?site (?:is )?(?:configured )?at this address|waiting for your content|has not put up any web pages",
    r"domain_parking|make an offer on this domain|related searches.{0,200}privacy policy|upload your website",
    r"domain (?:is )?not (?:yet )?(?:configured|connected|pointed|linked)|if you are the (?:site |domain "
    r")?owner,? (?:please )?(?:log ?in|click|contact|renew|sign in)",
    r"(?:your |new )?web ?server is (?:ready|working|running|up and running)|you are all set to go",
    r"this is the default (?:index |web |welcome |home ?|landing )?(?:page|html)|successfully installed (?:tomcat|the (?:open)?lite ?speed"
    r"|lite ?speed|caddy|nginx)|apache is functioning normally|brand new domain|page is (?:automatically )?generated by (?:the )?(?:system|panel|control)",
    # German, Dutch
    r"(?:diese|die) domain (?:[\w.-]{1,64} )?(?:wurde|ist) (?:\w{1,16} ){0,5}(?:registriert|reserviert|geparkt|eingerichtet|vergeben)"
    r"|hier entsteht (?:eine|in kurze|demnachst)|inhaber dieser domain|domain im kundenauftrag|geregistreerd (?:door|via|voor) een klant",
    # Romance
    r"(?:ce|le) (?:site|domaine)(?: [\w.-]{1,64})? (?:est|a ete) (?:heberge|enregistre|reserve|suspendu).{0,80}?(?:pas encore|ovh|gandi|infomaniak|hosting|hebergeur)"
    r"|n'a pas encore ete publie|page par defaut de (?:votre|l'heb)|site est pret a etre mis en ligne|domaine a bien ete (?:cree|enregistre)|dominio (?:e|ha) (?:stato )?registrat|pagina di cortesia"
    r"|dominio (?:esta|ha sido|foi|esta sendo) (?:registrado|estacionado|hospedado|parkeado)"
    # Slavic
    r"|domena (?:\S{1,64} )?(?:jest|została|zostala) (?:zaparkowana|zarejestrowana|utrzymywana|na sprzedaz)"
    r"|domena (?:\S{1,64} )?je (?:za)?(?:parkovana|registrovana)",
)
# The same in other scripts.
_TEXTS_BEYOND_LATIN = (
    r"домен .{0,60}?(?:припаркован|зарегистрирован|не привязан|не прилинкован|не прикреплен|делегирован)"
    r"|саит .{0,60}?только что создан|содержимое еще не добавлено",
    r"ドメインは.{0,40}?(?:取得|登録|管理|保有)され|で取得されたドメイン|ドメインパーキング|まだ.{0,30}?(?:公開|アップロード|設置|作成|配置)されて"
    r"|現在(?:ウェブサイト|ホームページ|サイト|このドメイン)は(?:公開|使用|利用)されて|ドメインを取得するなら",
    rf"{fold('도메인')}.{{0,40}}?(?:{fold('등록')}|{fold('구입')}|{fold('판매')})(?:{fold('된')}|{fold('되어')}|{fold('됩니다')})",
    r"(?:站点|网站|主机)(?:创建|开通)成功|默认(?:首页|index)|由系统自动生成|该域名(?:已|正|可|待)|域名(?:已过期|已到期|尚未绑定|未绑定)"
    r"|(?:未|没有|尚无)[\u4e00-\u9fff《》]{0,30}备案|站点已经?被管理员停止",
)
# Parts of a page's source that occur only on parked pages. _SLOW_PART is slow, so it is searched for
# only if one of _SLOW_PART_HINTS occurs.
_PARTS = (
    *(
        "sedoparking.com/",
        "parkingcrew.net/",
        "parklogic.com/",
        "above.com/marketplace",
        "/parking-lander/",
    ),
    *(
        "window.lander_system",
        "adsense/domains/caf.js",
        "d38psrni17bvxu.cloudfront.net",
        "domain_parking=",
    ),
    *("cgi-sys/suspendedpage.cgi", "cgi-sys/defaultwebpage.cgi"),
)
_SLOW_PART_HINTS = ("data-adblockkey", "bodis.com/", "window.park", "/lander", "frame")
_SLOW_PART = re.compile(
    r"data-adblockkey\s*+=|\bbodis\.com/|window\.park\s*+=\s*+[\"']ey|location(?:\.href)?+\s*+=\s*+[\"']/lander"
    r"|<i?frame[^<>]{1,300}?(?:\bsedo|\bdan\.com|afternic|hugedomains|\bbodis|sedoparking|parkingcrew|domainparking"
    r"|parkingpage)[a-z]{0,30}+\."
)

STATEMENTS = tuple(compile_folded(fold(statement)) for statement in _STATEMENTS)
ALONE = compile_folded(fold("|".join(_ALONE)))
PLACEHOLDERS = compile_folded(fold("|".join(_PLACEHOLDERS)))
TEXTS = compile_folded(fold("|".join((*_TEXTS, *_FAREWELLS))))
TEXTS_BEYOND_LATIN = compile_folded(fold("|".join(_TEXTS_BEYOND_LATIN)))
# Marks of other meanings of "domain", and of pages about domain names. Folded.
ESTATE = compile_folded(
    r"\b(?:vins?|vignes?|vignobles?|viticole|vinicol[ae]|vinos?|vinedos?|vignet[oi]|vinhas?|bodegas?|cantina|cellars?|winery"
    r"|vineyards?|wijn\w*|wein\w*|hectares?|hectareas?|ettari|finca|chai|chambres)\b"
)
NAMES_DOMAIN = compile_folded(
    r"[a-z0-9-]\.[a-z]{2,24}\b|domain name|nom de domaine|nombre de dominio|nome (?:a |de )?dominio|domeinnaam"
)


def find_part(source: str) -> str | None:
    """Return the part of a page's source (in lower case) that occurs only on parked pages, or None."""
    part = next((part for part in _PARTS if part in source), None)
    if part is not None or not any(hint in source for hint in _SLOW_PART_HINTS):
        return part
    found = _SLOW_PART.search(source)
    return found[0] if found is not None else None


def find_words(text: str) -> str | None:
    """Return the words of a small page's folded text that only parked or closed sites use, or None."""
    found = TEXTS.search(text)
    if found is None and not text.isascii():
        found = TEXTS_BEYOND_LATIN.search(text)
    return found[0] if found is not None else None
