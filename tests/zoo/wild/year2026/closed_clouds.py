"""Sites that clouds and networks closed, or never had: each address of them, root included."""

from tests.zoo.wild.case import Case, Reply, Truth, html, of_truth, only, plain
from tests.zoo.wild.pages import bare
from tests.zoo.wild.year2026.forms import CLOUDFLARE, cloudflare_error, document_reply, xml_error

_AZURE_STYLE = "<style>#content{padding-left:20px}.title{font-size:2em}</style>"


def _cloudfront(words: str) -> str:
    return (
        '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">\n<HTML><HEAD><TITLE>ERROR:'
        " The request could not be satisfied</TITLE></HEAD><BODY>\n<H1>403 ERROR</H1>\n<H2>The"
        f" request could not be satisfied.</H2>\n<HR noshade size='1px'>\n{words}\n<PRE>Generated"
        " by cloudfront (CloudFront)\nRequest ID: hQ1-zM==\n</PRE></BODY></HTML>"
    )


_CLOUDS: dict[str, tuple[str, Reply]] = {
    "IIS knows no such host name": (
        "http.sys and IIS: 400 where no site is bound to the host's name",
        html(
            '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN""http://www.w3.org/TR/html4/'
            'strict.dtd">\r\n<HTML><HEAD><TITLE>Bad Request</TITLE>\r\n<META HTTP-EQUIV='
            '"Content-Type" Content="text/html; charset=us-ascii"></HEAD>\r\n<BODY><h2>Bad Request'
            " - Invalid Hostname</h2>\r\n<hr><p>HTTP Error 400. The request hostname is invalid."
            "</p>\r\n</BODY></HTML>\r\n",
            "Server: Microsoft-HTTPAPI/2.0",
            status=400,
            charset="us-ascii",
        ),
    ),
    "Azure's web app is stopped": (
        "learn.microsoft.com: Azure App Service, Error 403 - This web app is stopped",
        document_reply(
            "Web App - Unavailable",
            "<div id='content'><p class='title'>Error 403 - This web app is stopped.</p><p>The web"
            " app you have attempted to reach is currently stopped and does not accept any"
            " requests. Please try to reload the page or visit it again soon.</p><p>If you are the"
            " web app administrator, please find the common 403 error scenarios and resolution"
            " here.</p></div>",
            status=403,
            head=_AZURE_STYLE,
        ),
    ),
    "Azure's older words for a stopped site": (
        "Azure Websites until 2018",
        document_reply(
            "Microsoft Azure Web App - Error 403",
            "<h1>Error 403 - This web app is stopped.</h1><p>The web app you have attempted to"
            " reach is currently stopped and does not accept any requests.</p>",
            "x-ms-proxy-app: museum",
            status=403,
        ),
    ),
    "Azure's site is disabled by its quota": (
        "Azure App Service, free plan: quota exceeded",
        document_reply(
            "Microsoft Azure Web App - Unavailable",
            "<h1>Error 403 - This web app is stopped.</h1><p>This web app has exceeded its quota."
            "</p>",
            status=403,
        ),
    ),
    "Azure's web app is not found": (
        "Azure App Service: no app at the name",
        document_reply(
            "Microsoft Azure Web App - Error 404",
            "<div id='content'><p class='title'>404 Web Site not found.</p><p>You may be seeing"
            " this error due to one of the reasons listed below: Custom domain has not been"
            " configured inside Azure.</p></div>",
            status=404,
            head=_AZURE_STYLE,
        ),
    ),
    "Azure's storage account is disabled": (
        "Azure Storage's error codes: AccountIsDisabled",
        xml_error(
            "AccountIsDisabled",
            "The specified account is disabled.\nRequestId:3c1b\nTime:2026-03-01T10:00:00Z",
            "Server: Windows-Azure-Blob/1.0 Microsoft-HTTPAPI/2.0",
            "x-ms-error-code: AccountIsDisabled",
            status=403,
        ),
    ),
    "Azure's storage account is disabled, with a page": (
        "Azure Storage's static web sites",
        document_reply(
            "WebsiteError",
            "<h1>The account being accessed is disabled.</h1><ul><li>HttpStatusCode: 403</li>"
            "<li>ErrorCode: AccountIsDisabled</li><li>RequestId : 3c1b</li></ul>",
            "Server: Windows-Azure-Web/1.0 Microsoft-HTTPAPI/2.0",
            "x-ms-error-code: AccountIsDisabled",
            status=403,
        ),
    ),
    "Azure's front door has no such profile": (
        "Azure Front Door: no route for the host",
        document_reply(
            "Page not found",
            "<h2>Oops! We weren't able to find your Azure Front Door Service configuration.</h2>"
            "<p>If it's a new configuration that you recently created, it might not be ready yet."
            "</p><p>Error Info: CONFIG_NOCACHE</p>",
            "X-Cache: CONFIG_NOCACHE",
            status=404,
        ),
    ),
    "CloudFront has no distribution of that name": (
        "AWS: CloudFront 403, the alternate domain name is not configured",
        html(
            _cloudfront(
                "Bad request.\nWe can't connect to the server for this app or website at this time."
                " There might be too much traffic or a configuration error. Try again later, or"
                " contact the app or website owner."
            ),
            "Server: CloudFront",
            "X-Cache: Error from cloudfront",
            status=403,
        ),
    ),
    "CloudFront's distribution is disabled": (
        "AWS: a disabled distribution",
        html(
            _cloudfront("The distribution is not configured to allow the HTTP request."),
            "Server: CloudFront",
            "X-Cache: Error from cloudfront",
            status=403,
        ),
    ),
    "S3 has no such bucket": (
        "AWS S3: NoSuchBucket (can-i-take-over-xyz)",
        xml_error(
            "NoSuchBucket",
            "The specified bucket does not exist",
            "Server: AmazonS3",
            status=404,
        ),
    ),
    "S3 has no such bucket, with a page": (
        "AWS S3 web sites: NoSuchBucket",
        html(
            "<html>\n<head><title>404 Not Found</title></head>\n<body>\n<h1>404 Not Found</h1>\n"
            "<ul>\n<li>Code: NoSuchBucket</li>\n<li>Message: The specified bucket does not exist"
            "</li>\n<li>BucketName: $HOST</li>\n</ul>\n<hr/>\n</body>\n</html>\n",
            "Server: AmazonS3",
            status=404,
        ),
    ),
    "S3's bucket is disabled with its account": (
        "AWS S3's error codes: AllAccessDisabled",
        xml_error(
            "AllAccessDisabled",
            "All access to this object has been disabled",
            "Server: AmazonS3",
            status=403,
        ),
    ),
    "Google's bucket is not there": (
        "Google Cloud Storage: NoSuchBucket",
        xml_error("NoSuchBucket", "The specified bucket does not exist.", status=404),
    ),
    "Google's billing account is disabled": (
        "Google Cloud Storage: UserProjectAccountProblem",
        xml_error(
            "UserProjectAccountProblem",
            "The project to be billed is associated with a delinquent billing account.",
            "Server: UploadServer",
            status=403,
        ),
    ),
    "Alibaba's bucket was disabled": (
        "Alibaba OSS's error codes: UserDisable",
        xml_error("UserDisable", "UserDisable", "Server: AliyunOSS", status=403),
    ),
    "App Engine's application is disabled": (
        "App Engine: an application that its owner disabled",
        html(
            "<html><head><meta http-equiv='content-type' content='text/html;charset=utf-8'><title>"
            "404 Page not found</title></head><body text=#000000 bgcolor=#ffffff><h1>Error: Page"
            " not found</h1><h2>The requested URL was not found on this server.</h2></body></html>",
            "Server: Google Frontend",
            status=404,
        ),
    ),
    "Cloudflare forbids a name across accounts": (
        "Cloudflare error 1014 (bug threads of documentation sites)",
        cloudflare_error(
            1014,
            "CNAME Cross-User Banned",
            "You've requested a page on a website that is part of the Cloudflare network. The host"
            " is configured as a CNAME across accounts on Cloudflare, which is prohibited by"
            " security policy.",
            status=403,
        ),
    ),
    "Cloudflare forbids it in one line": (
        "Cloudflare error 1014, to clients that are no browser",
        plain("error code: 1014", *CLOUDFLARE, status=403),
    ),
    "Cloudflare cannot resolve the origin": (
        "Cloudflare error 1016 with 530",
        cloudflare_error(
            1016,
            "Origin DNS error",
            "You've requested a page on a website ($HOST) that is on the Cloudflare network."
            " Cloudflare is currently unable to resolve your requested domain.",
            status=530,
        ),
    ),
    "Cloudflare cannot resolve it, in one line": (
        "Cloudflare error 1016, to clients that are no browser",
        plain("error code: 1016", *CLOUDFLARE, status=530),
    ),
    "Cloudflare does not know the site": (
        "Cloudflare error 1001, DNS resolution error",
        cloudflare_error(
            1001,
            "DNS resolution error",
            "You've requested a page on a website ($HOST) that is on the Cloudflare network."
            " Cloudflare is currently unable to resolve your requested domain.",
            status=409,
        ),
    ),
    "Cloudflare's points to a forbidden address": (
        "Cloudflare error 1000",
        cloudflare_error(
            1000,
            "DNS points to prohibited IP",
            "You've requested a page on a website ($HOST) that is on the Cloudflare network."
            " Unfortunately, it is resolving to an IP address that is creating a conflict within"
            " Cloudflare's system.",
            status=403,
        ),
    ),
    "Cloudflare's zone was banned": (
        "Cloudflare error 1018 and 1007: could not find host",
        cloudflare_error(
            1018,
            "Unable to find your host",
            "The Cloudflare system knows nothing of the configured host.",
            status=409,
        ),
    ),
    "Fastly knows no such domain": (
        "Fastly: unknown domain (can-i-take-over-xyz), status 500",
        html(
            "<html><head><title>Fastly error: unknown domain $HOST</title></head><body><p>Fastly"
            " error: unknown domain: $HOST. Please check that this domain has been added to a"
            " service.</p><p>Details: cache-fra-eddf8230041-FRA</p></body></html>",
            "X-Served-By: cache-fra-eddf8230041-FRA",
            status=500,
        ),
    ),
    "Akamai has no such property": (
        "Akamai: Invalid URL, for host names of no property",
        html(
            "<HTML><HEAD>\n<TITLE>Invalid URL</TITLE>\n</HEAD><BODY>\n<H1>Invalid URL</H1>\nThe"
            ' requested URL "&#91;no&#32;URL&#93;", is invalid.<p>\nReference&#32;&#35;9&#46;'
            "44641060&#46;1700000000&#46;0\n</BODY></HTML>\n",
            "Server: AkamaiGHost",
            status=400,
        ),
    ),
    "nginx wants HTTPS on this port": (
        "nginx: 497, a server block left behind",
        html(
            bare(
                "400 The plain HTTP request was sent to HTTPS port",
                "<center>The plain HTTP request was sent to HTTPS port</center>\r\n<hr><center>"
                "nginx/1.24.0</center>",
            ),
            "Server: nginx/1.24.0",
            status=400,
        ),
    ),
    "Apache speaks TLS on this port": (
        "Apache: speaking plain HTTP to an SSL-enabled server port",
        html(
            '<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">\n<html><head>\n<title>400 Bad'
            " Request</title>\n</head><body>\n<h1>Bad Request</h1>\n<p>Your browser sent a request"
            " that this server could not understand.<br />\nReason: You're speaking plain HTTP to"
            " an SSL-enabled server port.<br />\n Instead use the HTTPS scheme to access this URL,"
            " please.<br />\n</p>\n</body></html>\n",
            status=400,
        ),
    ),
    "Go's server wants TLS on this port": (
        "Go net/http: client sent an HTTP request to an HTTPS server",
        plain("Client sent an HTTP request to an HTTPS server.\n", status=400),
    ),
    "nothing is routed to this host": (
        "Traefik's answer to hosts of no router",
        plain("404 page not found\n", "X-Content-Type-Options: nosniff", status=404),
    ),
}

CASES: list[Case] = [
    of_truth(Truth.CLOSED, name, source, only(reply)) for name, (source, reply) in _CLOUDS.items()
]
