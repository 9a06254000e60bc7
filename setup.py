"""`pip install .`: the folder plots/ as the package sortlab, with the papers' numbers and the schemas in it.

pyproject.toml has what does not depend on the tree.
"""

import re
from pathlib import Path

from setuptools import find_packages, setup

ROOT = Path(__file__).resolve().parent
VERSION = re.search(r"project\(sortlab VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]

PLOTS = ROOT / "plots"
# Whatever lies in the package beside its code: roles, templates, scripts of pages; site/ is for a checkout alone.
BESIDE = [f for f in PLOTS.rglob("*") if f.is_file() and f.suffix not in (".py", ".pyc", ".md")]
BESIDE = [f for f in BESIDE if PLOTS / "site" not in f.parents]

setup(
    version=VERSION,
    options={"build": {"build_base": "build/python"}},  # CMake's presets have the other folders of build/
    packages=[
        "sortlab",
        *(f"sortlab.{n}" for n in find_packages("plots")),
        "sortlab.data.published",
        "sortlab.data.schemas",
    ],
    package_dir={
        "sortlab": "plots",
        "sortlab.data.published": "results/published",
        "sortlab.data.schemas": "configs/schemas",
    },
    package_data={
        "sortlab": [str(file.relative_to(PLOTS)) for file in BESIDE],
        "sortlab.data.published": ["*.jsonl", "*.json"],
        "sortlab.data.schemas": ["*.json"],
    },
)
