"""An older module must not run with a changed contract. This test fails if a header that program and module share has
changed, and asks if modules must be rebuilt."""

import hashlib
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Digest of the headers for each version of the contract. A change after which older modules may still run (such as an
# added function) replaces the last digest. Any other change raises kContractVersion in algorithms/module.hpp and adds
# an entry.
DIGESTS = {
    1: "a822f87da9cf7a3d",
    2: "64718ce85f6a7d1e",
    3: "c06a3961ca2d5c24",
    4: "89be6ec8cd51933c",
    5: "8fd3d1f3e11adbf1",
    6: "8c7ff698458c3edf",
}


def shared_headers():
    """The headers that declare the interface of program and module: two headers and what they include."""
    found, left = set(), ["algorithms/component.hpp", "generators/distribution.hpp"]
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += re.findall(r'^#include "([^"]+)"', (ROOT / name).read_text(), re.M)
    return sorted(found)


def without_comments(text):
    return " ".join(re.sub(r"//[^\n]*", "", text).split())


def test_the_contract_is_that_of_its_version():
    version = int(re.search(r"kContractVersion = (\d+);", (ROOT / "algorithms/module.hpp").read_text())[1])
    code = "".join(without_comments((ROOT / name).read_text()) for name in shared_headers())
    module = (ROOT / "algorithms/module.hpp").read_text()
    code += without_comments(re.search(r"struct ModuleFacts \{.*?\n\};", module, re.S)[0])
    digest = hashlib.sha256(code.encode()).hexdigest()[:16]
    assert DIGESTS[version] == digest, (
        f"{', '.join(shared_headers())} or ModuleFacts changed. If a module compiled before must not run with this, "
        f"raise kContractVersion and add {version + 1}: '{digest}' to DIGESTS; else let it be {version}: '{digest}'"
    )
