#!/usr/bin/env python3
"""Computes the cycles of a program's marked loops (core/loop_mark.hpp) by static analysis of their compiled code:

    python3 harness/calibrate/loops.py build/release/sortlab                # a table, for reading
    python3 harness/calibrate/loops.py build/release/sortlab --json         # tables of a machine profile
    python3 harness/calibrate/loops.py build/release/sortlab --show satish.append

Nothing runs. For each mark, the analysis takes the shortest cycle of instructions that passes it and no rare mark.
llvm-mca schedules this loop on a model of the processor. It reports the cycles per element over many iterations (with
chains through registers, and all loads from the first-level cache), and the cycles that the busiest port or the
decoder alone would need. For a mark of a whole function, the analysis takes the shortest path from its entry through
the mark to its return, without the functions it calls. The cycles are then those of one execution, from the first
instruction to the end of the last. If a loop has several copies (for several instruction sets, or inlined in several
places), the fastest counts.
"""
import argparse
import hashlib
import heapq
import json
import os
import re
import shutil
import struct
import subprocess
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROUNDS = 200  # iterations that llvm-mca simulates: the start-up is then half a percent
SECTION = ".sortlab_loops"
ARGUMENTS = ("first", "second", "third")


class NoAnalysis(Exception):
    """The reason there is no analysis, in one line."""


class Mark(NamedTuple):
    name: str  # "" for a rare mark
    address: int
    elements: int  # negative for a function that is passed once
    at: tuple


class Instruction(NamedTuple):
    address: int
    text: str
    target: int  # destination of a jump within the function; otherwise 0
    falls: bool  # true if the next instruction may follow


class Loop(NamedTuple):
    instructions: tuple  # texts, jumps without their targets
    elements: int
    once: bool  # a function that is executed once, not a loop


# ---- the program


def read_sections(data):
    """Maps section names of a 64-bit ELF file to (offset, size, link)."""
    if data[:5] != b"\x7fELF\x02":
        raise NoAnalysis("not an ELF program of 64 bits")
    (table,) = struct.unpack_from("<Q", data, 40)
    size, count, names = struct.unpack_from("<HHH", data, 58)
    rows = [struct.unpack_from("<IIQQQQII", data, table + i * size) for i in range(count)]

    def name(row):
        begin = rows[names][4] + row[0]
        return data[begin : data.index(b"\0", begin)].decode()

    return {name(row): row[4:7] for row in rows}


def read_marks(data, sections):
    if SECTION not in sections:
        raise NoAnalysis("the program has no marked loops")
    offset, size, _ = sections[SECTION]
    end, marks = offset + size, []
    while offset < end:
        address, elements, *at = struct.unpack_from("<Qq3Q", data, offset)
        stop = data.index(b"\0", offset + 40)
        marks.append(Mark(data[offset + 40 : stop].decode(), address, elements, tuple(at)))
        offset = stop + 1
    return marks


def read_functions(data, sections):
    """(begin, end, name) of all functions, sorted by address."""
    if ".symtab" not in sections:
        raise NoAnalysis("the program is stripped: the ends of its functions are not known")
    offset, size, _ = sections[".symtab"]
    strings = sections[".strtab"][0]
    found = {}
    for at in range(offset, offset + size, 24):
        name, info, _, _, value, length = struct.unpack_from("<IBBHQQ", data, at)
        if info & 15 == 2 and length:
            found[value] = (value, value + length, strings + name)
    return [(b, e, data[n : data.index(b"\0", n)].decode()) for b, e, n in sorted(found.values())]


_CODE = re.compile(r"^\s*([0-9a-f]+):\t(.*)$")
_JUMP = re.compile(r"^(?:notrack |bnd )?(j\w+)\s+([0-9a-f]+)\b")


def parse_instruction(address, words):
    words = re.sub(r"\s*<[^>]*>", "", words.split("#")[0].strip())
    jump = _JUMP.match(words)
    text = re.sub(r"^(?:notrack |bnd )?(j\w+)\s.*", r"\1 .Lout", words)
    falls = not re.match(r"(notrack |bnd )?(jmp|ret|ud2|hlt)", words)
    return Instruction(address, text, int(jump[2], 16) if jump else 0, falls)


def disassembled(program, functions):
    """The code of these functions, which are sorted by address. One call of objdump for all functions is much faster
    than one for each."""
    code = {function: [] for function in functions}
    command = ["objdump", "-d", "--no-show-raw-insn", f"--start-address={functions[0][0]}"]
    command += [f"--stop-address={functions[-1][1]}", program]
    left = iter(functions)
    here = next(left)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as objdump:
        for line in objdump.stdout:
            if not (match := _CODE.match(line)):
                continue
            address = int(match[1], 16)
            while here and address >= here[1]:
                here = next(left, None)
            if here is None:
                break
            if address >= here[0]:
                code[here].append(parse_instruction(address, match[2]))
        objdump.stdout.close()
        objdump.wait()
    return code


# ---- the loop


def shortest_cycle(code, mark, rare):
    """Indices of the shortest cycle of instructions through the mark and no rare mark, or None."""
    place = {instruction.address: i for i, instruction in enumerate(code)}
    if mark not in place:
        return None
    start = place[mark]
    way = shortest_path(code, place, start, {place[a] for a in rare if a in place}, lambda here: here == start)
    return way and way[:-1]


def shortest_path_through(code, mark, rare):
    """Indices of the shortest path from the function's entry through the mark to its end, or None."""
    place = {instruction.address: i for i, instruction in enumerate(code)}
    if mark not in place:
        return None
    start, avoided = place[mark], {place[a] for a in rare if a in place}
    entering = [0] if start == 0 else shortest_path(code, place, 0, avoided, lambda here: here == start)
    leaving = shortest_path(code, place, start, avoided, lambda here: leaves(code[here], place))
    return entering and leaving and entering + leaving[1:]


def leaves(instruction, place):
    """True if the function ends there, by returning or by a jump to another function."""
    jumps = instruction.text.startswith("jmp") and instruction.target not in place
    return jumps or instruction.text.startswith("ret")


def shortest_path(code, place, start, avoided, arrived):
    """Indices of the shortest path from one instruction to another, both included, of at least one step."""
    came, queue = {}, [(0, start, None)]
    while queue:
        steps, here, before = heapq.heappop(queue)
        if here in came or here in avoided:
            continue
        if before is not None:
            came[here] = before
            if arrived(here):
                break
        instruction = code[here]
        if instruction.target in place:
            heapq.heappush(queue, (steps + 1, place[instruction.target], here))
        if instruction.falls and here + 1 < len(code):
            heapq.heappush(queue, (steps + 1, here + 1, here))
    else:
        return None
    way = [here]
    while len(way) == 1 or here != start:
        here = came[here]
        way.append(here)
    return way[::-1]


def find_loops(program):
    """Maps (name, arguments) to the loops of that mark, each distinct code once."""
    data = Path(program).read_bytes()
    sections = read_sections(data)
    marks, functions = read_marks(data, sections), read_functions(data, sections)
    of_function = defaultdict(list)
    position = 0
    for mark in sorted(marks, key=lambda m: m.address):
        while position < len(functions) and functions[position][1] <= mark.address:
            position += 1
        if position < len(functions) and functions[position][0] <= mark.address:
            of_function[functions[position]].append(mark)
    chosen = sorted(f for f, there in of_function.items() if any(m.name for m in there))
    loops = defaultdict(set)
    for function, code in disassembled(program, chosen).items():
        there = of_function[function]
        rare = {m.address for m in there if not m.name}
        for mark in filter(lambda m: m.name, there):
            if mark.elements < 0:
                way = shortest_path_through(code, mark.address, rare)
                if way is not None:
                    text = tuple(t for t in (code[i].text for i in way) if not t.startswith(("call", "ret")))
                    loops[mark.name, mark.at].add(Loop(text, -mark.elements, True))
                continue
            way = shortest_cycle(code, mark.address, rare)
            if way is None or any(code[i].text.startswith("call") for i in way):
                continue  # the code of other functions is not analysed
            passed = {code[i].address for i in way}
            alike = [m for m in there if m.name == mark.name and m.at == mark.at and m.address in passed]
            # The entry of the loop does not matter: begin at its lowest address.
            least = way.index(min(way))
            text = tuple(code[i].text for i in way[least:] + way[:least])
            loops[mark.name, mark.at].add(Loop(text, sum(m.elements for m in alike), False))
    return loops


# ---- the processor

# GCC's and LLVM's names for families and models of x86, followed by the nearest names that older releases know.
_AMD = {23: ["znver2", "znver1"], 25: ["znver3", "znver2"], 26: ["znver5", "znver4", "znver3"]}
_INTEL = {
    85: ["skylake-avx512"],
    106: ["icelake-server"],
    108: ["icelake-server"],
    143: ["sapphirerapids", "icelake-server"],
    207: ["emeraldrapids", "sapphirerapids", "icelake-server"],
    173: ["graniterapids", "sapphirerapids", "icelake-server"],
    174: ["graniterapids", "sapphirerapids", "icelake-server"],
}
_WITH_AMX = {143, 173, 174, 207}
_ZEN4_MODELS = {*range(0x10, 0x20), *range(0x60, 0x80), *range(0xA0, 0xB0)}  # models of AMD's family 25


def processors_in(cpuinfo):
    """Names that llvm-mca may have for the processor that /proc/cpuinfo describes, the closest first."""
    facts = dict(re.findall(r"^(vendor_id|cpu family|model|flags)\s*: (.+)$", cpuinfo, re.M))
    family, model = int(facts.get("cpu family", 0)), int(facts.get("model", 0))
    if facts.get("vendor_id") == "AuthenticAMD":
        return (["znver4"] if family == 25 and model in _ZEN4_MODELS else []) + _AMD.get(family, [])
    if facts.get("vendor_id") != "GenuineIntel":
        return []
    # A virtual machine may show the model of an older processor, but matrix registers came with Sapphire Rapids.
    if "amx_tile" in facts.get("flags", "").split() and model not in _WITH_AMX:
        model = 143
    return _INTEL.get(model, [])


def newest_mca():
    """The llvm-mca of the highest version on PATH, or the one that SORTLAB_MCA names."""
    if named := os.environ.get("SORTLAB_MCA"):
        return named
    names = ["llvm-mca", *(f"llvm-mca-{v}" for v in range(40, 12, -1))]
    found = {path: mca_version(path) for name in names if (path := shutil.which(name))}
    if not found:
        raise NoAnalysis("llvm-mca is not installed (Debian: llvm-19)")
    return max(found, key=lambda p: [int(x) for x in found[p].split(".")])


def mca_version(mca):
    text = subprocess.run([mca, "--version"], capture_output=True, text=True, check=True).stdout
    return re.search(r"version (\d+(?:\.\d+)*)", text)[1]


def has_schedule(mca, processor):
    """True if this llvm-mca has a scheduling model of the processor, and not only its name."""
    done = subprocess.run([mca, f"-mcpu={processor}"], input="nop\n", capture_output=True, text=True, check=False)
    return done.returncode == 0 and "not a recognized" not in done.stderr and "no scheduling" not in done.stderr


class Analysis(NamedTuple):
    cycles: float  # per element, over many iterations
    bound: float  # cycles of the busiest port or of the decoder
    instructions: float
    branches: float  # conditional branches
    hash: str
    text: str  # output of llvm-mca


def analysed(mca, processor, instructions, rounds):
    """The analysis of one iteration of the code, or the reason there is none."""
    code = "\n".join(instructions) + "\n.Lout:\n"
    command = [mca, "-mtriple=x86_64", f"-mcpu={processor}", f"-iterations={rounds}", "-instruction-info=0"]
    done = subprocess.run(command, input=code, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return NoAnalysis(f"{Path(mca).name}: {(done.stderr.strip().splitlines() or ['failed'])[0]}")

    def said(what):
        return float(re.search(rf"{what}:\s+([\d.]+)", done.stdout)[1])

    cycles, digest = said("Total Cycles") / rounds, hashlib.sha256(code.encode()).hexdigest()[:12]
    branches = sum(text.startswith("j") and not text.startswith("jmp") for text in instructions)
    return Analysis(cycles, said("Block RThroughput"), len(instructions), branches, digest, done.stdout)


def per_element(loop, elements):
    numbers = {name: getattr(loop, name) / elements for name in ("cycles", "bound", "instructions", "branches")}
    return loop._replace(**numbers)


def tables(program, mca, processor, build, names=None):
    """Tables of a machine profile: cycles, bound and instructions per element of each loop, by its arguments."""
    made, hashes, kept, left_out = {}, defaultdict(list), {}, {}
    loops = {key: copies for key, copies in find_loops(program).items() if not names or key[0].startswith(tuple(names))}
    codes = sorted({(loop.instructions, loop.once) for copies in loops.values() for loop in copies})
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        analyses = pool.map(lambda code: analysed(mca, processor, code[0], 1 if code[1] else ROUNDS), codes)
        found = dict(zip(codes, analyses))
    for (name, at), copies in sorted(loops.items()):
        done = []
        for loop in sorted(copies):
            if isinstance(result := found[loop.instructions, loop.once], NoAnalysis):
                left_out.setdefault(name, str(result))
            else:
                done.append((per_element(result, loop.elements), loop))
        if not done:
            continue
        best, loop = min(done, key=lambda d: (d[0].cycles, d[0].instructions))
        kept[name, at] = (best, loop, len(copies))
        hashes[name].append(best.hash)
        for what, unit, value in (
            ("cycles", "cycles/element", best.cycles),
            ("bound", "cycles/element", best.bound),
            ("instructions", "instructions/element", best.instructions),
            ("branches", "branches/element", best.branches),
        ):
            table = made.setdefault(f"loop.{name}.{what}", {"unit": unit, "arguments": list(ARGUMENTS), "points": []})
            table["points"].append({"at": list(at), "value": round(value, 4)})
    for name, table in made.items():
        loops = hashlib.sha256(" ".join(hashes[name[5:].rpartition(".")[0]]).encode()).hexdigest()[:12]
        table["source"] = f"llvm-mca {mca_version(mca)} -mcpu={processor}; {build}; code {loops}"
        table["kind"] = "hardware"
    if not made:
        raise NoAnalysis(next(iter(left_out.values()), "no loop has such a name"))
    return made, kept


def write_to(path, made):
    """Puts the tables into a profile, one point per line as the profile has them. Its digest is computed on reading."""
    profile = json.loads(path.read_text("utf-8"))
    kept = {n: t for n, t in profile["tables"].items() if not n.startswith("loop.")}
    profile["tables"] = dict(sorted((kept | made).items()))
    text, points = json.dumps(profile, indent=2, ensure_ascii=False), re.compile(r'\{\s*"at": \[[^\]]*\][^}]*\}')
    text = points.sub(lambda m: json.dumps(json.loads(m[0]), separators=(",", ":")), text)
    beside = path.with_name(path.name + ".new")
    beside.write_text(text + "\n", "utf-8")
    beside.replace(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the program, with its symbols")
    parser.add_argument("--processor", help="llvm-mca's name of the processor (-mcpu); default: this machine's")
    parser.add_argument(
        "--build", default="compiler and flags not stated", help="compiler and flags, kept with the tables"
    )
    parser.add_argument(
        "--profile", metavar="FILE", help="put the tables into this machine profile, in place of its loop tables"
    )
    parser.add_argument("--json", action="store_true", help="print tables of a machine profile")
    parser.add_argument(
        "--check", action="store_true", help="only say with what the program's loops would be analysed, or why not"
    )
    parser.add_argument(
        "--show", metavar="LOOP", nargs="+", help="show code and schedule of the loops whose names begin with LOOP"
    )
    options = parser.parse_args()
    try:
        if shutil.which("objdump") is None:
            raise NoAnalysis("objdump is not installed (Debian: binutils)")
        mca = newest_mca()
        cpuinfo = Path("/proc/cpuinfo").read_text("utf-8")
        candidates = [options.processor] if options.processor else processors_in(cpuinfo)
        processor = next((p for p in candidates if has_schedule(mca, p)), None)
        if processor is None:
            raise NoAnalysis(
                f"{Path(mca).name} {mca_version(mca)} knows no schedule of {' or '.join(candidates) or 'it'}"
            )
        if options.check:
            if processor != candidates[0]:
                raise NoAnalysis(f"{Path(mca).name} {mca_version(mca)} takes {candidates[0]} for {processor}")
            print(f"{Path(mca).name} {mca_version(mca)} -mcpu={processor}")
            return 0
        made, kept = tables(options.program, mca, processor, options.build, options.show)
    except (NoAnalysis, OSError, subprocess.SubprocessError) as why:
        print(f"loops: {why}", file=sys.stderr)
        return 1
    if options.profile:
        write_to(Path(options.profile), made)
        print(f"{len(kept)} loops by {Path(mca).name} {mca_version(mca)} -mcpu={processor}")
        return 0
    if options.json:
        json.dump({"processor": processor, "tables": made}, sys.stdout)
        return 0
    print(f"{'loop':28} {'arguments':>14}  cycles  bound  instr.  copies  code          ({processor})")
    for (name, at), (best, loop, copies) in sorted(kept.items()):
        numbers = f"{best.cycles:7.3f}{best.bound:7.3f}{best.instructions:8.2f}{copies:8}"
        print(f"{name:28} {' '.join(map(str, at)):>14} {numbers}  {best.hash}")
        if options.show:
            print("\n".join(["", *loop.instructions, "", f"{loop.elements} elements", best.text]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
