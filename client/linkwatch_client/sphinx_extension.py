"""Sphinx extension `linkwatch_client.sphinx_extension`: marks dead links in the built pages.

Makes one lookup per build. A dead link gets the class `linkwatch-dead`, a title with the verdict,
the text of `linkwatch_mark` after it, a link to its verified copy (`linkwatch_copy_text`), and a
warning of type `linkwatch.dead`.
"""

from collections.abc import Iterator
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

from linkwatch_client import __version__
from linkwatch_client.errors import ClientError
from linkwatch_client.site_links import COPY_TEXT, DEAD_CLASS, DEAD_TEXT, DeadLink, dead_links
from linkwatch_client.status_requests import is_http

_logger = logging.getLogger(__name__)


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the extension."""
    app.add_config_value("linkwatch_mark", DEAD_TEXT, "env", types=frozenset({str}))
    app.add_config_value("linkwatch_copy_text", COPY_TEXT, "env", types=frozenset({str}))
    app.add_config_value("linkwatch_max_age", "1d", "", types=frozenset({str}))
    app.connect("env-updated", _look_up)
    app.connect("doctree-resolved", _mark)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}


def _look_up(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Look up the links of all pages once; return the pages whose marks have changed."""
    previous: dict[str, DeadLink] = getattr(env, "linkwatch_dead_links", {})
    by_page = {name: {_url(node) for node in _links(env, name)} for name in env.all_docs}
    try:
        dead = dead_links(set().union(*by_page.values()), max_age=app.config.linkwatch_max_age)
    except ClientError as error:
        _logger.info("Links were not looked up. %s", error)  # a warning would fail a build with -W
        return []
    env.linkwatch_dead_links = dead  # type: ignore[attr-defined]
    changed = {url for url, _ in previous.items() ^ dead.items()}
    return [name for name, urls in by_page.items() if urls & changed]


def _links(env: BuildEnvironment, name: str) -> Iterator[nodes.reference]:
    return (node for node in env.get_doctree(name).findall(nodes.reference) if is_http(_url(node)))


def _url(node: nodes.reference) -> str:
    return str(node.get("refuri", ""))


def _mark(app: Sphinx, doctree: nodes.document, name: str) -> None:
    dead: dict[str, DeadLink] = getattr(app.env, "linkwatch_dead_links", {})
    for node in list(doctree.findall(nodes.reference)):
        url = _url(node)
        link = dead.get(url)
        if link is None:
            continue
        node["classes"].append(DEAD_CLASS)
        node["reftitle"] = link.verdict
        inserted: list[nodes.Node] = []
        if mark := app.config.linkwatch_mark:
            inserted.append(nodes.Text(f" {mark}"))
        if copy_text := link.copy_text(app.config.linkwatch_copy_text):
            inserted += [nodes.Text(" "), _copy_link(app, url, link, copy_text)]
        node.parent.insert(node.parent.index(node) + 1, inserted)
        _logger.warning(
            "%s is dead: %s", url, link.verdict, location=node, type="linkwatch", subtype="dead"
        )


def _copy_link(app: Sphinx, url: str, link: DeadLink, text: str) -> nodes.Node:
    if app.builder.format == "html":  # a reference node can't have data attributes
        return nodes.raw("", link.copy_html(url, text), format="html")
    return nodes.reference("", text, refuri=link.copy_url)
