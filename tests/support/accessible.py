"""Barriers on a page that is open in a browser: by axe, where it is at hand, and by rules of our own."""

import importlib.util
import os
from pathlib import Path
from typing import Optional

from browser import Browser

# Packages of PyPI that hold axe.min.js; SORTLAB_AXE names the file itself.
_PACKAGES = ("axe_playwright_python", "axe_core_python")
_TIMEOUT_S = 120

_AXE = """
const done = arguments[arguments.length - 1];
axe.run(document, {resultTypes: ["violations"]}).then((found) => done(found.violations.map(
  ({id, nodes}) => id + ": " + nodes.slice(0, 3).map((node) => node.html.slice(0, 200)).join(" | "))));
"""

# Contrast of each visible text, of figures too, to the nearest ground behind it; and controls without a name.
_OURS = """
const rgb = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
const light = (text) => {
  const [r, g, b] = rgb(text).map((v) => v / 255).map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const ground = (element) => {
  for (let at = element; at; at = at.parentElement) {
    const colour = getComputedStyle(at).backgroundColor, parts = rgb(colour);
    if (parts.length === 3 || parts[3] > 0) return colour;
  }
  return "rgb(255, 255, 255)";
};
const found = [];
for (const element of document.querySelectorAll("body *")) {
  const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  if (!own || !element.checkVisibility({visibilityProperty: true})) continue;
  if (element.closest("script, style, [disabled]")) continue;
  const style = getComputedStyle(element), colour = element.closest("svg") ? style.fill : style.color;
  if (colour === "none") continue;
  const [a, b] = [light(colour), light(ground(element))].sort((x, y) => y - x), ratio = (a + 0.05) / (b + 0.05);
  if (ratio < 4.5) found.push(`contrast ${ratio.toFixed(2)}: ${element.textContent.trim().slice(0, 60)} (${colour})`);
}
for (const control of document.querySelectorAll("button, a[href], input, select, summary")) {
  const named = control.textContent.trim() || control.getAttribute("aria-label") || control.title;
  if (!named && !control.labels?.length && !control.hidden) found.push("no name: " + control.outerHTML.slice(0, 120));
}
return [...new Set(found)];
"""


def axe() -> Optional[str]:
    """The text of axe-core, or None if it is not installed here."""
    specs = [importlib.util.find_spec(name) for name in _PACKAGES]
    files = [Path(spec.origin).parent / "axe.min.js" for spec in specs if spec and spec.origin]
    files = [Path(os.environ["SORTLAB_AXE"])] if os.environ.get("SORTLAB_AXE") else files
    return next((file.read_text(encoding="utf-8") for file in files if file.is_file()), None)


def barriers(browser: Browser) -> list[str]:
    """The texts of too little contrast and the controls without a name, by our own rules."""
    return browser.run(_OURS)


def axe_violations(browser: Browser, library: str) -> list[str]:
    """Axe's violations on the page that was opened last, each with its first elements."""
    address = browser.run("return location.href")
    browser.driver.execute_cdp_cmd("Page.setBypassCSP", {"enabled": True})  # the page's policy lets no script in
    try:
        browser.driver.get("about:blank")
        browser.driver.get(address)
        browser.driver.set_script_timeout(_TIMEOUT_S)
        browser.run(library)
        return browser.driver.execute_async_script(_AXE)
    finally:
        browser.driver.execute_cdp_cmd("Page.setBypassCSP", {"enabled": False})
