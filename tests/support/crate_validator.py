"""Validates a crate by rocrate-validator without a network: the JSON-LD context is that of the library rocrate.

Usage: crate_validator.py FOLDER. Prints each violation of a requirement on a line; exit status 1 if there is one.
"""

import email.message
import io
import json
import sys
import types
import urllib.request
from pathlib import Path

import rocrate
from rocrate_validator import models, services
from rocrate_validator.utils.http import HttpRequester

CONTEXT = (Path(rocrate.__file__).parent / "data/ro-crate.jsonld").read_bytes()
CONTEXTS = "https://w3id.org/ro/crate/"


class OfflineHandler(urllib.request.HTTPSHandler):
    def https_open(self, req):
        if not req.full_url.startswith(CONTEXTS):
            raise OSError(f"{req.full_url}: no network in a test")
        headers = email.message.Message()
        headers["Content-Type"] = "application/ld+json"
        answer = urllib.request.addinfourl(io.BytesIO(CONTEXT), headers, req.full_url, 200)
        answer.msg = "OK"
        return answer


def fetched(_, url, **__):
    """The context in the form of an answer of the library requests."""
    if not url.startswith(CONTEXTS):
        raise OSError(f"{url}: no network in a test")
    context = json.loads(CONTEXT)
    return types.SimpleNamespace(
        status_code=200,
        ok=True,
        headers={"Content-Type": "application/ld+json"},
        json=lambda: context,
        text=CONTEXT.decode(),
    )


def violations(crate, severity=models.Severity.REQUIRED):
    urllib.request.install_opener(urllib.request.build_opener(OfflineHandler))
    HttpRequester.get = fetched
    settings = services.ValidationSettings(
        rocrate_uri=str(crate), profile_identifier="process-run-crate-0.5", requirement_severity=severity
    )
    return [f"{issue.check.identifier}: {issue.message}" for issue in services.validate(settings).get_issues()]


if __name__ == "__main__":
    wanted = models.Severity.RECOMMENDED if "--recommended" in sys.argv else models.Severity.REQUIRED
    found = violations(sys.argv[1], wanted)
    print("\n".join(found))
    sys.exit(bool(found))
