"""Pages that are there for those who sign in, pay, belong or wait."""

# ruff: noqa: E501, RUF001
from tests.zoo.wild.case import ELSE, Case, Reply, Truth, html, of_truth, plain, redirect
from tests.zoo.wild.year2026_seventh.frames import (
    LOST,
    Met,
    alone,
    app,
    blog,
    forum,
    home,
    met,
    office,
    paper,
    story,
)

_FLAGS = frozenset({"restricted", "login"})

_PAGES: dict[str, Met] = {
    "a story of an American daily for subscribers": met(
        "WSJ: snippet with Continue reading your article with a subscription, 200",
        paper(
            "Harbours Dig Deeper - The Mole Courier",
            f"<article><h1>Harbours Dig Deeper</h1>{story()}<div class='snippet-promotion'><h2>Continue reading your article with a subscription</h2><p>Already a subscriber? <a href='/signin'>Sign In</a></p></div></article>",
        ),
        "/articles/harbours-dig-deeper-1864abcd",
    ),
    "a story of a French daily for subscribers": met(
        "Le Figaro: Cet article est réservé aux abonnés, 200",
        paper(
            "Le marégraphe qui dit la mer - Le Courrier du môle",
            f"<article><h1>Le marégraphe qui dit la mer</h1>{story('fr')}<div class='fig-premium-paywall'><p>Cet article est réservé aux abonnés. Il vous reste 82% à découvrir.</p><p>Vous avez envie de lire la suite ?</p></div></article>",
            lang="fr",
            name="Le Courrier du môle",
        ),
        "/sciences/le-maregraphe-qui-dit-la-mer-20260301",
        lang="fr",
    ),
    "a story of an Italian daily for subscribers": met(
        "la Repubblica: Contenuto riservato agli abbonati, 200",
        paper(
            "Il mareografo del molo",
            f"<article><h1>Il mareografo del molo</h1>{story('it')}<div class='paywall'><h2>Contenuto riservato agli abbonati</h2><p>Per continuare a leggere, abbonati o accedi.</p></div></article>",
            lang="it",
            name="Il Corriere del molo",
        ),
        "/cronaca/2026/03/01/news/mareografo-1864/",
        lang="it",
    ),
    "a story of a Norwegian daily for subscribers": met(
        "Aftenposten: Denne artikkelen er for abonnenter, 200",
        paper(
            "Vannstanden på moloen",
            "<article><h1>Vannstanden på moloen</h1><p>Måleren har vært avlest siden 1864.</p><div class='paywall-offer'><h2>Denne artikkelen er for abonnenter</h2><button>Kjøp tilgang</button> <a href='/login'>Logg inn</a></div></article>",
            lang="nb",
            name="Molokureren",
        ),
        "/norge/i/1864Ab/vannstanden",
        lang="nb",
    ),
    "a story of a Finnish daily for subscribers": met(
        "Helsingin Sanomat: Tilaajille, 200",
        paper(
            "Mareografi kertoo meren",
            "<article><span class='diamond'>Tilaajille</span><h1>Mareografi kertoo meren</h1><p>Vedenkorkeutta on mitattu vuodesta 1864.</p><div class='paywall'><p>Jatka lukemista tilaamalla digi.</p></div></article>",
            lang="fi",
            name="Satamasanomat",
        ),
        "/tiede/art-2000001864042.html",
        lang="fi",
    ),
    "a story of a Japanese daily for subscribers": met(
        "毎日新聞: この記事は有料記事です, 200",
        paper(
            "験潮場、百六十年 | 港新聞",
            f"<article><h1>験潮場、百六十年</h1>{story('ja')}<div class='articlemask'><p>この記事は有料記事です。残り1864文字</p><a href='/subscribe'>有料登録して続きを読む</a></div></article>",
            lang="ja",
            name="港新聞",
        ),
        "/articles/20260301/k00/00m/040/186000c",
        lang="ja",
    ),
    "a story of a Russian business paper for subscribers": met(
        "Ведомости: материал доступен по подписке, 200",
        paper(
            "Порты углубляют дно",
            f"<article><h1>Порты углубляют дно</h1>{story('ru')}<div class='paywall'><p>Этот материал доступен по подписке</p><a href='/subscribe'>Оформить подписку</a></div></article>",
            lang="ru",
            name="Портовые ведомости",
        ),
        "/business/articles/2026/03/01/1864042",
        lang="ru",
    ),
    "a story of a Swiss daily that wants a log-in": met(
        "Swiss papers: Melden Sie sich an, um weiterzulesen, 200",
        paper(
            "Der Pegel am See",
            f"<article><h1>Der Pegel am See</h1>{story('de')}<section class='regwall'><h2>Melden Sie sich an, um weiterzulesen</h2><p>Kostenlos registrieren und weiterlesen.</p></section></article>",
            lang="de",
            name="Seebote",
        ),
        "/schweiz/pegel-am-see-ld.1864042",
        lang="de",
    ),
    "an article of a journal without a subscription": met(
        "Wiley Online Library: Get access to the full version of this article, 200",
        office(
            "Tide gauge wells: a review - Journal of Heights",
            "<article><h1>Tide gauge wells: a review</h1><p>First published: 4 March 1998</p><h2>Abstract</h2><p>Stilling wells damp waves and admit tides.</p><div class='accordion'><h2>Get access to the full version of this article</h2><ul><li>Log in with your institution</li><li>Purchase instant access: 48-hour online access $15.00</li></ul></div></article>",
            name="Journal of Heights",
        ),
        "/doi/10.5555/tide.1864",
    ),
    "a paper of engineers that one signs in for or buys": met(
        "IEEE Xplore: Sign in or Purchase, 200",
        app(
            "A Float Sensor for Stilling Wells | Conference Publication",
            "<h1>A Float Sensor for Stilling Wells</h1><p>Abstract: A float with a magnet is read by a reed chain.</p><div class='pay-wall'><p>Sign in to Continue Reading</p><button>Sign in or Purchase</button></div>",
        ),
        "/document/1864042",
    ),
    "a thesis that is under an embargo": met(
        "EPrints: Restricted to Repository staff only until, with Request a copy, 200",
        office(
            "Heights of the northern mole - Harbour Eprints",
            "<h1 class='ep_tm_pagetitle'>Heights of the northern mole</h1><p>Keeper, P. (2025) <em>Heights of the northern mole.</em> PhD thesis.</p><p>PDF<br>Restricted to Repository staff only until 1 October 2027.</p><a class='ep_form_action_button' href='/cgi/request_doc?docid=1864'>Request a copy</a>",
            name="Harbour Eprints",
        ),
        "/id/eprint/1865/",
    ),
    "a record whose files are restricted": met(
        "InvenioRDM: The record is publicly accessible, but files are restricted, 200",
        office(
            "Raw heights 1864-1899",
            "<h1 id='record-title'>Raw heights 1864-1899</h1><span class='ui label'>Restricted</span><section id='record-access-info'><h2>Files</h2><p>The record is publicly accessible, but files are restricted to users with access.</p><a href='/login/?next=/records/1864'>Log in</a></section>",
            name="Records",
        ),
        "/records/18641899",
    ),
    "a page of a church for its members, by a plugin of WordPress": met(
        "WordPress, Ultimate Member: You must be logged in to view this page, 200",
        blog(
            "Members' register – Tidewrack",
            "<h1 class='wp-block-post-title'>Members' register</h1><div class='um-locked-content'><p>You need to be logged in to view this content. Please <a href='/login/'>Log In</a> or <a href='/register/'>Register</a> to view.</p></div>",
        ),
        "/members-register/",
    ),
    "a post of BuddyPress for members": met(
        "WordPress, BuddyBoss: Please login to access this website, 200",
        blog(
            "Log In – Tidewrack",
            "<h1>Log In</h1><p>Please login to access this website.</p><form name='loginform' id='loginform' action='/wp-login.php' method='post'><input name='log'><input type='password' name='pwd'><input type='submit' value='Log In'></form>",
        ),
        "/groups/keepers/",
        everywhere=True,
    ),
    "a place of Sakai that one logs into": met(
        "Sakai: portal/xlogin, 403 with the form",
        office(
            "Harbour University : Gateway : Login",
            "<div class='Mrphs-xlogin'><h1>Log in to see this site</h1><form method='post' action='/portal/xlogin'><input name='eid'><input type='password' name='pw'><button>Log in</button></form></div>",
            name="Harbour University",
        ),
        "/portal/site/HYDRO1864",
        status=403,
    ),
    "a topic of Simple Machines for members": met(
        "SMF: login_to_forum, only registered members are allowed to access this section, 403",
        forum(
            "Warning!",
            "<h2>Warning!</h2><p>Only registered members are allowed to access this section.<br>Please login below or register an account.</p><form action='/index.php?action=login2' method='post'><input name='user'><input type='password' name='passwrd'></form>",
        ),
        "/index.php?topic=1864.0",
        status=403,
    ),
    "a thread of MyBB for members, in German": met(
        "MyBB in German: error_nopermission, 403",
        forum(
            "Seglerforum",
            "<table><tr><td class='thead'><strong>Seglerforum</strong></td></tr><tr><td class='trow1'>Du bist entweder nicht angemeldet oder hast keine Berechtigung, diese Seite zu sehen. Das könnte einen der folgenden Gründe haben:<ol><li>Du bist nicht angemeldet oder registriert. Bitte nutze das Formular unten, um dich anzumelden.</li></ol><form action='/member.php' method='post'><input name='username'><input type='password' name='password'></form></td></tr></table>",
            lang="de",
            name="Seglerforum",
        ),
        "/showthread.php?tid=1864",
        lang="de",
        status=403,
    ),
    "a preview of a site behind basic authentication": Met(
        source='staging sites: WWW-Authenticate: Basic realm="Staging", 401',
        reply=html(
            "<html>\r\n<head><title>401 Authorization Required</title></head>\r\n<body>\r\n<center><h1>401 Authorization Required</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n",
            'WWW-Authenticate: Basic realm="Staging"',
            status=401,
        ),
        path="/preview/home-2026",
        everywhere=True,
    ),
    "an interface of hydrographers that wants a key": Met(
        source='APIs: {"error":"API key missing"}, 401',
        reply=plain(
            '{"error":{"code":401,"message":"API key is missing. Register to obtain one."}}',
            'WWW-Authenticate: ApiKey realm="heights"',
            status=401,
            kind="application/json",
        ),
        path="/api/v1/heights?station=1864",
    ),
    "a list of Mailman's for its members": met(
        "Mailman 2: private.py, Private Archives Authentication, 401",
        "<HTML><HEAD><TITLE>keepers Private Archives Authentication</TITLE></HEAD><BODY><FORM METHOD=POST ACTION='/mailman/private/keepers/'><h1>keepers Private Archives Authentication</h1><INPUT TYPE=TEXT NAME=username><INPUT TYPE=password NAME=password><INPUT TYPE=SUBMIT NAME=submit VALUE='Let me in...'></FORM></BODY></HTML>",
        "/mailman/private/keepers/2014-March/001864.html",
        status=401,
    ),
    "a folder of ownCloud under a password": met(
        "ownCloud: This share is password-protected, 200",
        alone(
            "ownCloud",
            "<form method='post'><p>This share is password-protected</p><input type='password' name='password' placeholder='Password'><button>&rarr;</button></form>",
        ),
        "/index.php/s/1864abcdefgh/authenticate",
    ),
    "an event of a platform for those with a ticket": met(
        "virtual conferences: Enter your registration e-mail to join, 200",
        app(
            "Tides 2026 – Enter",
            "<h1>Tides 2026</h1><p>This event is only for registered attendees.</p><form><input type='email' placeholder='Registration e-mail'><button>Log in</button></form>",
        ),
        "/event/tides-2026/agenda",
    ),
}

# Elsewhere: where such are known from, the address asked for, the host, the way there, its title, its page's words.
_ELSEWHERE: dict[str, tuple[str, str, str, str, str, str]] = {
    "a ward's list behind Okta": (
        "Okta: 302 to /oauth2/v1/authorize, then Sign In",
        "/wards/1864",
        "harbour.okta-like-door.example",
        "/oauth2/v1/authorize?client_id=0oa1864&response_type=code&redirect_uri=http%3A%2F%2Fx%2Fcb",
        "Harbour - Sign In",
        "<h2>Sign In</h2><form><input name='identifier'><input type='password' name='credentials.passcode'><input type='submit' value='Sign in'></form>",
    ),
    "a plan behind Microsoft's door": (
        "Microsoft Entra ID: 302 to /organizations/oauth2/v2.0/authorize, Sign in to your account",
        "/plans/1864",
        "login.microsoft-like-door.example",
        "/organizations/oauth2/v2.0/authorize?client_id=1864abcd&response_mode=form_post&scope=openid",
        "Sign in to your account",
        "<div id='lightbox'><h1>Sign in</h1><input type='email' name='loginfmt' placeholder='Email, phone, or Skype'><input type='submit' value='Next'></div><noscript>JavaScript required to sign in</noscript>",
    ),
    "a course behind a service of where one is from": (
        "SWITCHaai: 302 to a WAYF, Select your organisation to access",
        "/course/view.php?id=1864",
        "wayf.federation-of-schools.example",
        "/SWITCHaai/WAYF?entityID=https%3A%2F%2Fcourses.example%2Fshibboleth&return=https%3A%2F%2Fcourses.example",
        "Organisation Selection",
        "<h1>Select your organisation</h1><p>In order to access the service you must log in with your organisation.</p><select name='user_idp'><option>Harbour University</option></select><input type='submit' value='Select'>",
    ),
    "a shelf behind SimpleSAMLphp": (
        "SimpleSAMLphp: 302 to loginuserpass.php, Enter your username and password",
        "/shelf/1864",
        "idp.library-of-the-mole.example",
        "/simplesaml/module.php/core/loginuserpass?AuthState=_1864abcd",
        "Enter your username and password",
        "<h2>Enter your username and password</h2><form method='post' name='f'><input name='username'><input type='password' name='password'><button>Login</button></form>",
    ),
    "a board of tasks behind authentik": (
        "authentik: 302 to /if/flow/default-authentication-flow/",
        "/boards/1864",
        "auth.tasks-of-the-harbour.example",
        "/if/flow/default-authentication-flow/?next=%2Fapplication%2Fo%2Fauthorize%2F%3Fclient_id%3D1864",
        "authentik",
        "<ak-flow-executor><h1>Welcome to authentik!</h1><input name='uidField' placeholder='Email or Username'></ak-flow-executor>",
    ),
    "a dossier of a French office behind its door of agents": (
        "ProConnect: 302 to /api/v2/authorize, Se connecter",
        "/dossiers/1864",
        "auth.agents-du-port.example",
        "/api/v2/authorize?acr_values=eidas1&client_id=1864&scope=openid",
        "Connexion - agents",
        "<h1>Se connecter ou créer un compte</h1><form><label>Email professionnel</label><input type='email' name='email'><button>Continuer</button></form>",
    ),
    "a page of notes behind a door of Auth0": (
        "Auth0: 302 to /u/login?state=",
        "/notes/1864",
        "notes.auth0-like-door.example",
        "/u/login?state=hKFo2SB1864abcd",
        "Log in | Notes",
        "<h1>Welcome</h1><p>Log in to continue to Notes.</p><form><input name='username'><input type='password' name='password'><button>Continue</button></form>",
    ),
}

# At the same site: where such are known from, the address, the door, its page.
_DOORS: dict[str, tuple[str, str, str, str]] = {
    "a project of Overleaf that one logs into": (
        "Overleaf: 302 to /login",
        "/project/1864abcd1864abcd1864abcd",
        "/login",
        "<h1>Log in to Overleaf</h1><form><input type='email' name='email'><input type='password' name='password'><button>Login</button></form>",
    ),
    "a folder of Nextcloud that one logs into": (
        "Nextcloud: 303 to /index.php/login?redirect_url=",
        "/index.php/apps/files/?dir=/heights&fileid=1864",
        "/index.php/login?redirect_url=/index.php/apps/files/%3Fdir%3D/heights%26fileid%3D1864",
        "<div id='login'><h2>Log in to Nextcloud</h2><form><input name='user'><input type='password' name='password'></form></div>",
    ),
    "a profile of a network of professionals": (
        "LinkedIn: 302 to /authwall?trk=, Join to view the full profile",
        "/in/keeper-1864",
        "/authwall?trk=bf&sessionRedirect=%2Fin%2Fkeeper-1864",
        "<h1>Join LinkedIn</h1><p>Sign in or join now to see this profile.</p><form><input name='email-address'><input type='password' name='password'><button>Agree &amp; Join</button></form>",
    ),
    "a report of a board of metrics": (
        "Metabase: 302 to /auth/login?redirect=",
        "/question/1864-heights",
        "/auth/login?redirect=%2Fquestion%2F1864-heights",
        "<h2>Sign in to Metabase</h2><form><input name='username'><input type='password' name='password'></form>",
    ),
    "a page of BookStack that is not public": (
        "BookStack: 302 to /login",
        "/books/gauges/page/cleaning",
        "/login",
        "<h1 class='list-heading'>Log In</h1><form action='/login' method='POST'><input name='email'><input type='password' name='password'></form>",
    ),
    "a lesson of an academy on Kajabi": (
        "Kajabi: 302 to /login for what one must own",
        "/products/tides/categories/1864/posts/42",
        "/login",
        "<h1>Log in to the library</h1><form><input name='member[email]'><input type='password' name='member[password]'></form>",
    ),
    "a document of a council's meeting kept for its members, in Swedish": (
        "portals of meetings: 302 to /konto/logga-in?returnUrl=",
        "/protokoll/1864.pdf",
        "/konto/logga-in?returnUrl=%2Fprotokoll%2F1864.pdf",
        "<h1>Logga in</h1><p>Handlingen är endast tillgänglig för ledamöter.</p><form><input name='anv'><input type='password' name='losen'></form>",
    ),
}


def _elsewhere(name: str) -> Case:
    source, path, host, way, title, words = _ELSEWHERE[name]
    site = {"/": home(), path: redirect(f"http://{host}:PORT{way}"), ELSE: LOST}
    page: Reply = html(alone(title, words))
    return of_truth(
        Truth.RESTRICTED,
        name,
        source,
        site,
        path=path,
        others={host: {ELSE: page}},
        flags=_FLAGS,
    )


def _door(name: str) -> Case:
    source, path, door, words = _DOORS[name]
    site = {
        "/": home(),
        path: redirect(door),
        door: html(office("Log in", words)),
        ELSE: LOST,
    }
    return of_truth(Truth.RESTRICTED, name, source, site, path=path, flags=_FLAGS)


CASES: list[Case] = [
    *(
        of_truth(Truth.RESTRICTED, name, each.source, each.site, path=each.path, flags=_FLAGS)
        for name, each in _PAGES.items()
    ),
    *map(_elsewhere, _ELSEWHERE),
    *map(_door, _DOORS),
]
