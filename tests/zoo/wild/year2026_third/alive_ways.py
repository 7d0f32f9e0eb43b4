"""Pages that are there, by ways that look like errors, and files that speak of them."""

# ruff: noqa: RUF001
from collections.abc import Iterator

from tests.zoo.wild.case import (
    ELSE,
    Case,
    Reply,
    alive,
    cookie_gate,
    html,
    plain,
    redirect,
)
from tests.zoo.wild.pages import HOME, NGINX_404, PATH, modern, site
from tests.zoo.wild.year2026_third.frames import drupal, ghost, shell, story

_PAGE = html(drupal("Forty notebooks", story()))


def _ways() -> Iterator[Case]:
    """Yield redirects within a site that lead to what was asked for."""
    for name, source, path, way in (
        (
            "an article's identifier becomes its page",
            "Drupal: /node/77 to its alias",
            "/node/77",
            "/collection/forty-notebooks",
        ),
        (
            "a short film becomes a film",
            "YouTube: /shorts/ to /watch",
            "/shorts/q7Xk2",
            "/watch?v=q7Xk2",
        ),
        (
            "a shared link becomes its thread",
            "Reddit: /s/ to /comments/",
            "/r/clocks/s/aB77",
            "/r/clocks/comments/77/forty_notebooks/",
        ),
        (
            "a branch that was renamed",
            "GitHub: blob/master to blob/main",
            "/maker/clock/blob/master/README.md",
            "/maker/clock/blob/main/README.md",
        ),
        (
            "documentation leads to its language and version",
            "Read the Docs: / to /en/latest/",
            "/",
            "/en/latest/",
        ),
        (
            "an accelerated page leads to its plain one",
            "newspapers that gave up AMP: /amp/ to the article",
            "/2019/04/forty-notebooks/amp/",
            "/2019/04/forty-notebooks/",
        ),
        (
            "a session without cookies is put into the path",
            "ASP.NET: cookieless sessions, /(S(…))/",
            "/Reports/View.aspx?id=77",
            "/(S(lit3py55t21z5v55vlm25s55))/Reports/View.aspx?id=77",
        ),
        (
            "a session without cookies is put behind a semicolon",
            "servlets: ;jsessionid=",
            "/catalogue/show?id=77",
            "/catalogue/show;jsessionid=4F77?id=77",
        ),
        (
            "a library's record gets its permanent address",
            "Alma, Primo: /permalink/ to /discovery/fulldisplay",
            "/permalink/77_INST/1a/alma9904",
            "/discovery/fulldisplay?docid=alma9904&vid=77_INST:V1",
        ),
        (
            "a thing with a word for its absence in the name",
            "shops: names are corrected, ids count",
            "/p/77-not-found-print",
            "/p/77-poster-not-found",
        ),
    ):
        yield alive(
            f"moved within its site: {name}",
            source,
            {
                "/": HOME,
                way: _PAGE,
                way.replace("(", "%28").replace(")", "%29"): _PAGE,
                ELSE: NGINX_404,
                path: redirect(way, status=301),
            },
            path=path,
        )
    gate = "/archive/2019/annual-report?cookieSet=1"
    yield alive(
        "a publisher tries whether cookies are kept, and shows the article",
        "Atypon: ?cookieSet=1, and /action/cookieAbsent without",
        {
            "/": HOME,
            PATH: cookie_gate(_PAGE, redirect(gate, "Set-Cookie: JSESSIONID=aa77; Path=/")),
            gate: cookie_gate(redirect(PATH), redirect("/action/cookieAbsent")),
            "/action/cookieAbsent": html(
                modern(
                    "Cookie Absent", "<h1>Cookie Absent</h1><p>Your browser refused cookies.</p>"
                )
            ),
            ELSE: NGINX_404,
        },
    )
    yield alive(
        "a game asks for the visitor's age on a page of its own",
        "Steam's store: 302 to /agecheck/app/",
        {
            "/": HOME,
            "/app/77/Clockwork/": cookie_gate(_PAGE, redirect("/agecheck/app/77/")),
            "/agecheck/app/77/": html(
                modern(
                    "Clockwork on the store",
                    "<h2>Please enter your birth date to continue:</h2><select"
                    " name='ageYear'></select><p>This product may contain content not"
                    " appropriate for all ages.</p>",
                )
            ),
            ELSE: NGINX_404,
        },
        "login",
        path="/app/77/Clockwork/",
    )


def _by_others() -> Iterator[Case]:
    """Yield pages that lead over other hosts, or stay there, and are what was asked for."""
    for name, source, host, way, page in (
        (
            "a weekly in German asks on its own page for consent",
            "Zeit Online: 302 to /zustimmung?url=",
            "www.clock-weekly.example",
            "/zustimmung?url=http%3A%2F%2Fx",
            modern(
                "Zustimmung | Die Uhr",
                "<h1>Willkommen</h1><p>Besuchen Sie uns wie gewohnt mit Werbung und"
                " Tracking, oder nutzen Sie das Pur-Abo.</p><button>Einverstanden</butt"
                "on>",
                lang="de",
            ),
        ),
        (
            "a newspaper in Dutch asks on its publisher's host for consent",
            "DPG Media: 302 to myprivacy…/consent?",
            "myprivacy.dpg-of-clocks.example",
            "/consent?siteKey=77&callbackUrl=http%3A%2F%2Fx",
            modern(
                "DPG Media Privacy Gate",
                "<h1>Cookies en privacy</h1><p>Wij en onze partners gebruiken cookies."
                " Ga akkoord om verder te lezen.</p><button>Akkoord</button>",
            ),
        ),
        (
            "a persistent name leads to a repository",
            "URN:NBN: resolvers of national libraries",
            "repository.clock-uni.example",
            "/items/4f-77",
            drupal("Forty notebooks", story()),
        ),
        (
            "a project moved to another forge with its page",
            "forges: a mirror's page leads to the project's new one",
            "codeberg-of-clocks.example",
            "/maker/clock",
            drupal("maker/clock: computes drift", story()),
        ),
        (
            "a blog moved to another host, post by post",
            "Typepad, 2025: blogs that moved to Ghost or WordPress in time",
            "blog.maker-of-clocks.example",
            "/2019/04/forty-notebooks/",
            ghost("Forty notebooks", story()),
        ),
    ):
        yield alive(
            f"by another host: {name}",
            source,
            {"/": HOME, PATH: redirect(f"http://{host}:PORT{way}"), ELSE: NGINX_404},
            others={host: {"/": HOME, way: html(page), ELSE: NGINX_404}},
        )


# Files whose whole content is what it is.
_FILES: dict[str, tuple[str, Reply]] = {
    "rules for robots that name error pages": (
        "robots.txt",
        plain("User-agent: *\nDisallow: /404\nDisallow: /not-found\nDisallow: /suspended/\n"),
    ),
    "a person's finger": (
        "WebFinger, RFC 7033",
        plain(
            '{"subject":"acct:maker@$HOST","links":[{"rel":"self","type":"application/a'
            'ctivity+json","href":"http://$HOST/users/maker"}]}',
            kind="application/jrd+json",
        ),
    ),
    "a reference": (
        "BibTeX of publishers",
        plain(
            "@article{maker2019,\n  title = {Page Not Found: Link Rot in Horology},\n "
            " year = {2019},\n  note = {Withdrawn links are listed in the"
            " appendix}\n}\n",
            kind="application/x-bibtex",
        ),
    ),
    "subtitles": (
        "WebVTT of films",
        plain(
            "WEBVTT\n\n00:01.000 --> 00:04.000\nPage not found, said the"
            " archivist.\n\n00:04.500 --> 00:07.700\nThen it is gone.\n",
            kind="text/vtt",
        ),
    ),
    "triples": (
        "Turtle of vocabularies",
        plain(
            "@prefix s: <http://www.w3.org/2011/http-statusCodes#> .\ns:NotFound"
            ' s:statusCodeNumber 404 ; s:reason "Not Found" .\n',
            kind="text/turtle",
        ),
    ),
    "findings of a scanner": (
        "SARIF of linters",
        plain(
            '{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"links"}},"results":['
            '{"level":"error","message":{"text":"404 Not Found: /old"}}]}]}',
            kind="application/sarif+json",
        ),
    ),
    "a schema with an error in it": (
        "JSON Schema of problem documents",
        plain(
            '{"$schema":"https://json-schema.org/draft/2020-12/schema","title":"Error",'
            '"type":"object","properties":{"code":{"const":404},"message":{"const":"Not'
            ' Found"}}}',
            kind="application/schema+json",
        ),
    ),
    "a table of dead links": (
        "CSV of open data",
        plain(
            "url,status,checked\nhttp://a.example/,404,2026-04-04\nhttp://b.example/,41"
            "0,2026-04-05\n",
            kind="text/csv",
        ),
    ),
    "a description of a service": (
        "WSDL with its faults",
        plain(
            '<?xml version="1.0"?><definitions xmlns="http://schemas.xmlsoap.org/wsdl/"'
            ' name="Clocks"><message name="NotFoundFault"><part name="fault"'
            ' type="xsd:string"/></message></definitions>',
            kind="text/xml",
        ),
    ),
    "an empty list of things": (
        "APIs of collections: no entries on this page",
        plain('{"count":0,"next":null,"previous":null,"results":[]}', kind="application/json"),
    ),
    "a track of a walk": (
        "GPX",
        plain(
            '<?xml version="1.0"?><gpx version="1.1"'
            ' xmlns="http://www.topografix.com/GPX/1/1"><wpt lat="54.1"'
            ' lon="2.2"><name>404 Not Found (pub, closed)</name></wpt></gpx>',
            kind="application/gpx+xml",
        ),
    ),
    "a page of a manual": (
        "troff: man pages",
        plain(
            ".TH NOTFOUND 7\n.SH NAME\nnotfound \\- what to do when a page is not"
            " found\n.SH DESCRIPTION\nSee\n.BR man (1).\n",
            kind="text/troff",
        ),
    ),
}


def _answers() -> Iterator[Case]:
    """Yield answers that are odd for a page that is there."""
    yield alive(
        "a page through a transforming proxy",
        "RFC 9110: 203 Non-Authoritative Information",
        site(html(drupal("Forty notebooks", story()), status=203)),
    )
    yield alive(
        "a page by an application that says 201",
        "consoles and paste services: 201 to a GET",
        site(html(drupal("Forty notebooks", story()), status=201)),
    )
    yield alive(
        "an application's page with its data and the words for its errors",
        "Vite applications with inlined translations",
        site(
            html(
                shell(
                    "Forty notebooks – Clock Atlas",
                    body=f"<main><h1>Forty notebooks</h1>{story()}</main>",
                    head='<script type="application/json" id="i18n">{"error.404":"Page not'
                    ' found","error.gone":"This page no longer'
                    ' exists","auth.login":"Please log in"}</script>',
                )
            )
        ),
    )
    yield alive(
        "a page whose host adds the headers of its shield",
        "Azure Front Door, bunny.net, Imperva: headers that come with every answer",
        site(
            html(
                drupal("Forty notebooks", story()),
                "x-azure-ref: 20260503T100000Z-ok",
                "X-SG-CDN: 1",
                "Server: BunnyCDN-DE1-1331",
                "Set-Cookie: afd_azwaf_tok=4f; Path=/",
            )
        ),
    )
    yield alive(
        "a page of a forum whose first post was removed",
        "forums: [deleted by user], with all the answers",
        site(
            html(
                modern(
                    "How do I open a pocket watch? : clocks",
                    "<h1>How do I open a pocket watch?</h1><div"
                    " class='post'><p>[removed]</p></div><div class='reply'><p>Turn"
                    " the bezel to the left; some have a hinge at nine.</p></div><div"
                    " class='reply'><p>Do not use a knife.</p></div>" + story(times=1),
                )
            )
        ),
    )


CASES: list[Case] = [
    *_ways(),
    *_by_others(),
    *(
        alive(f"a file that is what it is: {name}", source, site(reply))
        for name, (source, reply) in _FILES.items()
    ),
    *_answers(),
]
