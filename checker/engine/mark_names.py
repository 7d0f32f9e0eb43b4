"""The names of marks for people, with the proper names of products; results store lower case."""

_CAPITALIZED = (
    *("Akamai", "Alibaba", "Amazon", "Anubis", "ArvanCloud", "Atypon", "AWS", "AWS WAF", "Azure"),
    *("Bad Behavior", "Baidu", "Barracuda", "BitNinja", "BT WAF", "BunkerWeb", "Bunny"),
    *("ByteDance", "CleanTalk", "Cloudflare", "CloudFront", "CrowdSec", "DataDome", "DDoS-Guard"),
    *("dotDefender", "F5", "Fastly", "Firebase", "FortiWeb", "GoDaddy", "Google", "Huawei", "IIS"),
    *("Imperva", "Imunify360", "InfinityFree", "Istio", "JSTOR", "Kasada", "Knownsec", "Link11"),
    *("LinkedIn", "LiteSpeed", "MalCare", "Myra", "Naver", "Netlify", "Nextcloud"),
    *("NinjaFirewall", "Odoo", "PythonAnywhere", "Qrator", "Radware", "Reblaze", "Reddit"),
    *("Render", "Ruishu", "SafeDog", "SafeLine", "ScienceDirect", "Servicepipe", "Shopify"),
    *("Silverchair", "Sina", "SiteGround", "Squarespace", "StackPath", "StormWall", "Sucuri"),
    *("Tencent", "Tencent EdgeOne", "Tistory", "Variti", "Vercel", "Wallarm", "WebKnight"),
    *("WeChat", "Wikimedia", "Wordfence", "WP Cerber", "WP Engine", "Yandex", "Yundun", "Yunsuo"),
    *("Zeabur", "HTTPS only", "unlicensed in China"),
)
_NAMES = {name.lower(): name for name in _CAPITALIZED} | {
    "360": "360 site guard",
    "asker": "client",
    "builder of applications": "app builder",
    "human": "HUMAN Security",
    "log-in": "login",
    "mod_security": "ModSecurity",
    "neighbour": "neighbor",
    "sec": "SEC EDGAR",
}


def mark_for_people(mark: str) -> str:
    """Return the mark, or only its kind, with the name that people see."""
    kind, colon, words = mark.partition(":")
    return f"{_NAMES.get(kind, kind)}{colon}{words}"
