"""Files that other programs export: short links, bookmarks and monitors.

A file is read or refused as a whole; each entry that can't be imported is reported with its line
and the reason.
"""

from linkwatch_client.importers.bookmark_services import read_linkace, read_linkding
from linkwatch_client.importers.monitors import read_gatus, read_uptime_kuma
from linkwatch_client.importers.short_links import read_bitly, read_kutt, read_shlink, read_yourls

PROGRAMS = {
    "shlink": read_shlink,
    "yourls": read_yourls,
    "kutt": read_kutt,
    "bitly": read_bitly,
    "linkace": read_linkace,
    "linkding": read_linkding,
    "uptime-kuma": read_uptime_kuma,
    "gatus": read_gatus,
}
