#!/usr/bin/env python3
"""Brings the external peers of peers.lock into a folder, each at its commit: fetch_peers.py FOLDER

Prints the options that CMake needs. A folder that is there already and has the commit is kept as it is; with another
commit or changed files it is left alone and named, and the exit status is 1.
"""

import argparse
import subprocess
import sys
from pathlib import Path
from typing import List, NamedTuple, Optional

LOCK = Path(__file__).resolve().parents[2] / "peers.lock"


class Peer(NamedTuple):
    option: str  # CMake's
    repository: str  # owner/name
    folder: str
    commit: str  # as many digits as the records have


def read_lock(text: str) -> List[Peer]:
    """Raises ValueError for a line that is no peer."""
    peers = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if len(words) != len(Peer._fields):
            raise ValueError(f"peers.lock:{number}: must be an option, a repository, a folder and a commit")
        peers.append(Peer(*words))
    return peers


def git(folder: Path, *arguments: str) -> Optional[str]:
    """Runs git. Returns its output, or None if it fails."""
    ran = subprocess.run(["git", "-C", str(folder), *arguments], stdout=subprocess.PIPE, text=True, check=False)
    return ran.stdout.strip() if ran.returncode == 0 else None


def bring(peer: Peer, into: Path, base: str) -> str:
    """Makes the peer's folder. Returns the reason that it could not, or an empty text."""
    folder = into / peer.folder
    if not folder.exists():
        # Abbreviated commits cannot be asked for, so the history comes along, without files of other commits.
        made = git(
            into, "clone", "--quiet", "--filter=blob:none", "--no-checkout", f"{base}{peer.repository}", peer.folder
        )
        if made is None or git(folder, "checkout", "--quiet", "--detach", peer.commit) is None:
            return f"{peer.repository}: cannot bring commit {peer.commit}"
    commit = git(folder, "rev-parse", "HEAD")
    if commit is None or not commit.startswith(peer.commit):
        return f"{folder}: is not at commit {peer.commit} of {peer.repository}; move it away, or check that out"
    if git(folder, "status", "--porcelain", "--untracked-files=no"):
        return f"{folder}: its files were changed; move it away"
    return ""


def main(arguments: Optional[List[str]] = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(":")[0])
    parser.add_argument("folder", type=Path, help="made if it is not there")
    parser.add_argument("--from", dest="base", default="https://github.com/", help="what precedes owner/name")
    asked = parser.parse_args(arguments)
    try:
        peers = read_lock(LOCK.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    asked.folder.mkdir(parents=True, exist_ok=True)
    reasons = [(peer, bring(peer, asked.folder, asked.base)) for peer in peers]
    for _, reason in reasons:
        if reason:
            print(reason, file=sys.stderr)
    print(" ".join(f"-D {peer.option}={(asked.folder / peer.folder).resolve()}" for peer, why in reasons if not why))
    return 1 if any(reason for _, reason in reasons) else 0


if __name__ == "__main__":
    sys.exit(main())
