"""The command line of `sortlab keys convert`: a column of a Parquet, Arrow or CSV file as a .npy file, or as a text
file if it holds strings.

PyArrow reads the file, batch by batch, so that one larger than memory is converted too."""

from __future__ import annotations

import itertools
import os
import struct
import tempfile
from pathlib import Path
from typing import IO, Any, Iterator, Optional, Sequence

from ..records.bounds import clean
from ..records.jsonl import BadInput
from .options import Parser, answered

_PROG = "sortlab keys convert"
_SUFFIXES = {
    ".parquet": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
    ".csv": "csv",
    ".tsv": "csv",
}
# Arrow types, and the types of NumPy that hold their values. Dates and times are counted from their epoch.
_TYPES = {
    "uint32": "<u4",
    "uint64": "<u8",
    "int32": "<i4",
    "int64": "<i8",
    "float": "<f4",
    "double": "<f8",
    "date32[day]": "<i4",
    "date64[ms]": "<i8",
}
_CASTS = {"bool": "<u4", "uint8": "<u4", "uint16": "<u4", "int8": "<i4", "int16": "<i4", "halffloat": "<f4"}
_TEXTS = ("string", "large_string")
_HEADER_BYTES = 128


def _numpy_type(arrow: Any, wanted: Optional[str]) -> str:
    name = str(arrow)
    is_time = name.startswith(("timestamp[", "duration[", "time64["))
    held = "<i8" if is_time else "<i4" if name.startswith("time32[") else _TYPES.get(name)
    if held is None and wanted is None:
        cast = f"; --type {_NAMES[_CASTS[name]]} casts it" if name in _CASTS else ""
        raise BadInput(f"--column: holds {name}, which no sort takes{cast}; allowed: {', '.join(_TYPES)}, times")
    if held is None and name not in _CASTS:
        raise BadInput(f"--column: holds {name}, which is no number; allowed: {', '.join((*_TYPES, *_CASTS))}, times")
    return _KEYS[wanted] if wanted is not None else str(held)


_KEYS = {"u32": "<u4", "u64": "<u8", "i32": "<i4", "i64": "<i8", "f32": "<f4", "f64": "<f8"}
_NAMES = {type_: key for key, type_ in _KEYS.items()}


def _batches(path: Path, form: str, column: Optional[str], wanted: Optional[str]) -> Iterator[Any]:
    """The column's arrays, one after the other."""
    if form == "parquet":
        import pyarrow.parquet as parquet

        with parquet.ParquetFile(path) as file:
            name = _chosen(column, file.schema_arrow.names)
            for batch in file.iter_batches(columns=[name]):
                yield batch.column(0)
    elif form == "arrow":
        import pyarrow as arrow

        with arrow.memory_map(str(path)) as source:
            for batch in _arrow_batches(source):
                yield batch.column(batch.schema.names.index(_chosen(column, batch.schema.names)))
    else:
        with _opened_csv(path) as reader:
            name = _chosen(column, reader.schema.names)
            inferred = reader.schema.field(name).type
        yield from _csv_arrays(path, name, _csv_type(path, name, inferred, wanted))


def _opened_csv(path: Path, types: Optional[dict[str, Any]] = None) -> Any:
    import pyarrow.csv as csv

    return csv.open_csv(
        path,
        parse_options=csv.ParseOptions(delimiter="\t" if path.suffix == ".tsv" else ","),
        convert_options=csv.ConvertOptions(column_types=types or {}),
    )


def _csv_arrays(path: Path, name: str, type_: Any) -> Iterator[Any]:
    with _opened_csv(path, {name: type_}) as reader:
        for batch in reader:
            yield batch.column(batch.schema.names.index(name))


def _csv_type(path: Path, name: str, inferred: Any, wanted: Optional[str]) -> Any:
    """The type of a column. PyArrow takes integers that 64 bits with a sign do not hold for doubles, which would make
    neighbours equal, and looks at the first block alone."""
    import pyarrow as arrow

    if inferred not in (arrow.int64(), arrow.float64()):
        return inferred
    for type_ in (arrow.int64(), arrow.uint64()):
        try:
            for _ in _csv_arrays(path, name, type_):
                pass
            return type_
        except arrow.ArrowInvalid:
            continue
    _check_integers(_csv_arrays(path, name, arrow.string()), wanted)
    return arrow.float64()


def _check_integers(arrays: Iterator[Any], wanted: Optional[str]) -> None:
    """Raises BadInput for a column of integers that no type holds, and for an integer among fractions that no double
    is equal to."""
    import pyarrow.compute as compute

    too_wide, has_others = "", False
    for array in arrays:
        is_integer = compute.match_substring_regex(array, pattern=r"^\s*[+-]?[0-9]+\s*$")
        has_others = has_others or compute.any(compute.invert(is_integer)).as_py() is True
        for text in array.filter(compute.and_(is_integer, compute.greater(compute.utf8_length(array), 15))).to_pylist():
            if len(text) > 300 or int(float(text)) != int(text):
                raise BadInput(f"--column: holds the integer {clean(text.strip())[:40]}, which {_NO_TYPE}")
            too_wide = too_wide or (text.strip() if abs(int(text)) >= 1 << 63 else "")
    if not has_others and too_wide and wanted not in ("f32", "f64"):
        raise BadInput(f"--column: holds the integer {clean(too_wide)}, beside which {_NO_TYPE}")


_NO_TYPE = "no type holds all keys; allowed: integers of i64 or of u64, or numbers that are doubles"


def _arrow_batches(source: Any) -> Iterator[Any]:
    import pyarrow as arrow

    try:
        file = arrow.ipc.open_file(source)
    except arrow.ArrowInvalid:  # the other of Arrow's two formats
        source.seek(0)
        yield from arrow.ipc.open_stream(source)
        return
    for index in range(file.num_record_batches):
        yield file.get_batch(index)


def _chosen(column: Optional[str], names: Sequence[str]) -> str:
    shown = ", ".join(clean(name) for name in names[:20])
    if column is None and len(names) == 1:
        return names[0]
    if column is None:
        raise BadInput(f"--column: name one of: {shown}")
    if names.count(column) != 1:
        raise BadInput(
            f"--column: {'two are' if column in names else 'none is'} named {clean(column)}; allowed: {shown}"
        )
    return column


def _checked(arrays: Iterator[Any], skip_nulls: bool) -> Iterator[Any]:
    """The arrays without nulls; all have the first one's type."""
    first, row = None, 0
    for array in arrays:
        array.validate(full=True)  # a damaged Arrow file names places outside itself
        first = first or array.type
        if array.type != first:
            raise BadInput(f"--column: holds {array.type} after {first}")
        if array.null_count and not skip_nulls:
            empty = row + array.is_null().index(True).as_py()
            raise BadInput(f"--column: row {empty} is empty; --skip-nulls leaves such out")
        row += len(array)
        yield array.drop_null()
    if first is None:
        raise BadInput("the file holds no rows")


def _write_lines(arrays: Iterator[Any], out: IO[bytes]) -> int:
    n = 0
    for array in arrays:
        texts = array.to_pylist()
        for row, text in enumerate(texts):
            if "\n" in text or text.endswith("\r"):
                raise BadInput(f"--column: string {n + row} holds the end of a line, which a text file cannot keep")
        out.write("".join(f"{text}\n" for text in texts).encode())
        n += len(texts)
    return n


def _is_held(keys: Any, cast: Any) -> Any:
    """True for each key that equals what it was cast to. NumPy would compare integers of 64 bits as doubles."""
    import numpy

    back = cast.astype(keys.dtype)
    if keys.dtype.kind == "f" and cast.dtype.kind == "f":
        return (back == keys) | (numpy.isnan(back) & numpy.isnan(keys))
    if keys.dtype.kind != "f" and cast.dtype.kind != "f":
        return (back == keys) & ((cast < 0) == (keys < 0))
    # A number beyond the integers becomes any of them.
    floats, integers = (keys, cast) if keys.dtype.kind == "f" else (cast, keys)
    limits = numpy.iinfo(integers.dtype)
    return (back == keys) & (floats >= float(limits.min)) & (floats < float(limits.max + 1))


def _write_numbers(arrays: Iterator[Any], wanted: Optional[str], out: IO[bytes]) -> int:
    """Writes the header, then the keys; the header again once their number is known."""
    import numpy
    import pyarrow as arrow

    out.write(bytes(_HEADER_BYTES))
    type_, n, first = None, 0, None
    for array in arrays:
        if type_ is None:
            first, type_ = array.type, _numpy_type(array.type, wanted)
        if str(array.type).startswith(("timestamp[", "duration[", "time64[", "date64[")):
            array = array.cast(arrow.int64())
        elif str(array.type).startswith(("time32[", "date32[")):
            array = array.cast(arrow.int32())
        keys = array.to_numpy(zero_copy_only=False)
        with numpy.errstate(invalid="ignore", over="ignore"):  # compared below
            cast = keys.astype(type_)
            held = wanted is None or bool(numpy.all(_is_held(keys, cast)))
        if not held:
            raise BadInput(f"--type {wanted}: cannot hold every key of type {first}")
        out.write(cast.tobytes())
        n += len(cast)
    text = f"{{'descr': '{type_}', 'fortran_order': False, 'shape': ({n},), }}"
    header = (
        b"\x93NUMPY\x01\x00" + struct.pack("<H", _HEADER_BYTES - 10) + text.ljust(_HEADER_BYTES - 11).encode() + b"\n"
    )
    out.seek(0)
    out.write(header)
    return n


def _write(arrays: Iterator[Any], wanted: Optional[str], out: IO[bytes], suffix: str) -> int:
    first = next(arrays)
    is_text = str(first.type) in _TEXTS
    if is_text and wanted is not None:
        raise BadInput(f"--type {wanted}: the column holds {first.type}; leave --type out")
    if (suffix == ".txt") != is_text:
        raise BadInput(f"--out: {first.type} is written to a file whose name ends in {'.txt' if is_text else '.npy'}")
    arrays = itertools.chain([first], arrays)
    return _write_lines(arrays, out) if is_text else _write_numbers(arrays, wanted, out)


def _run(arguments: Optional[Sequence[str]]) -> int:
    parser = Parser(
        prog=_PROG,
        description="Writes a column of a Parquet, Arrow or CSV file: numbers, dates and times as a .npy file, "
        "strings as the lines of a .txt file.",
        epilog="Example: sortlab keys convert flights.parquet --column dep_delay --out delay.npy",
    )
    parser.add_argument("file", type=Path, metavar="FILE", help=f"its name ends in one of: {', '.join(_SUFFIXES)}")
    parser.add_argument("--column", metavar="NAME", help="the column; may be left out if there is only one")
    parser.add_argument("--type", choices=_KEYS, help="cast to this key type; refused if it cannot hold every key")
    parser.add_argument("--skip-nulls", action="store_true", help="leave out rows without a value")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE.npy", help="a new file; FILE.txt for strings")
    options = parser.parse_args(arguments)
    form = _SUFFIXES.get(options.file.suffix)
    if form is None:
        raise BadInput(f"{clean(str(options.file))}: its name must end in one of: {', '.join(_SUFFIXES)}")
    if not options.file.is_file():
        raise BadInput(f"{clean(str(options.file))}: is no file")
    try:
        import pyarrow as arrow
    except ImportError:
        raise BadInput("PyArrow reads these files, and is not installed here (pip install pyarrow)") from None
    if options.out.exists():
        raise BadInput(f"--out {clean(str(options.out))}: is there already; nothing is overwritten")
    try:
        with tempfile.NamedTemporaryFile(dir=options.out.parent, delete=False) as made:
            try:
                arrays = _checked(_batches(options.file, form, options.column, options.type), options.skip_nulls)
                n = _write(arrays, options.type, made, options.out.suffix)
                os.link(made.name, options.out)
            finally:
                os.unlink(made.name)
    except (arrow.ArrowException, UnicodeDecodeError) as error:
        reason = " ".join(str(error).split())[:200]
        raise BadInput(f"{clean(str(options.file))}: cannot be read: {reason}") from None
    except OSError as error:
        raise BadInput(f"{clean(str(options.file))}: {clean(str(error))[:200]}") from None
    print(f"{clean(str(options.out))}: {n} keys")
    return 0


def main(arguments: Optional[Sequence[str]] = None) -> int:
    return answered(_PROG, lambda: _run(arguments))
