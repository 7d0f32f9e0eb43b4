"""Finds links in the other formats, with their places and keys."""

import io
import json
import re
import zipfile

import pytest
from docutils import nodes
from docutils.core import publish_doctree
from pypdf import PdfWriter
from pypdf._crypt_providers import _fallback
from pypdf.annotations import Link as PdfLink
from pypdf.generic import DictionaryObject, NameObject, StreamObject

from linkwatch_client.extraction import Link, UnreadableFile, extract

pytestmark = pytest.mark.any_database

REST = """\
Title
=====

See `the handbook <https://a.example/h>`_, `named`_ and https://b.example/x. ``https://no.example``

.. _named: https://c.example/n

Example::

    https://no.example

.. code-block:: sh

   curl https://no.example

.. image:: pictures/a.png
   :target: https://d.example

`split
<https://e.example/
s>`__
"""
ASCIIDOC = """\
= Title
See https://a.example/h[the handbook], link:guide.html[Guide] and xref:other.adoc#id[].
// https://no.example
`https://no.example` {url}[no] https://b.example.

----
https://no.example
----
https://c.example
"""
LATEX = r"""
\href{https://a.example/\%20\_x}{the handbook} % https://no.example
\url{https://b.example/~c#d} 100\% https://e.example/f\_g.
\begin{verbatim}
https://no.example
\end{verbatim}
\footnote{\url{https://h.example}}
"""
BIBTEX = r"""
@article{knuth84,
  title = {A {Title}}, doi = {10.1093/comjnl/27.2.97},
  url = {https://a.example/foo\_bar}
}
@misc{web,
  howpublished = "\url{https://b.example}"
}
"""
RIS = "TY  - JOUR\nTI  - A title\nUR  - https://a.example\nDO  - 10.1000/1\nID  - key1\nER  - \n"
BOOKMARKS = """<!DOCTYPE NETSCAPE-Bookmark-file-1>
<DL><p>
    <DT><H3 ADD_DATE="1">Work</H3>
    <DL><p>
        <DT><A HREF="https://a.example/?a&amp;b" ADD_DATE="1">A &amp; B</A>
    </DL><p>
    <DT><A HREF="https://c.example">C</A>
</DL>
"""
OPML = """<?xml version="1.0"?>
<opml><body><outline text="News">
  <outline text="A" xmlUrl="https://a.example/feed" htmlUrl="https://a.example"/>
</outline></body></opml>
"""
SITEMAP = """<?xml version="1.0"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>https://a.example/?a&amp;b</loc></url>
  <url><loc>
    https://b.example
  </loc></url>
</urlset>
"""


def found(name, content):
    data = content if isinstance(content, bytes) else content.encode()
    return [
        (link.url, link.line, link.column, link.text or link.key) for link in extract(name, data)
    ]


def test_rest():
    assert found("a.rst", REST) == [
        ("https://a.example/h", 4, 20, "the handbook"),
        ("https://b.example/x", 4, 57, ""),
        ("https://c.example/n", 6, 12, "named"),
        ("pictures/a.png", 16, 12, ""),
        ("https://d.example", 17, 13, ""),
        ("https://e.example/s", 20, 2, "split"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        ".. note::\n\n   See https://a.example/n and `x <https://b.example/>`_.\n",
        ".. note::\n   See https://a.example/n.\n\nEnd https://b.example/\n",
        ".. list-table::\n\n   * - https://a.example/\n",
        ".. |x| replace::\n   https://a.example/\n\n|x|\n",
        "Term\n   .. tip::\n\n      https://a.example/\n",
        "- .. tip::\n\n     https://a.example/\n",
        "- .. code::\n\n     https://no.example/\n\n  https://a.example/\n",
        "- Run this::\n\n      https://no.example/\n\n  See https://a.example/.\n",
        "1. * Run this::\n\n        https://no.example/\n\n     See https://a.example/.\n",
        "Run this::\n\n  https://no.example/\n\n  https://no.example/2\n\nhttps://a.example/\n",
        ".. https://no.example/\n   https://no.example/2\n\nhttps://a.example/\n",
        ".. A comment::\n\n   https://no.example/\n\nhttps://a.example/\n",
        "..\n   https://no.example/\n\nhttps://a.example/\n",
        "..\n\n   https://a.example/\n",
        "- .. https://no.example/\n\n  https://a.example/\n",
        "`a`_ and b_\n\n.. _a: https://a.example/\n.. _b:\n   https://b.example/\n",
        "[#a]_ [B]_\n\n.. [#a] https://a.example/\n.. [B] https://b.example/\n",
        ".. [not https://no.example/\n\nhttps://a.example/\n",
        ".. |x| image:: https://a.example/a.png\n\n|x|\n",
    ],
)
def test_links_of_rest_equal_those_of_docutils(text):
    document = publish_doctree(text, settings_overrides={"report_level": 5})
    expected = {node["refuri"] for node in document.findall(nodes.reference) if "refuri" in node}
    expected |= {node["uri"] for node in document.findall(nodes.image)}
    assert {link.url for link in extract("a.rst", text.encode())} == expected


@pytest.mark.parametrize("name", ["ipython", "jupyter-execute", "plot", "graphviz", "mermaid"])
def test_directives_of_rest_with_code_are_skipped(name):
    text = f".. {name}::\n\n   https://no.example/\n\nhttps://a.example/\n"
    assert [url for url, *_ in found("a.rst", text)] == ["https://a.example/"]


def test_asciidoc():
    assert found("a.adoc", ASCIIDOC) == [
        ("https://a.example/h", 2, 5, "the handbook"),
        ("guide.html", 2, 45, "Guide"),
        ("other.adoc#id", 2, 72, ""),
        ("https://b.example", 4, 32, ""),
        ("https://c.example", 9, 1, ""),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("NAME\n----\n_A_\n\nSEE ALSO\n---------\n_B_", "AB"),
        ("= T\n\n[[more]]\nMore\n+++++\n_A_\n\nThe end\n------\n_B_", "AB"),
        ("----\n id | name\n-----+-----\n_no_\n----\n_A_", "A"),
        ("----\n------\n_no_\n---- \n_A_", "A"),
        ("_A_\n\nSee also this:\n----\n_no_\n----\n_B_", "AB"),
        (".bash\n-----\n_no_\n-----\n[source]\n--------\n_no_\n--------\n_A_", "A"),
        ("Text\nmore\n----\n_no_\n----\n_A_", "A"),
        ("word\n....\n_no_\n....\n_A_", "A"),
        ("```sh\n_no_\n```sh\n_no_\n```\n_A_", "A"),
        ("_A_\n\n++++\n_no_\n----\n++++\n////\n_no_\n////\n_B_", "AB"),
    ],
)
def test_blocks_of_asciidoc_are_skipped_and_underlines_of_titles_begin_none(text, expected):
    """Names in `_` stand for links."""
    document = re.sub("_(.+?)_", r"https://\1.example/", text)
    assert [url for url, *_ in found("a.adoc", document)] == [
        f"https://{name}.example/" for name in expected
    ]


def test_latex():
    assert found("a.tex", LATEX) == [
        ("https://a.example/%20_x", 2, 7, "the handbook"),
        ("https://b.example/~c#d", 3, 6, ""),
        ("https://e.example/f_g", 3, 36, ""),
        ("https://h.example", 7, 16, ""),
    ]


def test_bibtex_ris_and_csl_have_keys():
    assert found("a.bib", BIBTEX) == found("", BIBTEX)
    assert found("a.bib", BIBTEX) == [
        ("https://doi.org/10.1093/comjnl/27.2.97", 3, 31, "knuth84"),
        ("https://a.example/foo_bar", 4, 10, "knuth84"),
        ("https://b.example", 7, 24, "web"),
    ]
    assert extract("", RIS.encode()) == [
        Link("https://a.example", 3, 7, "A title", "key1"),
        Link("https://doi.org/10.1000/1", 4, 7, "A title", "key1"),
    ]
    csl = [{"id": "k", "title": "T", "URL": "https://a.example", "DOI": "10.1000/1"}]
    assert extract("a.json", json.dumps(csl, indent=1).encode()) == [
        Link("https://a.example", 5, 11, "T", "k"),
        Link("https://doi.org/10.1000/1", 6, 11, "T", "k"),
    ]


@pytest.mark.parametrize(
    ("written", "url"),
    [
        ("https://a.example/Mercury_(planet)", "https://a.example/Mercury_(planet)"),
        ("https://a.example/x_(y).", "https://a.example/x_(y)"),
        (r"http://a.example/{\~{}}user/a{\_}b.pdf", "http://a.example/~user/a_b.pdf"),
        (r"http://a.example/\~{}user/a\_b.pdf", "http://a.example/~user/a_b.pdf"),
    ],
)
def test_brackets_and_escapes_of_latex_are_part_of_a_url(written, url):
    texts = {
        "a.tex": f"See ({written}) or \\emph{{{written}}}",
        "a.bib": f"@misc{{k,\n url = {{{written}}},\n note = {{({written})}}}}",
    }
    for name, text in texts.items():
        assert [found_url for found_url, *_ in found(name, text)] == [url, url]


def test_escapes_of_latex_are_part_of_a_doi():
    text = r"@article{k, doi = {10.1007/978-3-642-19751-2{\_}11}}"
    assert found("a.bib", text)[0][0] == "https://doi.org/10.1007/978-3-642-19751-2_11"


def test_bookmarks_and_opml_have_folders():
    assert extract("bookmarks.html", BOOKMARKS.encode()) == [
        Link("https://a.example/?a&b", 5, 22, "A & B", "Work/A & B"),
        Link("https://c.example", 7, 18, "C", "C"),
    ]
    assert extract("a.opml", OPML.encode()) == [
        Link("https://a.example/feed", 3, 3, "A", "News/A"),
        Link("https://a.example", 3, 3, "A", "News/A"),
    ]


def test_a_sitemap():
    assert found("sitemap.xml", SITEMAP) == [
        ("https://a.example/?a&b", 3, 13, ""),
        ("https://b.example", 5, 5, ""),
    ]


def test_a_notebook():
    cells = [
        {"cell_type": "markdown", "source": ["# A\n", "[b](https://c.example/é)"]},
        {"cell_type": "code", "source": ["# https://no.example"]},
    ]
    notebook = json.dumps({"nbformat": 4, "cells": cells}, indent=1)
    assert found("a.ipynb", notebook) == [("https://c.example/é", 8, 10, "b")]
    with pytest.raises(UnreadableFile, match="no cells"):
        extract("a.ipynb", b"[]")


@pytest.mark.parametrize(
    "source",
    [
        r'"[b](https://a.example/)"',
        r'["\n", "x\n", "[b](https://a.example/)"]',
        r'["\u003cb\u003e \"\ud83d\ude00\\", "", "\u00e9\t[b](https://a.example/)"]',
        r'["`https://a.example/x` https\u003a//b.example [b](https://a.example/)"]',
    ],
)
def test_a_link_of_a_notebook_has_the_place_of_its_url_in_the_cell(source):
    code = '{"cell_type": "code", "source": ["[b](https://a.example/)", "]}"], "outputs": []}'
    notebook = f'{{"cells": [{code},\n{{"source": {source}, "cell_type": "markdown"}}]}}'
    column = notebook.split("\n")[1].rindex("https://a.example/") + 1
    assert found("a.ipynb", notebook)[-1] == ("https://a.example/", 2, column, "b")


def test_a_link_of_csl_has_the_place_of_its_url_in_the_entry():
    entry = '{"abstract": "https://a.example/b",\n"URL": "https://a.example/"}'
    for text in (entry, f"[{entry}]", f'{{"items": [{entry}]}}'):
        assert found("a.csl.json", text) == [("https://a.example/", 2, 9, "")]


def archive(**parts):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in parts.items():
            made.writestr(name.replace("__", "/").replace("-", "."), content)
    return file.getvalue()


def docx(document, relations=""):
    return archive(**{"word__document-xml": document, "word/_rels/document-xml-rels": relations})


def test_docx_and_odt():
    relations = (
        '<Relationships><Relationship Id="r1" Target="https://a.example" TargetMode="External"/>'
        "</Relationships>"
    )
    document = (
        '<w:document xmlns:w="w" xmlns:r="r"><w:p><w:hyperlink r:id="r1"><w:t>the </w:t><w:t>book'
        "</w:t></w:hyperlink><w:t> and https://b.</w:t><w:t>example.</w:t></w:p></w:document>"
    )
    expected = [Link("https://a.example", None, None, "the book")]
    expected.append(Link("https://b.example", None, None, ""))
    assert extract("a.docx", docx(document, relations)) == expected
    content = (
        '<office:text xmlns:office="o" xmlns:text="t" xmlns:xlink="x"><text:p><text:a '
        'xlink:href="https://a.example">the book</text:a> and https://b.example.</text:p>'
        "</office:text>"
    )
    assert extract("a.odt", archive(**{"content-xml": content})) == expected


@pytest.mark.parametrize("blank", ["w:br", "w:cr", "w:tab", "t:line-break", "t:tab", "t:s"])
def test_line_breaks_and_tabs_of_documents_end_a_url(blank):
    paragraph = f"https://a.example/x<{blank}/>Phone"
    if blank.startswith("w:"):
        document = f'<w:document xmlns:w="w"><w:p><w:t>{paragraph}</w:t></w:p></w:document>'
        name, data = "a.docx", docx(document)
    else:
        content = f'<office:text xmlns:office="o" xmlns:t="t"><t:p>{paragraph}</t:p></office:text>'
        name, data = "a.odt", archive(**{"content-xml": content})
    assert [link.url for link in extract(name, data)] == ["https://a.example/x"]


def test_a_zip_bomb_is_refused():
    with pytest.raises(UnreadableFile, match="more than 64 MiB"):
        extract("a.docx", docx(b" " * (65 * 1024 * 1024)))


@pytest.mark.parametrize("name", ["a.docx", "a.odt", "a.pdf", "sitemap.xml", "a.opml", "a.ipynb"])
@pytest.mark.parametrize(
    "data", [b"", b"x", b"PK\x03\x04", b"%PDF-1.7\n%%EOF", b"<a>", b"{" * 9999]
)
def test_a_damaged_file_is_refused_with_a_sentence(name, data):
    with pytest.raises(UnreadableFile, match=r"\.$"):
        extract(name, data)


def test_a_pdf_with_an_unknown_filter_is_refused_with_a_sentence():
    content = StreamObject()
    content.set_data(b"x")
    content[NameObject("/Filter")] = NameObject("/Foo")
    writer = PdfWriter()
    page = writer.add_blank_page(100, 100)
    fonts = DictionaryObject({NameObject("/Font"): DictionaryObject()})
    page.update({NameObject("/Contents"): content, NameObject("/Resources"): fonts})
    with pytest.raises(UnreadableFile, match=r"can't be read: .*/Foo"):
        extract("a.pdf", written(writer))


def test_an_encrypted_pdf_without_cryptography_is_refused_with_a_sentence(monkeypatch):
    writer = PdfWriter()
    writer.add_blank_page(100, 100)
    writer.encrypt("", "owner", algorithm="AES-256")
    data = written(writer)
    assert extract("a.pdf", data) == []
    for name in ("aes_cbc_decrypt", "aes_ecb_decrypt", "CryptAES"):
        monkeypatch.setattr(f"pypdf._encryption.{name}", getattr(_fallback, name), raising=False)
    with pytest.raises(UnreadableFile, match="cryptography"):
        extract("a.pdf", data)


def test_entities_of_a_file_are_refused():
    evil = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><urlset><loc>&b;</loc></urlset>'
    with pytest.raises(UnreadableFile, match="declares entities"):
        extract("sitemap.xml", evil.encode())


def written(writer):
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()


def test_a_pdf():
    writer = PdfWriter()
    writer.add_blank_page(100, 100)
    writer.add_annotation(0, PdfLink(rect=(0, 0, 9, 9), url="https://a.example/b"))
    assert extract("a.pdf", written(writer)) == [Link("https://a.example/b", None, None, "")]
