"""The look: colours as named roles with a light and a dark value."""

from __future__ import annotations

# Role -> (light, dark). The series follow Okabe and Ito's palette, darkened or lightened until text in it is readable.
COLOURS = {
    "ground": ("#ffffff", "#15181c"),
    "ink": ("#1b2027", "#e8eaed"),
    "muted": ("#5b646e", "#a3adb8"),
    "published": ("#858e98", "#8b95a1"),
    "axis": ("#b9bec4", "#4a525c"),
    "grid": ("#e9ebee", "#272c33"),
    "series-1": ("#0a5fa5", "#62b0f2"),
    "series-2": ("#c24a14", "#f58f5a"),
    "series-3": ("#007a58", "#3fcaa0"),
    "series-4": ("#96417f", "#e094cc"),
    "series-5": ("#7d6100", "#d9b648"),
    "series-6": ("#1b87b8", "#86d4f8"),
    "series-7": ("#4a4f57", "#c3cbd4"),
    "series-8": ("#b26a00", "#ffbf5c"),
}
SERIES = 8


def light(role: str) -> str:
    return COLOURS[role][0]


def series(index: int) -> str:
    """The role of the index-th series; they repeat after SERIES."""
    return f"series-{index % SERIES + 1}"


def css(theme: int) -> str:
    """The roles as CSS declarations, theme 0 light or 1 dark."""
    return " ".join(f"--{role}: {values[theme]};" for role, values in COLOURS.items())
