"""Links of pages: where each leads, and those that lead nowhere."""

import html.parser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class _Page(html.parser.HTMLParser):
    """Addresses of links and loads, and the places that a page has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.ids: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.addresses += [given[name] for name in ("href", "src") if given.get(name)]
        self.ids |= {given[name] for name in ("id", "name") if given.get(name)}


def broken_links(folder: Path) -> list[str]:
    """Each link of the folder's pages whose file or place on a page does not exist, or that leaves the folder."""
    pages = {file.resolve(): _Page(file.read_text(encoding="utf-8")) for file in folder.rglob("*.html")}
    assert pages, f"no page in {folder}"
    broken = []
    for file, page in pages.items():
        for address in page.addresses:
            parts = urlsplit(address)
            if parts.scheme == "data":
                continue
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            place = unquote(parts.fragment)
            # The explorer's fragments hold a choice, not a place.
            found = target in pages and (not place or "=" in place or place in pages[target].ids)
            if parts.scheme or parts.netloc or not (found or (target.is_file() and target not in pages)):
                broken.append(f"{file.relative_to(folder.resolve())} -> {address}")
    return broken
