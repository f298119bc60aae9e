# SPDX-License-Identifier: Apache-2.0
"""Writes the ORC files of the tests, and beside them the rows that they hold, as the scan engine writes values as text.

    pip install pyarrow && python make_orc_files.py && npm run format
"""

import base64
import json
import random
from datetime import date, datetime, timezone
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
from pyarrow import orc

FOLDER = Path(__file__).parent
UTC = timezone.utc

# Column types as the service names them.
DATA_TYPES = [
    (pa.types.is_boolean, "BOOLEAN"),
    (pa.types.is_integer, "INTEGER"),
    (pa.types.is_floating, "DECIMAL"),
    (pa.types.is_decimal, "DECIMAL"),
    (pa.types.is_date, "DATE"),
    (pa.types.is_timestamp, "TIMESTAMP"),
    (pa.types.is_string, "STRING"),
]


def data_type(kind):
    return next((name for fits, name in DATA_TYPES if fits(kind)), "OTHER")


def time_text(value):
    text = f"{value.year:04d}-{value.month:02d}-{value.day:02d} {value:%H:%M:%S}"
    fraction = f"{value.microsecond:06d}".rstrip("0")
    return text + (f".{fraction}" if fraction else "") + ("+00" if value.tzinfo else "")


def cell(value):
    """A value of a column, as text."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, bytes):
        return "".join(chr(byte) if 32 <= byte < 127 and byte not in b"\"'\\" else f"\\x{byte:02X}" for byte in value)
    if isinstance(value, datetime):
        return time_text(value)
    if isinstance(value, date):
        return f"{value.year:04d}-{value.month:02d}-{value.day:02d}"
    if isinstance(value, (list, dict)):
        return json.dumps(nested(value), separators=(",", ":"), ensure_ascii=False)
    if isinstance(value, Decimal):
        return f"{value:f}"
    return str(value)


def nested(value):
    """A value inside others, which are JSON as a whole."""
    if isinstance(value, Pairs):
        return [{"key": nested(key), "value": nested(each)} for key, each in value]
    if isinstance(value, list):
        return [nested(each) for each in value]
    if isinstance(value, dict):
        return {key: nested(each) for key, each in value.items()}
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, datetime):
        return f"{value.year:04d}-{value.month:02d}-{value.day:02d} {value:%H:%M:%S}.{value.microsecond:06d}"
    if isinstance(value, (Decimal, date)):
        return cell(value)
    return value


class Pairs(list):
    """A map whose keys are no texts."""


def write_rows(name, fields, rows):
    shown = {
        "columns": [f"{field.name} {data_type(field.type)}" for field in fields],
        "rows": [[cell(value) for value in row] for row in rows],
    }
    with open(FOLDER / f"{name}.json", "w", encoding="utf-8") as file:
        file.write("{\n")
        file.write(f'"columns": {json.dumps(shown["columns"])},\n"rows": [\n')
        file.write(",\n".join(json.dumps(row, ensure_ascii=False) for row in shown["rows"]))
        file.write("\n]\n}\n")


def write_orc(name, fields, rows, **options):
    columns = list(zip(*rows))
    arrays = [pa.array([stored(value, field.type) for value in column], field.type) for column, field in zip(columns, fields)]
    table = pa.Table.from_arrays(arrays, schema=pa.schema(fields))
    orc.write_table(table, FOLDER / f"{name}.orc", **options)


def stored(value, kind):
    if value is not None and pa.types.is_map(kind):
        return list(value) if isinstance(value, Pairs) else list(value.items())
    return value


def many_types():
    """A row in seven lacks the value, in each column another one."""
    fields = [
        pa.field("flag", pa.bool_()),
        pa.field("tiny", pa.int8()),
        pa.field("small", pa.int16()),
        pa.field("whole", pa.int32()),
        pa.field("big", pa.int64()),
        pa.field("share", pa.float32()),
        pa.field("ratio", pa.float64()),
        pa.field("name", pa.string()),
        pa.field("payload", pa.binary()),
        pa.field("price", pa.decimal128(10, 2)),
        pa.field("wide", pa.decimal128(38, 10)),
        pa.field("day", pa.date32()),
        pa.field("at", pa.timestamp("us")),
        pa.field("moment", pa.timestamp("us", tz="UTC")),
        pa.field("tags", pa.list_(pa.string())),
        pa.field("place", pa.struct([("city", pa.string()), ("zip", pa.int32()), ("since", pa.date32())])),
        pa.field("scores", pa.map_(pa.string(), pa.int64())),
        pa.field("codes", pa.map_(pa.int32(), pa.list_(pa.decimal128(5, 1)))),
        pa.field("visits", pa.list_(pa.struct([("at", pa.timestamp("us")), ("raw", pa.binary())]))),
        pa.field("nothing", pa.string()),
    ]
    days = [date(1, 1, 1), date(1582, 10, 4), date(1899, 12, 31), date(1969, 12, 31), date(1970, 1, 1), date(2026, 1, 31), date(9999, 12, 31)]
    times = [
        datetime(1, 1, 1),
        datetime(1883, 11, 18, 12, 3, 58),
        datetime(1969, 7, 20, 20, 17, 40, 500_000),
        datetime(1969, 7, 20, 20, 17, 40, 999),
        datetime(2014, 12, 31, 23, 59, 59, 999_999),
        datetime(2026, 1, 31, 10, 15, 0, 123_456),
        datetime(9999, 12, 31, 23, 59, 59, 999_999),
    ]
    prices = [Decimal("0.00"), Decimal("-0.01"), Decimal("123.45"), Decimal("-99999999.99"), Decimal("1.50")]
    wides = [Decimal("-12345678901234567890.0123456789"), Decimal("9999999999999999999999999999.9999999999"), Decimal("0.0000000001")]
    rows = []
    for index in range(40):
        row = [
            index % 3 == 0,
            index * 13 % 256 - 128,
            index * 3301 % 65_536 - 32_768,
            (-1) ** index * index * 53_687_091,
            [2**63 - 1, -(2**63), 0, -1, 2**53 + 1][index % 5],
            [0.5, -2.25, float("inf"), 0.0][index % 4],
            [0.1, float("nan"), -1e300, 2.0][index % 4],
            f"Żółw {index % 4} " + "długi tekst " * (index % 3),
            bytes([index, 0, 255]) + b"a1" * (index % 2),
            prices[index % 5],
            wides[index % 3],
            days[index % 7],
            times[index % 7],
            times[(index + 3) % 7].replace(tzinfo=UTC),
            [["a", None, "ć"], [], ["x" * 20]][index % 3],
            {"city": None if index % 5 == 0 else "Köln", "zip": index, "since": days[index % 7]},
            [{"a": index, "b": -index}, {}][index % 2],
            Pairs([(index, [Decimal("1.5"), None, Decimal("-0.1")]), (-1, [])]) if index % 2 == 0 else Pairs(),
            [{"at": times[index % 7], "raw": bytes([index])}, None] if index % 3 == 0 else [],
            None,
        ]
        rows.append([None if (index + column) % 7 == 0 else value for column, value in enumerate(row)])
    return fields, rows


def numbers():
    """Every way to write runs of integers: repeated, steady, wild, and narrow with a few wide ones, which are patched."""
    fields = [pa.field(name, pa.int64()) for name in ("same", "steady", "growing", "wild", "patched", "rare", "word")]
    fields[-1] = pa.field("word", pa.string())
    chance = random.Random(7)
    rows = []
    growing = -5000
    for index in range(600):
        growing += chance.randrange(40)
        rows.append([
            7,
            10_000 - 3 * index,
            growing,
            chance.randrange(-(2**63), 2**63),
            chance.randrange(-100, 100) + (chance.randrange(2**40, 2**41) if chance.randrange(30) == 0 else 0),
            None if index % 200 else index,
            None if chance.randrange(5) == 0 else f"word {chance.randrange(12)}",
        ])
    return fields, rows


def main():
    fields, rows = many_types()
    write_rows("types", fields, rows)
    # Each batch of rows is more than such a stripe holds.
    several = {"stripe_size": 1024, "batch_size": 10}
    for codec in ("uncompressed", "zlib", "snappy", "lz4", "zstd"):
        write_orc(f"types-{codec}", fields, rows, compression=codec, **several)
    write_orc("types-0.11", fields, rows, compression="zlib", file_version="0.11", **several)
    fields, rows = numbers()
    write_rows("numbers", fields, rows)
    for version in ("0.11", "0.12"):
        write_orc(
            f"numbers-{version}",
            fields,
            rows,
            compression="zstd",
            file_version=version,
            dictionary_key_size_threshold=1.0,
            stripe_size=1024,
            batch_size=256,
        )


main()
