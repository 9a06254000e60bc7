"""Identity of the machine that a record belongs to: the host, and the GPU where the sort ran on one."""

from __future__ import annotations

import re

_JOINT = "."  # between the host's id and the GPU's; no host's id has one


def machine_id(host: str, device: str) -> str:
    """The machine of a sort on this host and GPU; the host itself without a GPU."""
    gpu = re.sub(r"[^a-z0-9]+", "-", device.lower()).strip("-")
    return f"{host}{_JOINT}{gpu}" if gpu else host


def host_id(machine: str) -> str:
    """The host of a machine."""
    return machine.partition(_JOINT)[0]


def has_gpu(machine: str) -> bool:
    return host_id(machine) != machine


def plain_name(name: str) -> str:
    """A processor's or GPU's name without its maker, its memory and the word processor: Xeon (Emerald Rapids), H100."""
    return _NOISE.sub("", name).strip()


_NOISE = re.compile(r"\((R|TM)\)|^(Intel|AMD|NVIDIA)(\(R\))? | Processor(?= \()| \d+GB.*$")
