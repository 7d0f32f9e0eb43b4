"""Pages that are there, though something on them or on the way to them looks otherwise."""

# ruff: noqa: E501, RUF001
from collections.abc import Iterator

from tests.zoo.wild.case import ELSE, Case, Reply, alive, html, only, plain, redirect
from tests.zoo.wild.year2026_fourth.frames import (
    LOST,
    Met,
    document,
    front,
    magento,
    mediawiki,
    news,
    next_app,
    phpbb,
    plain_site,
    shopify,
    text,
    wordpress,
)

_PAGES: dict[str, Met] = {
    "an article on what a 404 is": Met(
        source="MDN: 404 Not Found",
        reply=html(
            plain_site(
                "404 Not Found - HTTP | Docs for the Web",
                "<h1>404 Not Found</h1><p>The HTTP <strong>404 Not Found</strong> client error response status code indicates that the server cannot find the requested resource. Links that lead to a 404 page are often called broken or dead links and can be subject to link rot.</p><h2>Status</h2><pre>404 Not Found</pre><h2>Custom error pages</h2><p>You can display a custom 404 page to be more helpful to a user and provide guidance on what to do next.</p><h2>See also</h2><ul><li>410 Gone</li></ul>",
                name="Docs for the Web",
            )
        ),
        path="/en-US/docs/Web/HTTP/Reference/Status/404",
    ),
    "a guide to pages of errors, in Spanish": Met(
        source="blogs of hosts: Página no encontrada: cómo solucionar el error 404",
        reply=html(
            wordpress(
                "Página no encontrada: cómo solucionar el error 404 en WordPress",
                "<article><h1>Página no encontrada: cómo solucionar el error 404 en WordPress</h1><p>¿Tus visitantes ven «Página no encontrada» al abrir una entrada? Casi siempre se debe a los enlaces permanentes.</p><h2>1. Guarda de nuevo los enlaces permanentes</h2><p>Ve a Ajustes › Enlaces permanentes y pulsa Guardar cambios.</p><h2>2. Revisa el archivo .htaccess</h2><p>Si no existe, WordPress no puede escribir sus reglas.</p><h2>3. Desactiva los plugins</h2><p>Hazlo de uno en uno y prueba otra vez.</p></article>",
                lang="es",
                name="Hosting al día",
            )
        ),
        path="/blog/pagina-no-encontrada-error-404-wordpress/",
        lang="es",
    ),
    "a question on a page that is not found": Met(
        source="Stack Overflow: titles that quote an error",
        reply=html(
            plain_site(
                "python - requests returns 404 but page opens in browser - Stack Overflow",
                '<div id="question-header"><h1>requests returns 404 but page opens in browser</h1></div><div class="question"><div class="vote">17</div><p>I get <code>&lt;Response [404]&gt;</code> and the text "The page you requested was not found", though the page opens in my browser. What am I doing wrong?</p><pre><code>r = requests.get(url)\nprint(r.status_code)  # 404</code></pre></div><div id="answers"><h2>2 Answers</h2><div class="answer accepted-answer"><p>The server looks at the User-Agent. Send a header of your own:</p><pre><code>requests.get(url, headers={"User-Agent": "Mozilla/5.0"})</code></pre></div><div class="answer"><p>Also check the trailing slash.</p></div></div><div class="related"><h4>Related</h4><a href="/q/1">Django: page not found (404)</a></div>',
                name="Stack Overflow",
            )
        ),
        path="/questions/41946166/requests-returns-404-but-page-opens-in-browser",
    ),
    "a bug whose title is an error": Met(
        source="GitHub issues: titles that quote an error, closed",
        reply=html(
            plain_site(
                "Page not found after upgrading to 5.2 · Issue #4212 · growers/leekdocs · GitHub",
                '<div id="partial-discussion-header"><h1><bdi>Page not found after upgrading to 5.2</bdi> <span>#4212</span></h1><span title="Status: Closed" class="State State--closed">Closed</span></div><div class="comment"><p>After the upgrade each page of the manual shows "404 - Page not found". Going back to 5.1 helps.</p></div><div class="comment"><p>Fixed in #4220, thanks for the report. This issue has been archived; please open a new one if you still see it.</p></div><div class="participation"><h3>Development</h3><p>No branches or pull requests</p></div>',
                name="GitHub",
            ),
            "Server: github.com",
        ),
        path="/growers/leekdocs/issues/4212",
    ),
    "a sold-out product of Shopify": Met(
        source="Shopify, Dawn: Sold out, add to cart disabled",
        reply=html(
            shopify(
                "Dibber, ash handle",
                '<section class="product"><div class="product__media"><img src="/cdn/shop/files/dibber.jpg" alt="Dibber, ash handle"></div><div class="product__info-wrapper"><h1>Dibber, ash handle</h1><div class="price price--sold-out"><span class="price-item">£24.00 GBP</span><span class="badge price__badge-sold-out">Sold out</span></div><product-form><button type="submit" name="add" class="product-form__submit" disabled><span>Sold out</span></button></product-form><p>Turned from ash grown beside the line. Steel tip, 30 cm.</p><details><summary>Shipping &amp; Returns</summary><p>We ship on Tuesdays.</p></details></div></section><section class="related"><h2>You may also like</h2><a href="/products/trowel">Trowel</a></section>',
            ),
            "powered-by: Shopify",
        ),
        path="/products/dibber-ash-handle",
    ),
    "a discontinued product that is still described, in German": Met(
        source="makers' shops: Dieses Produkt ist nicht mehr verfügbar, with its data",
        reply=html(
            magento(
                "Gewächshaus Stellwerk 3x4",
                '<h1 class="page-title">Gewächshaus Stellwerk 3x4</h1><div class="product-info-main"><div class="stock unavailable"><span>Auslaufmodell – nicht mehr lieferbar</span></div><p>Dieses Produkt wird nicht mehr hergestellt. Ersatzteile und Anleitungen finden Sie weiterhin hier.</p><a href="/gewaechshaus-stellwerk-plus.html">Zum Nachfolger: Stellwerk Plus 3x4</a></div><div class="product data items"><h2>Technische Daten</h2><table><tr><th>Grundfläche</th><td>3 x 4 m</td></tr><tr><th>Glas</th><td>ESG 4 mm</td></tr><tr><th>Gewicht</th><td>412 kg</td></tr></table><h2>Downloads</h2><a href="/media/anleitung.pdf">Aufbauanleitung (PDF, 4 MB)</a></div>',
                lang="de",
            )
        ),
        path="/gewaechshaus-stellwerk-3x4.html",
        lang="de",
    ),
    "a product out of stock, in Japanese": Met(
        source="Japanese shops: 在庫切れ, 再入荷お知らせ",
        reply=html(
            plain_site(
                "手打ち鍬 一号 | 園芸の種屋",
                '<h1>手打ち鍬 一号</h1><p class="price">6,800円（税込）</p><p class="soldout">申し訳ございません。ただいま在庫がございません。</p><button>再入荷お知らせメールを受け取る</button><p>鍛冶職人が一本ずつ打った鍬です。柄は樫、全長九十センチ。</p><h2>この商品を見た人はこんな商品も見ています</h2><a href="/item/2">草取り鎌</a>',
                lang="ja",
                name="園芸の種屋",
            )
        ),
        path="/item/1001",
        lang="ja",
    ),
    "a nursery that is closed for the season": Met(
        source="seasonal businesses: closed for the season",
        reply=html(
            wordpress(
                "Rail Side Nursery",
                f"<h1>Rail Side Nursery</h1><div class='notice'><p><strong>We are closed for the season.</strong> Thank you for another wonderful year! We reopen on 14 March 2026.</p></div>{text()}<h2>Opening hours</h2><p>March to October, Tuesday to Sunday, 9 to 5.</p>",
                name="Rail Side Nursery",
                kind="home",
            )
        ),
        path="/visit/",
    ),
    "a call that is closed, in Italian": Met(
        source="public bodies: bando scaduto, still published",
        reply=html(
            plain_site(
                "Bando per l'assegnazione di orti urbani 2024",
                "<h1>Bando per l'assegnazione di orti urbani 2024</h1><p><strong>Stato: scaduto</strong> – Data di scadenza: 30/04/2024</p><p>Il Comune assegna dodici orti lungo la ferrovia a residenti di età superiore ai 18 anni.</p><h2>Allegati</h2><ul><li><a href='/bando.pdf'>Bando (PDF)</a></li><li><a href='/graduatoria.pdf'>Graduatoria definitiva (PDF)</a></li></ul>",
                lang="it",
                name="Comune di Scambio",
            )
        ),
        path="/bandi/orti-urbani-2024",
        lang="it",
    ),
    "an event that was cancelled": Met(
        source="Eventbrite, venues: cancelled events stay",
        reply=html(
            plain_site(
                "CANCELLED: Leek Show 2025",
                "<h1>CANCELLED: Leek Show 2025</h1><p>Saturday 13 September 2025, the old signal box</p><p>Because of the flood on platform two the show does not take place. Tickets are refunded automatically within ten working days.</p><h2>About the show</h2><p>Since 1921 growers have brought their longest leeks to be measured by the stationmaster.</p>",
            )
        ),
        path="/e/leek-show-2025-tickets-911223344",
    ),
    "an item of a repository that was withdrawn, with its record": Met(
        source="arXiv: This paper has been withdrawn, with abstract and versions",
        reply=html(
            plain_site(
                "[2403.04212] Optimal spacing of leeks on railway ballast",
                '<div id="abs"><h1 class="title mathjax"><span class="descriptor">Title:</span>Optimal spacing of leeks on railway ballast</h1><div class="authors">R. Marrow, P. Seed</div><div class="abs-withdrawn"><p>This paper has been withdrawn by R. Marrow</p></div><blockquote class="abstract"><span class="descriptor">Abstract:</span>We derive a bound on the spacing of leeks and show that it is attained. The paper is withdrawn because of an error in Lemma 4.</blockquote><div class="submission-history"><h2>Submission history</h2>[v1] Thu, 7 Mar 2024 (212 KB)<br>[v2] Fri, 3 May 2024 (1 KB) <i>(withdrawn)</i></div></div>',
                name="arXiv",
            )
        ),
        path="/abs/2403.04212",
    ),
    "a retracted article that can be read": Met(
        source="publishers: RETRACTED ARTICLE, 200",
        reply=html(
            plain_site(
                "RETRACTED ARTICLE: Ballast improves the growth of Allium",
                "<article><div class='notice'>This article was <a href='/retraction'>retracted</a> on 11 November 2025</div><h1>RETRACTED ARTICLE: Ballast improves the growth of Allium</h1><section><h2>Abstract</h2><p>We report that railway ballast improves the growth of leeks by a third.</p></section><section><h2>Change history</h2><p>The Editor has retracted this article because the plots were mislabelled. The authors agree.</p></section></article>",
                name="Annals of Gardens",
            )
        ),
        path="/articles/s00425-021-00042-7",
    ),
    "the last notice of a service that ended": Met(
        source="blogs: We are shutting down, posts that stay",
        reply=html(
            wordpress(
                "Seedswap is shutting down",
                "<article><h1>Seedswap is shutting down</h1><p>After eleven years we will close Seedswap on 31 December 2025. You can export your lists until then.</p><h2>What happens to my account?</h2><p>All accounts will be deleted in January. This site will remain as an archive.</p><h2>Thank you</h2><p>Forty thousand packets of seed changed hands here.</p><div id='comments'><h3>212 comments</h3><p>So sad to see you go!</p></div></article>",
                name="Seedswap Blog",
            )
        ),
        path="/2025/10/seedswap-is-shutting-down/",
    ),
    "an article on accounts that were suspended, in Turkish": Met(
        source="Turkish papers: hesap askıya alındı",
        reply=html(
            news(
                "Bu hesap askıya alınmıştır: X binlerce hesabı kapattı",
                "<h1>Bu hesap askıya alınmıştır: X binlerce hesabı kapattı</h1><p>Sosyal medya platformu, pazartesi gecesi binlerce kullanıcının hesabını askıya aldı. Kullanıcılar profillerinde «Bu hesap askıya alınmıştır» uyarısıyla karşılaştı.</p><p>Şirketten yapılan açıklamada kuralların ihlal edildiği belirtildi.</p>",
                lang="tr",
                name="Makas Gazetesi",
            )
        ),
        path="/teknoloji/bu-hesap-askiya-alinmistir-4212345",
        lang="tr",
    ),
    "a guide to domains that are for sale, in Dutch": Met(
        source="registrars' help: Dit domein is te koop",
        reply=html(
            plain_site(
                "Dit domein is te koop: wat betekent dat?",
                "<h1>Dit domein is te koop: wat betekent dat?</h1><p>Ziet u op een website de tekst ‘Dit domein is te koop’, dan heeft de houder de naam geparkeerd. In dit artikel leest u hoe u een bod uitbrengt.</p><h2>Wie is de houder?</h2><p>Zoek de naam op in de whois van het register.</p><h2>Een bod doen</h2><p>Doe nooit een betaling zonder escrow.</p>",
                lang="nl",
                name="Naam &amp; Zo",
            )
        ),
        path="/kennisbank/dit-domein-is-te-koop",
        lang="nl",
    ),
    "a topic of phpBB that is closed": Met(
        source="phpBB: Topic locked",
        reply=html(
            phpbb(
                "Blight in July",
                '<h2 class="topic-title"><a href="./viewtopic.php?t=42">Blight in July</a></h2><div class="action-bar"><a href="./posting.php" class="button" title="Topic locked"><span>Locked</span></a></div><div id="p1" class="post"><div class="postbody"><h3>Blight in July</h3><div class="content">Half my tomatoes are gone. Is there still anything I can do?</div></div></div><div id="p2" class="post"><div class="postbody"><div class="content">Cut below the spots and burn the leaves. The link you gave is dead: page not found.</div></div></div><p>This topic is locked, you cannot edit posts or make further replies.</p>',
            )
        ),
        path="/viewtopic.php?t=42",
    ),
    "a discussion of a deletion in a wiki": Met(
        source="Wikipedia: Articles for deletion, archived debates",
        reply=html(
            mediawiki(
                "Gardenpedia:Articles for deletion/Signal box gardens",
                "<div class='boilerplate afd vfd xfd-closed'><p>The following discussion is an archived debate of the proposed deletion of the article below. <b>Please do not modify it.</b></p><p>The result was <b>delete</b>. The page has been deleted.</p><h3>Signal box gardens</h3><ul><li><b>Delete</b>: no sources found.</li><li><b>Keep</b>: two local papers wrote of it.</li></ul></div>",
            )
        ),
        path="/wiki/Gardenpedia:Articles_for_deletion/Signal_box_gardens",
    ),
    "a disambiguation of a wiki, in French": Met(
        source="Wikipédia: Erreur 404 (homonymie)",
        reply=html(
            mediawiki(
                "Page introuvable (homonymie)",
                "<p><b>Page introuvable</b> peut désigner :</p><ul><li>l’erreur HTTP 404 ;</li><li><i>Page introuvable</i>, un roman de 2012 ;</li><li><i>Page introuvable</i>, un album du groupe Les Aiguilleurs.</li></ul>",
                lang="fr",
                name="Jardinpédia",
            )
        ),
        path="/wiki/Page_introuvable",
        lang="fr",
    ),
    "an empty search of a shop": Met(
        source="shops: no results for a search, a link to the search",
        reply=html(
            magento(
                "Search results for: 'blue leek'",
                '<h1 class="page-title">Search results for: \'blue leek\'</h1><div class="message notice"><div>Your search returned no results.<dl class="block"><dt class="title">Did you mean</dt><dd class="item"><a href="/catalogsearch/result/?q=blaugruner+leek">blaugruner leek</a></dd></dl></div></div>',
                kind="catalogsearch-result-index",
            )
        ),
        path="/catalogsearch/result/?q=blue+leek",
    ),
    "a category with nothing in it, in Polish": Met(
        source="PrestaShop: brak produktów w kategorii",
        reply=html(
            plain_site(
                "Nasiona ekologiczne - Sklep Nastawnia",
                "<h1>Nasiona ekologiczne</h1><div class='category-description'><p>Nasiona z certyfikatem, siane i zbierane nad torami.</p></div><section id='content' class='page-not-found'><h4>Brak dostępnych produktów.</h4><p>Bądź na bieżąco! Wkrótce zostaną dodane nowe produkty.</p></section>",
                lang="pl",
                name="Sklep Nastawnia",
            )
        ),
        path="/14-nasiona-ekologiczne",
        lang="pl",
    ),
    "a page under a dialogue on cookies, in German": Met(
        source="Usercentrics, Sourcepoint: Zustimmung above the article",
        reply=html(
            news(
                "Warum Lauch Geduld braucht",
                '<div id="consent" role="dialog"><h2>Wir benötigen Ihre Zustimmung</h2><p>Mit Werbung weiterlesen oder das PUR-Abo wählen.</p><button>Akzeptieren und weiter</button><a href="/pur">PUR-Abo</a></div><h1>Warum Lauch Geduld braucht</h1>'
                + text("de", 2),
                lang="de",
                name="Stellwerk-Bote",
            )
        ),
        path="/garten/lauch-geduld",
        lang="de",
    ),
    "a shell that scripts fill": Met(
        source="Create React App, Vite: an empty root and a noscript",
        reply=html(
            '<!doctype html><html lang="en"><head><meta charset="utf-8"/><link rel="icon" href="/favicon.ico"/><meta name="viewport" content="width=device-width,initial-scale=1"/><meta name="theme-color" content="#000000"/><meta name="description" content="Plan your plot"/><title>Plot Planner</title><script defer="defer" src="/static/js/main.4f1a2b3c.js"></script><link href="/static/css/main.e6c13ad2.css" rel="stylesheet"></head><body><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div></body></html>'
        ),
        path="/planner",
    ),
    "a page of few words, in Korean": Met(
        source="small businesses: a page that is being prepared no longer",
        reply=html(
            plain_site(
                "오시는 길",
                "<h1>오시는 길</h1><p>옛 신호소 옆, 3번 출구에서 걸어서 4분.</p><iframe src='https://map.example/embed'></iframe>",
                lang="ko",
                name="텃밭 모임",
            )
        ),
        path="/map",
        lang="ko",
    ),
    "a page on errors of payment, in Chinese": Met(
        source="help centres of China: 页面不存在怎么办",
        reply=html(
            plain_site(
                "打开链接提示“页面不存在”怎么办？ - 帮助中心",
                "<h1>打开链接提示“页面不存在”怎么办？</h1><p>如果您打开商品链接时看到“抱歉，您访问的页面不存在”，可能是以下原因：</p><ol><li>商品已经下架；</li><li>链接复制不完整；</li><li>浏览器缓存未更新。</li></ol><p>以上回答是否解决了您的问题？<a>已解决</a> <a>未解决</a></p>",
                lang="zh",
                name="帮助中心",
            )
        ),
        path="/help/article/4212",
        lang="zh",
    ),
    "a novel called Not Found, in Portuguese": Met(
        source="publishers: books titled by an error",
        reply=html(
            plain_site(
                "Página não encontrada – Romance | Editora Sinaleiro",
                "<h1>Página não encontrada</h1><p>Romance de Lia Marrão. 184 páginas. ISBN 978-65-00000-42-0. R$ 49,90</p><p>Um bibliotecário recebe cartas de um leitor que só devolve livros sem a última página.</p><button>Comprar</button>",
                lang="pt",
                name="Editora Sinaleiro",
            )
        ),
        path="/livros/pagina-nao-encontrada",
        lang="pt",
    ),
    "a page of status that tells of failures": Met(
        source="Statuspage: past incidents",
        reply=html(
            document(
                "Seedworks Status - Incident: Elevated 404 and 503 errors",
                "<div class='layout-content status status-incident'><h1>Elevated 404 and 503 errors on product pages</h1><p>Incident Report for Seedworks</p><div class='update'><b>Resolved</b> - This incident has been resolved.<br>Feb 3, 2026 - 14:10 UTC</div><div class='update'><b>Investigating</b> - Some visitors see “Page not found” or “Service Unavailable”. We are investigating.</div><p>This incident affected: Storefront.</p></div><footer><a href='/'>← Current Status</a> Powered by Atlassian Statuspage</footer>",
            )
        ),
        path="/incidents/x4k2p9m1q8zz",
    ),
    "a page of Next.js that holds its own 404 in its scripts": Met(
        source="Next.js app router: each page streams the not-found component",
        reply=html(
            next_app(
                "Companion planting | Trellis",
                "<main><h1>Companion planting</h1><p>Leeks and carrots protect each other from their flies. Sow them in alternate rows, a hand apart.</p><p>Basil keeps the whitefly off tomatoes.</p></main>",
                script='<script>self.__next_f.push([1,"8:[\\"$\\",\\"html\\",null,{\\"children\\":[[\\"$\\",\\"title\\",null,{\\"children\\":\\"404: This page could not be found.\\"}],[\\"$\\",\\"h1\\",null,{\\"className\\":\\"next-error-h1\\",\\"children\\":404}],[\\"$\\",\\"h2\\",null,{\\"children\\":\\"This page could not be found.\\"}]]}]\\n"])</script>',
            ),
            "X-Powered-By: Next.js",
        ),
        path="/guides/companion-planting-2",
    ),
    "a law that is no longer in force": Met(
        source="portals of laws: repealed, still shown",
        reply=html(
            plain_site(
                "The Allotments (Railway Land) Order 1922 (repealed)",
                "<h1>The Allotments (Railway Land) Order 1922</h1><p class='status'>This Order was repealed on 1 April 1974 and is no longer in force. It is shown as originally made.</p><h2>1. Citation</h2><p>This Order may be cited as the Allotments (Railway Land) Order 1922.</p><h2>2. Rents</h2><p>The rent of each plot shall be paid on Lady Day.</p>",
                name="Statutes",
            )
        ),
        path="/uksi/1922/42/made",
    ),
}


def _ways() -> Iterator[Case]:
    """Yield pages that odd ways lead to, and answers that are no pages."""
    page = html(plain_site("The signal box", f"<h1>The signal box</h1>{text('en', 2)}"))
    pdf = b"%PDF-1.5\n%\xe2\xe3\xcf\xd3\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"
    yield alive(
        "a document as PDF",
        "minutes of councils: application/pdf",
        {
            "/": front(),
            "/minutes/2019-03.pdf": Reply(
                headers=("Content-Type: application/pdf", "Accept-Ranges: bytes"), body=pdf
            ),
            ELSE: LOST,
        },
        path="/minutes/2019-03.pdf",
    )
    yield alive(
        "an image of one pixel",
        "images that pages count with: image/gif",
        {
            "/": front(),
            "/i/dot.gif": Reply(
                headers=("Content-Type: image/gif",),
                body=b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x01D\x00;",
            ),
            ELSE: LOST,
        },
        path="/i/dot.gif",
    )
    yield alive(
        "a download without a name of its kind",
        "file hosts: application/octet-stream, Content-Disposition",
        {
            "/": front(),
            "/dl/seedlist": Reply(
                headers=(
                    "Content-Type: application/octet-stream",
                    'Content-Disposition: attachment; filename="seedlist.zip"',
                ),
                body=b"PK\x03\x04" + b"\x00" * 200,
            ),
            ELSE: LOST,
        },
        path="/dl/seedlist",
    )
    yield alive(
        "a page that chooses the language by a redirect",
        "sites in several languages: 302 to /en/",
        {"/": redirect("/en/"), "/en/": page, ELSE: LOST},
        path="/",
    )
    yield alive(
        "an old address with a query goes to a new one",
        "relaunches: 301 from .asp?id= to a readable path",
        {
            "/": front(),
            "/article.asp?id=42": redirect("/history/the-signal-box", status=301),
            "/history/the-signal-box": page,
            ELSE: LOST,
        },
        path="/article.asp?id=42",
    )
    yield alive(
        "a cookie is set by a redirect to the page itself",
        "shops of ASP.NET: 302 to the same address with AspxAutoDetectCookieSupport",
        {
            "/": front(),
            "/seeds/list.aspx": redirect(
                "/seeds/list.aspx?AspxAutoDetectCookieSupport=1",
                "Set-Cookie: AspxAutoDetectCookieSupport=1; path=/",
            ),
            "/seeds/list.aspx?AspxAutoDetectCookieSupport=1": page,
            ELSE: LOST,
        },
        path="/seeds/list.aspx",
    )
    yield alive(
        "a short link leads to a page",
        "Bitly: 301 to the page",
        only(
            redirect(
                "http://signal-box-story.example:PORT/story",
                "Server: nginx",
                "Cache-Control: private, max-age=90",
                status=301,
            )
        ),
        path="/3xLeek9",
        others={"signal-box-story.example": {"/": front(), "/story": page, ELSE: LOST}},
    )
    yield alive(
        "an interface that counts nothing",
        "interfaces: an empty list is an answer",
        {
            "/": front(),
            "/api/plots?free=true": plain(
                '{"count":0,"next":null,"previous":null,"results":[]}', kind="application/json"
            ),
            ELSE: LOST,
        },
        path="/api/plots?free=true",
    )
    yield alive(
        "a feed without entries of late",
        "blogs: RSS with no items",
        {
            "/": front(),
            "/feed/": plain(
                '<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>Allotment</title><link>http://allotment.example</link><description>News of the plots</description></channel></rss>',
                kind="application/rss+xml; charset=UTF-8",
            ),
            ELSE: LOST,
        },
        path="/feed/",
    )


CASES: list[Case] = [
    *(alive(name, met.source, met.site, path=met.path) for name, met in _PAGES.items()),
    *_ways(),
]
