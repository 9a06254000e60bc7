"""Instructions that GPU kernels execute, from their compiled code (SASS): read with cuobjdump and nvdisasm (of the CUDA
toolkit, or PyPI's nvidia-cuda-cuobjdump and nvidia-cuda-nvdisasm). Nothing runs. Loops are followed once round, by
the shortest way on which every `if` without `else` is entered: with all keys of a thread unrolled, that is the way
of a full tile. Or by the way that passes most of what a caller names (worth_most)."""

import collections
import heapq
import re
import subprocess

_PREDICATE = re.compile(r"^@!?U?P\w+\s+")
# Instructions of the pipe of integers and logic; IMAD runs beside it.
ALU = set("BMSK CS2R IADD3 IMNMX ISETP LEA LOP3 MOV P2R PLOP3 PRMT R2P SEL SGXT SHF VIADD VIMNMX".split())
_GLOBAL = ("LD", "LDG", "ST", "STG")
# A quarter of the rate of others: bits that are set, the highest of them, reductions of a warp, conversions.
_SLOW = ("POPC", "FLO", "BREV", "REDUX", "MUFU", "I2F", "I2FP", "F2I")


class Code:
    """Instructions of a kernel, and where each may lead."""

    def __init__(self, lines):
        self.names, texts, place = [], [], {}
        self._loops = None
        for address, text in lines:
            place[address] = len(texts)
            texts.append(text)
            self.names.append(_PREDICATE.sub("", text).split()[0].split(".")[0])
        self.texts = texts
        self.target = [
            place[int(text.rsplit("0x", 1)[1], 16)] if name == "BRA" else -1 for name, text in zip(self.names, texts)
        ]
        self.next = [self._ways(i, text) for i, text in enumerate(texts)]
        self.any = [self._any_way(i, text) for i, text in enumerate(texts)]

    def _ways(self, i, text):
        after = [i + 1] if i + 1 < len(self.names) else []
        maybe = bool(_PREDICATE.match(text)) or bool(re.search(r"BRA\S*\s+!?U?P", text))
        if self.names[i] == "EXIT":
            return after if maybe else []
        if self.names[i] != "BRA":
            return after
        return ([] if maybe and self._skips(i) else [self.target[i]]) + (after if maybe else [])

    def _any_way(self, i, text):
        """The instructions that may follow, whatever is skipped."""
        maybe = bool(_PREDICATE.match(text)) or bool(re.search(r"BRA\S*\s+!?U?P", text))
        after = [i + 1] if i + 1 < len(self.names) and (maybe or self.names[i] not in ("BRA", "EXIT")) else []
        return after + [self.target[i]] if self.names[i] == "BRA" else after

    def _skips(self, i):
        """True if a branch leads past the body of an `if` (and not of a loop)."""
        target = self.target[i]
        body = range(i + 1, target)
        return target > i and self.names[target] == "BSYNC" and not any(i < self.target[j] <= j for j in body)

    def round(self, start):
        """The fewest instructions from one back to it; None if none lead."""
        came, queue = {}, [(0, start, None)]
        while queue:
            steps, here, before = heapq.heappop(queue)
            if here in came:
                continue
            if before is not None:
                came[here] = before
                if here == start:
                    way = [came[here]]
                    while way[-1] != start:
                        way.append(came[way[-1]])
                    return way
            for to in self.next[here]:
                heapq.heappush(queue, (steps + 1, to, here))
        return None

    def loops(self):
        """The instructions of each loop, by its first one."""
        if self._loops is not None:
            return self._loops
        open_, done, self._order, self._back = {0}, set(), [], set()
        stack = [(0, iter(self.any[0]))]
        while stack:
            here, ways = stack[-1]
            for to in ways:
                if to in open_:
                    self._back.add((here, to))
                elif to not in done:
                    open_.add(to)
                    stack.append((to, iter(self.any[to])))
                    break
            else:
                open_.remove(here)
                done.add(here)
                self._order.append(here)  # all that it leads to are before it
                stack.pop()
        before = collections.defaultdict(list)
        for here in self._order:
            for to in self.any[here]:
                before[to].append(here)
        self._loops = collections.defaultdict(set)
        for last, first in self._back:
            body, reached = {first}, [last]
            while reached:
                here = reached.pop()
                if here not in body:
                    body.add(here)
                    reached += before[here]
            self._loops[first] |= body
        return self._loops

    def worth_most(self, first, worth, without=frozenset()):
        """The instructions of the way once round the loop from `first` on that pass as much as they can of what is
        worth most, by names; of such ways the shortest. Inner loops are passed once, or over."""
        body = self.loops()[first] - without
        best, then = {}, {}
        for here in self._order:
            if here not in body:
                continue
            ways = [
                (best[to], to) for to in self.any[here] if to in best and to != first and (here, to) not in self._back
            ]
            if (here, first) in self._back:
                ways.append((0, None))
            if ways:
                most, then[here] = max(ways, key=lambda way: way[0])
                best[here] = most + 1000 * worth.get(self.names[here], 0) - 1
        way = [first]
        while then[way[-1]] is not None:
            way.append(then[way[-1]])
        return way

    def counts(self, way):
        return collections.Counter(self.names[i] for i in way)

    def once(self):
        """The fewest instructions from the entry to the end, as counts of names; loops are passed over, or once round
        where they test at their end."""
        came, queue = {}, [(0, 0, None)]
        while queue:
            steps, here, before = heapq.heappop(queue)
            if here in came:
                continue
            came[here] = before
            if not self.next[here]:
                break
            for to in self.next[here]:
                heapq.heappush(queue, (steps + 1, to, here))
        way = collections.Counter()
        while here is not None:
            way[self.names[here]] += 1
            here = came[here]
        return way

    def rounds(self, *through):
        """The shortest ways round through each instruction of these names, as counts of names."""
        ways = {tuple(sorted(w)) for i, n in enumerate(self.names) if n in through if (w := self.round(i))}
        return [collections.Counter(self.names[i] for i in way) for way in ways]


def read_kernels(path):
    """(demangled name, code, registers, bytes of static shared memory) of an object file's kernels."""

    def run(*words, **more):
        return subprocess.run(words, capture_output=True, text=True, check=True, **more).stdout

    lines, name = collections.defaultdict(list), ""
    for line in run("cuobjdump", "-sass", path).splitlines():
        if match := re.search(r"Function : (\S+)", line):
            name = match[1]
        elif match := re.match(r"\s+/\*([0-9a-f]{4,})\*/\s+(.*?);", line):
            lines[name].append((int(match[1], 16), match[2].strip()))
    usage = re.findall(r"Function (\S+):\n\s+REG:(\d+) .*?SHARED:(\d+)", run("cuobjdump", "-res-usage", path))
    held = {name: (int(registers), int(shared)) for name, registers, shared in usage}
    names = run("c++filt", input="\n".join(lines)).splitlines()
    for mangled, plain in zip(list(lines), names):
        yield plain.replace("sortlab::", ""), Code(lines[mangled]), *held[mangled]


def moved(way):
    return sum(way[name] for name in _GLOBAL)


def slow(way):
    return sum(way[name] for name in _SLOW)


def shared(way):
    return way["LDS"] + way["STS"] + way["ATOMS"]


def least(ways):
    return min(ways, key=lambda way: sum(way.values()))


def numbers(way):
    """Instructions, those of the integer pipe, loads from shared memory, stores and atomic additions there."""
    return sum(way.values()), sum(way[name] for name in ALU), way["LDS"], way["STS"], way["ATOMS"]
