"""Phrases, in many languages, with which a server refuses the client, not the page.

A plain refusal of a page ("access denied", "zugriff verweigert", "доступ запрещён") says nothing
about the client. These phrases do: they mention robots, the client's address, network, browser or
location, too many requests, or a security product. All phrases are in lower case, with straight
apostrophes and "е" for "ё".
"""

# ruff: noqa: E501, RUF001, RUF002 (long lines keep related words together, in their own letters)
import operator
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping

_ROBOTS = (
    *("kein roboter", "keine roboter", "kein bot ", "ein roboter sind", "ein roboter bist"),
    *("sind sie ein roboter", "bist du ein roboter", "einen roboter handelt", "einen bot handelt"),
    *("sie ein mensch sind", "du ein mensch bist", "sind sie ein mensch", "sie menschlich sind"),
    *("browser wird überprüft", "browser wird geprüft", "überprüfung ihres browsers"),
    *(
        "prüft deinen browser",
        "prüft deine browser",
        "prüft deine(n) browser",
        "überprüft ihren browser",
    ),
    *("prüft ihren browser", "überprüft deinen browser", "anti-crawler-schutz"),
    *("überprüfen ihren browser", "prüfen ihren browser", "browser-überprüfung"),
    *("sicherheitsüberprüfung", "sicherheitsabfrage", "sicherheitsprüfung", "sicherheitscheck"),
    *("ungewöhnliche aktivität", "ungewöhnlichen datenverkehr", "ungewöhnlicher datenverkehr"),
    *("ungewöhnliche zugriffe", "verdächtige aktivität", "verdächtige zugriffe"),
    *("verdächtigen datenverkehr", "verdächtiges verhalten", "automatisierte anfragen"),
    *("automatisierte abfragen", "automatisierte zugriffe", "automatisierten zugriff"),
    *("automatisierter zugriff", "automatische anfragen", "automatische abfragen"),
    *("captcha lösen", "lösen sie das captcha", "lösen sie dieses captcha"),
    *("javascript und cookies", "cookies und javascript"),
    # French
    *("pas un robot", "pas un bot", "êtes un humain", "êtes humain", "êtes bien un humain"),
    *("êtes bien humain", "êtes-vous un robot", "êtes-vous humain", "êtes un robot"),
    *("êtes une personne", "vérification de votre navigateur", "vérifions votre navigateur"),
    *("vérifie votre navigateur", "protection anti-crawler"),
    *("vérification du navigateur", "vérification de sécurité", "contrôle de sécurité"),
    *("trafic inhabituel", "activité inhabituelle", "activité suspecte", "trafic suspect"),
    *("comportement suspect", "requêtes automatisées", "requêtes automatiques"),
    *(
        "accès automatisé",
        "consultations automatisées",
        "résoudre le captcha",
        "résolvez le captcha",
    ),
    *("javascript et les cookies", "javascript et cookies", "cookies et javascript"),
    # Spanish
    *("no es un robot", "no eres un robot", "no soy un robot", "no sea un robot", "es un robot?"),
    *("eres un robot", "es usted un robot", "es usted humano", "eres humano", "que es humano"),
    *("que es un humano", "que eres un humano", "que es una persona", "que eres una persona"),
    *("que es un ser humano", "que eres un ser humano", "su navegador antes", "tu navegador antes"),
    *("verifica su navegador", "verifica tu navegador", "comprueba su navegador", "anti-crawler"),
    *("comprueba tu navegador", "está comprobando su navegador"),
    *("verificando su navegador", "verificando tu navegador", "comprobando su navegador"),
    *("comprobando tu navegador", "comprobación de seguridad", "verificación de seguridad"),
    *("control de seguridad", "tráfico inusual", "trafico inusual", "actividad inusual"),
    *("actividad sospechosa", "tráfico sospechoso", "comportamiento sospechoso"),
    *("solicitudes automatizadas", "consultas automatizadas", "peticiones automatizadas"),
    *("accesos automatizados", "acceso automatizado", "peticiones automáticas"),
    *("resuelva el captcha", "resuelve el captcha", "complete el captcha", "completa el captcha"),
    *("javascript y las cookies", "javascript y cookies", "cookies y javascript"),
    # Italian
    *("non sei un robot", "non è un robot", "non sono un robot", "sei un robot", "sei umano"),
    *("sei un essere umano", "verifica del browser", "controllo del browser"),
    *("verifica il tuo browser", "controlla il tuo browser", "verificando il tuo browser"),
    *("verifica di sicurezza", "controllo di sicurezza", "traffico insolito", "traffico anomalo"),
    *("attività insolita", "attività sospetta", "richieste automatizzate", "richieste automatiche"),
    *(
        "accesso automatizzato",
        "risolvi il captcha",
        "javascript e i cookie",
        "javascript e cookie",
    ),
    # Portuguese
    *("não é um robô", "não é um robo", "não sou um robô", "é um robô?", "você é humano"),
    *(
        "você é um humano",
        "que é humano",
        "verificando seu navegador",
        "verificando o seu navegador",
    ),
    *("verificação de segurança", "tráfego incomum", "tráfego invulgar", "atividade incomum"),
    *("atividade suspeita", "tráfego suspeito", "solicitações automatizadas"),
    *("requisições automatizadas", "pedidos automatizados", "acesso automatizado"),
    *("resolva o captcha", "javascript e cookies", "javascript e os cookies"),
    # Dutch, Polish, Czech, Turkish, Swedish, Arabic and more
    *("geen robot", "u een mens bent", "je een mens bent", "ongebruikelijk verkeer"),
    *("ongewone activiteit", "ongebruikelijke activiteit", "verdachte activiteit"),
    *("geautomatiseerde verzoeken", "geautomatiseerde aanvragen", "beveiligingscontrole"),
    *("nie jesteś robotem", "nie jestem robotem", "jesteś człowiekiem", "jesteś robotem"),
    *("sprawdzanie przeglądarki", "nietypowy ruch", "nietypową aktywność", "podejrzaną aktywność"),
    *("podejrzany ruch", "automatyczne zapytania", "zautomatyzowane zapytania"),
    *("nejste robot", "nejsem robot", "jste člověk", "nie ste robot", "kontrola prohlížeče"),
    *("podezřelá aktivita", "neobvyklý provoz", "robot olmadığınızı", "robot değil"),
    *("insan olduğunuzu", "olağan dışı trafik", "olağandışı trafik", "şüpheli etkinlik"),
    *("inte är en robot", "inte en robot", "ikke er en robot", "ikke en robot", "et ole robotti"),
    *("nem robot", "nem vagyok robot", "nu sunteți un robot", "nu ești un robot", "nu sunt robot"),
    *("δεν είστε ρομπότ", "không phải là robot", "không phải robot", "bukan robot"),
    *("لست روبوت", "ربات نیستید", "לא רובוט", "ไม่ใช่หุ่นยนต์", "ไม่ใช่บอท"),
    # Russian and Ukrainian
    *("не робот", "не бот", "вы робот", "вы человек", "являетесь роботом", "вы — человек"),
    *("ви людина", "проверка браузера", "проверяем ваш браузер", "проверка вашего браузера"),
    *("проверяет ваш браузер", "перевіряє ваш браузер"),
    *("проверку браузера", "перевірка браузера", "перевіряємо ваш браузер"),
    *("проверка безопасности", "проверку безопасности", "подозрительная активность"),
    *("подозрительную активность", "подозрительной активност", "подозрительные запросы"),
    *("подозрительный трафик", "подозрительного трафика", "подозрительные действия"),
    *("необычный трафик", "необычную активность", "нетипичную активность"),
    *("підозрілу активність", "підозріла активність", "незвичний трафік"),
    *(
        "похожи на автоматические",
        "похож на автоматический",
        "автоматические запросы",
        "автоматических запросов",
        "автоматический сбор",
    ),
    *("автоматизированные запросы", "автоматизированных запросов", "автоматизированный доступ"),
    *("автоматичні запити", "символы с картинки", "код с картинки", "пройдите проверку"),
    *("пройти проверку", "капчу", "защита от роботов", "защиты от роботов", "защита от ботов"),
    *("защиты от ботов", "включите javascript и", "включить javascript и"),
    # Chinese, simplified and traditional characters
    *("人机验证", "人機驗證", "人机识别", "真人验证", "是真人", "安全验证", "安全驗證", "验证您是"),
    *("验证你是", "驗證您是", "滑块", "滑動驗證", "滑动验证", "拖动下方", "验证码", "驗證碼"),
    *("机器人", "機器人", "完成验证", "完成驗證", "爬虫", "网络爬", "自动程序", "自動程式"),
    *(
        "访问行为异常",
        "访问存在异常",
        "异常访问",
        "请求存在异常",
        "异常请求",
        "异常流量",
        "流量异常",
    ),
    *("环境异常", "異常流量", "異常的流量", "異常存取", "異常活動", "可疑活动", "可疑活動"),
    *("可疑的活动", "检查您的浏览器", "检查你的浏览器", "檢查您的瀏覽器", "浏览器安全检查"),
    "正在进行安全检查",
    # Japanese
    *(
        "ロボットではない",
        "ロボットでない",
        "ロボットではあり",
        "ロボットですか",
        "ロボットでは無い",
    ),
    *(
        "ロボットによる",
        "ロボットと判断",
        "クローラー",
        "環境からのアクセス",
        "ボットではない",
        "人間であること",
        "人間ですか",
        "人間による",
        "自動アクセス",
        "自動化された",
    ),
    *(
        "自動プログラム",
        "自動的なアクセス",
        "機械的なアクセス",
        "不審なアクセス",
        "不正なアクセスを検",
    ),
    *("不正なアクセスが検", "不正なアクセスと判", "不正アクセスを検", "不正アクセスの疑い"),
    *("異常なアクセス", "異常なトラフィック", "通常と異なるトラフィック", "通常とは異なる"),
    *("疑わしい", "ブラウザを確認", "ブラウザーを確認", "ブラウザを検証", "ブラウザをチェック"),
    *("セキュリティチェック", "セキュリティ検証", "セキュリティ確認", "画像認証", "captchaを"),
    # Korean
    *("로봇이 아", "로봇이아", "로봇인지", "로봇입니까", "사람인지", "사람임을", "봇이 아"),
    *("비정상적인 접근", "비정상적인 접속", "비정상적인 요청", "비정상적인 트래픽", "비정상 접근"),
    *("비정상 접속", "비정상적 접근", "비정상적 접속", "비정상 트래픽", "비정상적인 활동"),
    *("의심스러운", "이상 트래픽", "자동화된", "자동 접속", "자동입력", "자동 입력", "매크로"),
    *("브라우저를 확인", "브라우저 확인 중", "보안 확인", "보안문자", "보안 문자", "캡차"),
)
_LIMITS = (
    *("zu viele anfragen", "zu viele zugriffe", "zu viele abrufe", "zu viele aufrufe"),
    *("zu viele seitenaufrufe", "zu schnell hintereinander", "trop de requêtes"),
    *("trop de demandes", "trop de connexions", "nombre de requêtes", "demasiadas solicitudes"),
    *(
        "demasiadas peticiones",
        "demasiadas consultas",
        "muchas solicitudes",
        "límite de solicitudes",
    ),
    *("límite de peticiones", "troppe richieste", "muitas solicitações", "muitas requisições"),
    *("muitos pedidos", "excesso de requisições", "te veel verzoeken", "te veel aanvragen"),
    *("zbyt wiele żądań", "zbyt wiele zapytań", "zbyt dużo zapytań", "zbyt wiele żądan"),
    *("příliš mnoho požadavků", "çok fazla istek", "för många förfrågningar", "för många anrop"),
    *("for mange forespørsler", "for mange anmodninger", "liian monta pyyntöä", "túl sok kérés"),
    *("prea multe cereri", "забагато запитів", "надто багато запитів", "занадто багато запитів"),
    *("слишком много запросов", "слишком частые запросы", "слишком часто", "лимит запросов"),
    *("количество запросов", "число запросов", "много запросов", "частых запросов"),
    *(
        "过于频繁",
        "過於頻繁",
        "访问频繁",
        "频繁访问",
        "频繁请求",
        "请求频繁",
        "操作频繁",
        "頻繁存取",
    ),
    *(
        "频率过高",
        "频率过快",
        "访问频率",
        "请求频率",
        "请求过多",
        "請求過多",
        "次数过多",
        "太多请求",
    ),
    *("短時間に", "大量のアクセス", "大量アクセス", "過剰なアクセス", "過度なアクセス"),
    *("アクセスが多すぎ", "リクエストが多すぎ", "リクエスト数", "連続したアクセス", "連続アクセス"),
    *("アクセス回数", "アクセス頻度", "과도한 접속", "과도한 요청", "과도한 접근", "과도한 트래픽"),
    *("많은 요청", "요청이 너무", "요청 횟수", "요청이 많", "접속 횟수"),
)
_CLIENTS = (
    *("ihre ip wurde", "ihre ip-adresse wurde", "deine ip wurde", "deine ip-adresse wurde"),
    *("ihre ip-adresse ist", "ihre ip ist", "ip-adresse gesperrt", "ip-adresse blockiert"),
    *("von ihrer ip", "von deiner ip", "ihrem netzwerk", "deinem netzwerk", "ihres netzwerks"),
    *("sie wurden gesperrt", "sie wurden blockiert", "sie wurden ausgesperrt"),
    *("du wurdest gesperrt", "du wurdest blockiert", "ihre anfrage wurde blockiert"),
    *("ihre anfrage wurde abgelehnt", "ihre anfrage wurde gesperrt", "anfrage wurde blockiert"),
    *("ihr zugriff wurde", "ihr browser wurde", "zugriff wurde blockiert"),
    *("adresse ip a été", "adresse ip est", "adresse ip bloquée", "votre ip a été", "votre ip est"),
    *("votre réseau", "vous avez été bloqué", "vous êtes bloqué", "votre accès a été"),
    *("votre requête a été", "votre demande a été bloquée", "votre demande a été rejetée"),
    *("requête bloquée", "votre navigateur a été", "dirección ip ha sido", "dirección ip está"),
    *("dirección ip bloqueada", "direccion ip ha sido", "su ip ha sido", "tu ip ha sido"),
    *("su ip está", "tu ip está", "desde su ip", "desde tu ip", "desde su dirección"),
    *("desde tu dirección", "desde su red", "desde tu red", "usted ha sido bloquead"),
    *("has sido bloquead", "acceso ha sido bloqueado", "solicitud ha sido bloqueada"),
    *("solicitud fue bloqueada", "petición ha sido bloqueada", "solicitud ha sido rechazada"),
    *("petición ha sido rechazada", "indirizzo ip è stato", "tuo ip è stato", "sei stato bloccato"),
    *("richiesta è stata bloccata", "richiesta bloccata", "endereço ip foi", "seu ip foi"),
    *("seu ip está", "você foi bloqueado", "solicitação foi bloqueada", "requisição foi bloqueada"),
    *("pedido foi bloqueado", "uw ip-adres is", "uw ip is", "je ip-adres is", "u bent geblokkeerd"),
    *("je bent geblokkeerd", "verzoek is geblokkeerd", "twój adres ip", "zostałeś zablokowany"),
    *("żądanie zostało zablokowane", "vaše ip adresa", "ip adresiniz", "isteğiniz engellendi"),
    *("engellendiniz", "с вашего ip", "вашего ip", "ваш ip-адрес", "ваш ip заблокирован"),
    *("ваш ip был", "ваш ip временно", "ip заблокирован", "ip-адрес заблокирован", "вашей сети"),
    *("ip адрес заблокирован", "вы были заблокированы", "вы заблокированы", "вас заблокировали"),
    *("запрос заблокирован", "запрос был заблокирован", "ваш запрос отклонен", "вас заблоковано"),
    *("запрос был отклонен системой", "ваш запит заблоковано", "вашої ip", "ваша ip-адреса"),
    *("您的ip", "您的 ip", "你的ip", "你的 ip", "ip已被", "ip 已被", "ip地址已被", "ip被封"),
    *("ip 地址已被", "从你的 ip", "從您的", "您的网络", "您的網路", "您的请求被", "您的请求已"),
    *("您的请求带有", "您的请求疑似", "您的请求可能", "您的请求过", "您的访问被", "您的访问已"),
    *(
        "您的访问过",
        "您的访问请求",
        "您的訪問被",
        "您的訪問已",
        "您的存取被",
        "您的連線",
        "该次访问",
    ),
    *("本次访问", "访问已被"),
    *("お使いのip", "お客様のip", "ご利用のip", "あなたのip", "ご利用のネットワーク"),
    *("お使いのネットワーク", "お客様のネットワーク", "お客様のアクセス", "ブロックされました"),
    *("ブロックされています", "ブロックしました", "アクセスを遮断", "アクセスが遮断"),
    *(
        "リクエストは拒否",
        "リクエストが拒否",
        "귀하의 ip",
        "고객님의 ip",
        "사용자의 ip",
        "회원님의 ip",
    ),
    *("ip가 차단", "ip 차단", "ip주소가", "ip 주소가", "아이피가", "접근이 차단", "접속이 차단"),
    *("요청이 차단", "귀하의 접속", "귀하의 요청", "귀하의 접근"),
)
_PLACES = (
    *("in ihrem land", "in deinem land", "aus ihrem land", "aus deinem land", "in ihrer region"),
    *("in deiner region", "ihrem standort", "dans votre pays", "dans votre région"),
    *("depuis votre pays", "de votre pays", "votre zone géographique", "en su país"),
    *("en tu país", "desde su país", "desde tu país", "en su región", "en tu región"),
    *("su ubicación", "tu ubicación", "nel tuo paese", "nel suo paese", "dal tuo paese"),
    *("dal suo paese", "nella tua regione", "no seu país", "em seu país", "do seu país"),
    *("na sua região", "in uw land", "in jouw land", "in uw regio", "w twoim kraju"),
    *("z twojego kraju", "ve vaší zemi", "ülkenizde", "ülkenizden", "в вашей стране"),
    *("из вашей страны", "в вашем регионе", "из вашего региона", "вашего местоположения"),
    *("из-за рубежа", "за пределами россии", "за пределами рф", "с территории", "у вашій країні"),
    *("з вашої країни", "отключите vpn", "выключите vpn", "отключить vpn", "所在的地区"),
    *("所在地区", "所在地區", "所在的地區", "所在国家", "所在國家", "所在区域", "所在的国家"),
    *("地区限制", "区域限制", "境外访问", "境外ip", "海外ip", "中国大陆以外", "海外からの"),
    *("国外からの", "日本国外", "お住まいの国", "お住まいの地域", "お使いの地域", "ご利用の地域"),
    *("お客様の地域", "お客様の国", "해외 ip", "해외ip", "해외에서", "해외 접속", "해외 접근"),
    *("국외에서", "귀하의 국가", "귀하의 지역", "해당 국가", "해당 지역", "거주하는 국가"),
)
_GUARDS = (
    *("sicherheitssystem", "aus sicherheitsgründen blockiert", "aus sicherheitsgründen gesperrt"),
    *("système de sécurité", "système de protection", "pare-feu", "anti-robot", "anti-bot"),
    *("sistema de seguridad", "sistema de protección", "cortafuegos", "contra bots"),
    *("sistema di sicurezza", "sistema di protezione", "sistema de segurança", "antibot"),
    *("системой безопасности", "системой защиты", "система защиты", "службой безопасности"),
    *("защита от ddos", "защиты от ddos", "защита от dos", "межсетевым экраном", "файрвол"),
    *("拦截", "攔截", "阻断", "阻斷", "疑似攻击", "黑客攻击", "攻击行为", "网络攻击", "恶意请求"),
    *("恶意访问", "恶意行为", "惡意請求", "不合法参数", "不合法的参数", "危险请求"),
    *("安全威胁", "造成威胁", "防火墙", "防火牆", "安全防护", "网站防护", "安全策略", "风控策略"),
    *("风险控制", "云防护", "创宇盾", "安全狗", "云锁", "雷池", "网站卫士", "玄武盾"),
    *("ファイアウォール", "wafにより", "セキュリティシステム", "웹 방화벽", "웹방화벽", "방화벽"),
    *("보안정책에 의", "보안 정책에 의", "보안정책에 따", "보안 정책에 따", "보안정책에 위배"),
    *("정책에 의해 차단", "정책에 의하여 차단", "정책에 따라 차단", "보안 시스템"),
)
# A site that is closed, because it is not registered or has not paid, uses similar words for that.
_ABOUT_THE_SITE = ("备案", "備案", "欠费", "该网站已", "站点已")

# F5's support ID, which its pages show whatever words the site chooses.
SUPPORT_ID = re.compile(
    r"(?:support[ -]?(?:id|nummer|number)|id d[eiu] (?:support|soporte|suporte|supporto)"
    r"|サポート ?id|支持 ?id|지원 ?id|id поддержки|идентификатор поддержки)\b[^<>0-9]{0,24}\d{9,20}\b"
)
# A waiting room's words about its queue.
QUEUE = re.compile(
    r"\byou(?: are|'re) (?:now |currently )?(?:in (?:the |a |our )?(?:(?:virtual |online )?(?:queue|waiting room|line))"
    r"|next in line|number \d{1,9} in)\b|\byour (?:place|position|number) in (?:the )?(?:queue|line)\b"
    r"|\b(?:people|users|visitors|customers) (?:are )?(?:ahead|in front) of you\b"
    r"|in der (?:virtuellen )?warteschlange|personen vor ihnen|(?:dans|en) (?:la |une )?file d'attente|personnes devant vous"
    r"|(?:en|a) la (?:fila|cola) virtual|personas (?:delante|por delante) de (?:ti|usted)|sala de espera virtual|sei in coda\b"
    r"|persone (?:davanti|prima di) (?:a )?(?:te|lei)|fila de espera virtual|pessoas (?:à|na) sua frente|in de (?:virtuele )?wachtrij"
    r"|w (?:wirtualnej )?kolejce|вы в очереди|ваше место в очереди|排队中|您前面还有|正在排隊|您前面還有|順番にご案内"
    r"|접속 ?대기 ?중|앞에 [\d,]{1,9}명"
)
# Phrases in languages other than English, by the reason for the refusal.
_IN_OTHER_LANGUAGES = {
    "captcha": _ROBOTS,
    "rate limit": _LIMITS,
    "blocked": (),
    "asker": _CLIENTS,
    "location": _PLACES,
    "firewall": _GUARDS,
}
KINDS = tuple(_IN_OTHER_LANGUAGES)
# Kinds of phrases that a page with a 2xx has only if it replaces the requested page.
CHALLENGE_KINDS = ("captcha", "blocked")

_TRAFFIC = (
    r"(?:traffic|activity|requests?|behaviou?r|crawling|downloading|usage|number|volume|amount)\b"
)
_MACHINE = (
    r"(?:requests?|queries|traffic|access|tools?|scripts?|programs?|bots?|agents?|processe?s?"
    r"|means|software|clients?|crawl\w{0,5}|scrap\w{0,5})\b"
)
_IS_REFUSED = (
    r" (?:\S{1,40} )?(?:has been|have been|was|is) (?:\w{1,20} ){0,2}(?:blocked|banned|flagged"
    r"|blacklisted|denylisted|denied|restricted)\b"
)
_REGION = r"(?:country|region|location|area|territory|jurisdiction)\b"
_IN_YOUR = r" (?:\w{1,12} ){0,3}(?:in|to|for|by|from) your (?:current )?"
_NETWORK = r"(?:current )?(?:ip|ip address|network|isp|organi[sz]ation)\b"
_NAMED_REGION = (
    r" (?:of )?(?:the )?(?:united states|usa?\b|u\.s\.|eu\b|european union|uk\b|united kingdom)"
)
# In English: the kind, the beginnings, and the pattern of the continuation.
_ENGLISH = (
    (
        "captcha",
        "are you|you are|you're|not",
        r" (?:not )?an? (?:(?!chat|good|search)\w{1,12} )?(?:robot|bot|crawler|scraper|spider)\b",
    ),
    ("captcha", "are you|you are|you're", r" (?:really )?(?:a )?(?:real )?(?:human|person)\b"),
    ("captcha", "verify", r" (?:that )?you(?: are|'re) (?:not|human|a (?:real )?(?:human|person))"),
    ("captcha", "human", r" verification\b"),
    ("captcha", "be|were|are|was|like|as", r" an? (?:ro)?bot\b"),
    ("captcha", "looks|look|seems|seem|appears|appear", r" (?:to be |like )?(?:an? )?automated"),
    ("captcha", "slide|drag|swipe", r" (?:\w{1,12} ){0,3}to (?:verify|complete|unlock|continue)"),
    (
        "captcha",
        "your browser",
        r" (?:is (?:being )?(?:checked|verified|validated)|will (?:be )?redirect(?:ed)? to (?:your|the) requested)",
    ),
    ("captcha", "keep", r" (?:out |away )?(?:bots|robots|scrapers|crawlers)\b"),
    (
        "captcha",
        "protected|guarded|shielded",
        r" (?:from|against) (?:\w{1,12} )?(?:bots|robots|scrap\w{0,4}|crawlers)\b",
    ),
    (
        "captcha",
        "enter|type",
        r" the (?:text|characters?|letters?|code|numbers?|words?) (?:\w{1,9} ){0,3}(?:in|from|on|you see)",
    ),
    ("captcha", "press", r" (?:&|and) hold\b"),
    (
        "captcha",
        "checking|verifying|verify",
        r" (?:if |that )?(?:your (?:browser|c)|the site conn)",
    ),
    ("captcha", "enable", r" (?:javascript|js|cookies) and (?:javascript|cookies|disable)"),
    ("captcha", "unusual|suspicious|abnormal|excessive", rf" (?:\w{{1,12}} )?{_TRAFFIC}"),
    ("captcha", "malicious|abusive|unusually", rf" (?:\w{{1,12}} )?{_TRAFFIC}"),
    ("captcha", "automated", rf" {_MACHINE}"),
    ("captcha", "identified|detected|flagged", r" (?:you )?as (?:an? )?(?:\w{1,9} )?(?:ro)?bot\b"),
    (
        "captcha",
        "solve|complete|completing",
        r" (?:the|a|this) (?:\w{1,12} )?(?:captcha|security c)",
    ),
    ("captcha", "did", r" something unexpected"),
    ("captcha", "robots|bots|crawlers|scrapers|scraping", r" (?:are|is) (?:not|forbidden|blocked)"),
    ("captcha", "no", r" (?:bots|robots|crawlers|scrapers)\b"),
    ("rate limit", "too many", r" (?:\w{1,12} )?(?:requests|queries|connections|hits|downloads)\b"),
    ("rate limit", "rate", r"[ _-]?limit"),
    ("rate limit", "too", r" (?:fast|quickly|frequently|often)\b"),
    ("rate limit", "request|requests", r" volume\b"),
    ("rate limit", "limit", r" of requests\b"),
    ("rate limit", "quota", r"[ _](?:was |has been )?(?:exceeded|reached|limit)"),
    ("rate limit", "throttled|throttling", r"\b"),
    ("rate limit", "rate-limit|rate-limited|rate-limiting|ratelimit|ratelimited", ""),
    ("rate limit", "ratelimitexceeded|userratelimitexceeded|quotaexceeded", ""),
    ("rate limit", "dailylimitexceeded", ""),
    ("rate limit", "secondary", r" rate limit"),
    ("rate limit", "request", r" (?:limit|rate|quota)\b"),
    (
        "rate limit",
        "requests|request",
        r" (?:too|so|this|that|very) (?:fast|quickly|frequent|often)",
    ),
    ("rate limit", "slow", r" down\b"),
    ("blocked", "you have been|you've been", r" (?:\w{1,12} )?(?:blocked|banned|blacklisted)\b"),
    ("blocked", "you have been|you've been", r" (?:\w{1,12} )?(?:locked out|throttled|limited)\b"),
    ("blocked", "you are|you're", r" (?:\w{1,12} )?(?:blocked|banned|blacklisted)\b"),
    ("blocked", "your|this", rf" (?:current |public )?(?:ip|ip address|network){_IS_REFUSED}"),
    ("blocked", "your|this", rf" (?:browser|device|user[ -]agent|client|isp){_IS_REFUSED}"),
    ("blocked", "your", rf" (?:country|connection|location|host){_IS_REFUSED}"),
    (
        "blocked",
        "your",
        r" (?:request|access)(?: to this \w{1,10})? (?:has been|was|is) (?:\w{1,20} )?(?:blocked"
        r"|rejected|flagged|limited)\b",
    ),
    ("blocked", "request|requests", r" (?:has been |have been |was |is |were )?blocked\b"),
    (
        "blocked",
        "blocked by",
        r" (?:(?:our |the |a )?(?:\w{1,12} )?(?:security|firewall|waf)|the administrator|the owner)",
    ),
    ("asker", "user-agent|user-agents|useragent", ""),
    ("asker", "user", r" agents?\b"),
    ("asker", "abuse", r" detection\b"),
    ("asker", "from your|by your", rf" {_NETWORK}"),
    ("asker", "from data|from cloud", r" (?:cent(?:er|re)s?|providers?|hosting)\b"),
    ("asker", "tor", r" (?:exit|network|browser|nodes?)\b"),
    (
        "blocked",
        "access",
        r" to this (?:site|website|service|resource) (?:has been|is|was) (?:\w{1,12} )?"
        r"(?:blocked|limited)\b",
    ),
    ("location", "from your", rf" (?:current )?{_REGION}"),
    ("location", "available|unavailable|accessible|accessed|viewed", rf"{_IN_YOUR}{_REGION}"),
    ("location", "allowed|permitted|supported|offered|blocked|restricted", rf"{_IN_YOUR}{_REGION}"),
    ("location", "your|this", rf" {_REGION} is (?:not|blocked|restricted)"),
    ("location", "european", r" (?:economic area|countries)\b"),
    ("location", "geo", r"[ -](?:block|restrict|fenc|locat)"),
    ("location", "geo-blocked|geo-blocking|geo-restricted|geo-restriction|geoblocked", ""),
    ("location", "geoblocking|georestricted|geographic|geographical|geographically", r"\b"),
    ("location", "outside", _NAMED_REGION),
    ("location", "turn off|disable|disconnect", r" (?:from )?(?:your|any|the) (?:vpn|proxy)"),
    ("location", "vpn", r"(?:s?/| or | and )proxy"),
    ("location", "proxy", r"(?:/| or | and )vpn"),
    ("location", "using", r" an? (?:\w{1,12} )?(?:vpn|proxy)\b"),
    ("firewall", "security", r" (?:service|solution) to protect itself"),
    ("firewall", "security", r" (?:rule|policy) (?:was|has been)"),
    ("firewall", "web|website|application", r" (?:application )?firewall\b"),
    ("firewall", "bot|crawler|scraping", r" (?:protection|detection|manager|management)\b"),
    ("firewall", "anti-bot|antibot|anti-ddos|anti-robot", r"\b"),
    ("firewall", "ddos", r" (?:protection|attack)"),
    ("firewall", "block|attack|incident", r" id\b"),
)
# Words that a short refusal uses only about the client; file names are excluded.
_CLIENT_WORDS = {
    **dict.fromkeys(("robot", "robots", "bot", "bots", "crawler", "crawlers"), "captcha"),
    **dict.fromkeys(("scraper", "scrapers", "scraping", "captcha", "roboter"), "captcha"),
    **dict.fromkeys(("firewall", "firewalls"), "firewall"),
}
_MAX_SHORT_REFUSAL = 600  # characters
_FILE_NAME_CHARACTERS = frozenset("/._-=&?@#:")
_TOKEN = re.compile(r"[a-z][a-z'-]*+")
_MAX_READ = 8000  # characters of a refusal that are read


def _by_first_word() -> dict[str, list[tuple[str, re.Pattern[str]]]]:
    patterns: dict[str, list[tuple[str, re.Pattern[str]]]] = defaultdict(list)
    for kind, beginnings, rest in _ENGLISH:
        pattern = re.compile(f"(?:{beginnings}){rest}")
        for word in dict.fromkeys(each.partition(" ")[0] for each in beginnings.split("|")):
            patterns[word].append((kind, pattern))
    return dict(patterns)


class Phrases:
    """Phrases by kind. A text is searched only for phrases whose first two letters it contains."""

    def __init__(self, kinds: Mapping[str, Iterable[str]]) -> None:
        self._by_prefix: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for kind, phrases in kinds.items():
            for phrase in phrases:
                self._by_prefix[phrase[:2]].append((kind, phrase))

    def first_of_each(self, text: str) -> dict[str, str]:
        """Return one phrase of each kind that the text contains, by kind."""
        phrase_by_kind: dict[str, str] = {}
        prefixes = set(map(operator.add, text, text[1:]))  # five times as fast as slices
        for prefix, phrases in self._by_prefix.items():
            if prefix in prefixes:
                for kind, phrase in phrases:
                    if kind not in phrase_by_kind and phrase in text:
                        phrase_by_kind[kind] = phrase
        return phrase_by_kind


_ENGLISH_BY_FIRST_WORD = _by_first_word()
_OTHER_LANGUAGES = Phrases(_IN_OTHER_LANGUAGES)


def find_words(text: str, kinds: Collection[str]) -> Iterator[str]:
    """Yield one phrase of each of these kinds in a refusal, as `kind: phrase`; then F5's support ID.

    `text` is in lower case, with straight apostrophes. Phrases are looked up by their first letters,
    because there are too many to try each one everywhere.
    """
    text = text[:_MAX_READ]
    is_about_the_site = any(words in text for words in _ABOUT_THE_SITE)
    found = {} if is_about_the_site else _OTHER_LANGUAGES.first_of_each(text)
    found.update(_english_phrases(text))
    if len(text) <= _MAX_SHORT_REFUSAL and "firewall" in kinds:
        found = {**_client_words(text), **found}
    yield from (f"{kind}: {found[kind]}" for kind in kinds if kind in found)
    if number := SUPPORT_ID.search(text):
        yield f"f5: {number[0]}"


def _english_phrases(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for token in _TOKEN.finditer(text):
        for kind, pattern in _ENGLISH_BY_FIRST_WORD.get(token[0], ()):
            if kind not in found and (words := pattern.match(text, token.start())):
                found[kind] = words[0]
    return found


def _client_words(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for token in _TOKEN.finditer(text):
        kind = _CLIENT_WORDS.get(token[0])
        around = {text[token.start() - 1 : token.start()], text[token.end() : token.end() + 1]}
        if kind is not None and _FILE_NAME_CHARACTERS.isdisjoint(around):
            found.setdefault(kind, token[0])
    return found
