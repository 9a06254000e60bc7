"""The claim of the sort's README. plots/claims/README.md tells more."""

from plots.claims.claim import Paper, claim
from plots.claims.measures import share
from plots.claims.selection import Runs
from plots.claims.verdicts import Answer, at_least

PAPER = Paper("_template", "What the example's README says of it")
ROLES = {"_template": {"title": "the example", "facts": {"name": "_template"}}}


@claim("_template-C1", section="README", platform="cpu")
def scatter_dominates(runs: Runs) -> Answer:
    """The scatter takes more than half of the time."""
    return at_least(0.5, share(runs.of("_template", n="2^16.."), "scatter"))
