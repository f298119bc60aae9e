// SPDX-License-Identifier: Apache-2.0
/**
 * Our detection of delimited text beside DuckDB's own. On ordinary files both find the same table. On hostile ones the sniffer reads some otherwise, or not
 * at all: these are listed, since they are why a reading is found by us. That ours is right there, `hostile-files.test.ts` shows.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dataTypeOfDuckdb, duckdbDialect } from './dialect/duckdb.ts';
import type { Right } from './testing/hostile-file.ts';
import { HOSTILE_FILES } from './testing/hostile-files.ts';
import { fileSource } from './testing/table-files.ts';

const { literal } = duckdbDialect;
let directory: TemporaryDirectory;
/** One for all statements: a start takes longer than most of them. */
let instance: DuckDBInstance;
let connection: DuckDBConnection;
let files = 0;

beforeAll(async () => {
  directory = await temporaryDirectory();
  instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  connection = await instance.connect();
});
afterAll(async () => {
  connection.closeSync();
  instance.closeSync();
  await directory[Symbol.asyncDispose]();
});

async function stored(content: string | Uint8Array): Promise<string> {
  const path = join(directory.path, `${files++}.csv`);
  await writeFile(path, content);
  return path;
}

/** Answers of DuckDB to statements of a test, each cell as text. */
async function duckdb(sql: string): Promise<readonly (readonly (string | null)[])[]> {
  const reader = await connection.runAndReadAll(sql);
  return reader.getRows().map((row) => row.map((cell) => (cell === null ? null : String(cell))));
}

type Layout = { readonly separator: string; readonly skip: number; readonly header: boolean; readonly names: readonly string[] };

async function ours(path: string): Promise<Layout> {
  await using source = await fileSource(path);
  if (source.data.kind !== 'files' || source.data.format.kind !== 'delimited') throw new Error('expected delimited text');
  const { separator, skip, header } = source.data.format.reading;
  return { separator, skip, header, names: source.description.columns.map(({ name }) => name) };
}

async function sniffed(path: string): Promise<Layout> {
  const [[separator, skip, header, names] = []] = await duckdb(
    `SELECT Delimiter, SkipRows, HasHeader, to_json(list_transform(Columns, lambda c: c.name)) FROM sniff_csv(${literal(path)}, sample_size = -1)`,
  );
  return { separator: separator ?? '', skip: Number(skip), header: header === 'true', names: JSON.parse(names ?? '[]') as string[] };
}

describe('on ordinary files, ours and the sniffer of DuckDB find the same', () => {
  test.each([
    ['an export of a program', 'id,name,price\n1,Ann,1.5\n2,Bo,2.25\n3,Cem,3\n'],
    ['an export of a spreadsheet in Europe', 'Nr;Name;Preis\r\n1;Ann;1,5\r\n2;Bo;2,25\r\n3;Cem;3,0\r\n'],
    ['an export of a spreadsheet with its mark', '\ufeffid,name,sold\r\n1,Ann,2025-01-31\r\n2,Bo,2025-02-01\r\n'],
    ['tab-separated text of a database', 'id\tname\tat\n1\tAnn\t2025-01-31 10:00:00\n2\tBo\t2025-02-01 11:30:00\n'],
    ['a file with bars', 'id|name|ok\n1|Ann|true\n2|Bo|false\n'],
    ['a file in which all is quoted', '"id","name"\n"1","Ann, A."\n"2","Bo ""B"" B."\n'],
    ['a file without a header', '1,Ann,2025-01-31\n2,Bo,2025-02-01\n3,Cem,2025-03-01\n'],
    ['values that are missing', 'id,name,price\n1,,1.5\n2,Bo,\n,Cem,3\n4,Dee,4\n'],
    ['one column', 'name\nAnn\nBo\nCem\n'],
    ['wide numbers', 'n,x\n9007199254740993,1e300\n-9007199254740993,-1e-300\n'],
  ])('%s', async (_, content) => {
    const path = await stored(content);
    expect(await ours(path)).toEqual(await sniffed(path));
  });

  test('tables of numbers, days and words, however they are written', async () => {
    const word = fc.stringMatching(/^[A-Z][a-z]{1,6}( [A-Z][a-z]{1,6})?$/);
    const cells: readonly fc.Arbitrary<string>[] = [
      fc.integer().map(String),
      fc.integer({ min: -1e6, max: 1e6 }).map((n) => String(n / 4)),
      fc
        .date({ min: new Date('1990-01-01'), max: new Date('2040-12-31'), noInvalidDate: true })
        .map((day) => day.toISOString().slice(0, 10)),
      word,
    ];
    const columns = fc.shuffledSubarray([0, 1, 2, 3], { minLength: 2 });
    const table = columns.chain((kinds) =>
      fc.record({
        rows: fc.array(fc.tuple(...kinds.map((kind) => cells[kind] ?? word)), { minLength: 5, maxLength: 30 }),
        separator: fc.constantFrom(',', ';', '\t', '|'),
        end: fc.constantFrom('\n', '\r\n'),
        isQuoted: fc.boolean(),
      }),
    );
    await fc.assert(
      fc.asyncProperty(table, async ({ rows, separator, end, isQuoted }) => {
        const names = (rows[0] ?? []).map((_, index) => `name_${'abcd'[index]}`);
        const shown = (cell: string) => (isQuoted ? `"${cell}"` : cell);
        const path = await stored([names, ...rows].map((row) => row.map(shown).join(separator) + end).join(''));
        const found = await ours(path);
        expect(found).toEqual({ separator, skip: 0, header: true, names });
        expect(await sniffed(path)).toEqual(found);
      }),
      { numRuns: 400 },
    );
  });
});

/** Texts of which nothing is said, and which are read whole. */
const PLAIN = HOSTILE_FILES.flatMap(({ kind, name, content, reading, expected }) => {
  if (name !== undefined || reading !== undefined || 'refused' in expected) return [];
  return (expected.rejected ?? 0) === 0 && expected.mismatches === undefined ? [{ kind, content, expected }] : [];
});

/** Where the sniffer finds other columns, types, names or values, without a word. */
const OTHERWISE: readonly string[] = [
  'separator "^"',
  'separator "~"',
  'separator "\\u0001"',
  'separator space',
  'decimal commas',
  'quoted and unquoted nothing',
  'pandas to_csv of text',
  'R write.table',
  'a separator at the end of each row, and none in the header',
  'no bytes',
  'a line with # that has commas',
  'UTF-16 without',
  'yes and no',
  'wide integers',
  'null words among numbers',
  'days that could be either',
];
/** Where it finds no table, or fails in the middle of it. */
const FAILED: readonly string[] = [
  'CR LF and LF',
  'CR LF and LF, with line ends in quotes',
  'UTF-16 with its mark',
  'big-endian UTF-16',
  'Windows-1252',
  'Shift-JIS',
  'GBK',
  'Icelandic in Windows-1252',
  'Danish beside French in Windows-1252',
  'Portuguese in Windows-1252',
  'Spanish beside German in Windows-1252',
  'French in Windows-1252',
  'Estonian in Windows-1252',
  'Italian in Windows-1252',
  'Catalan in Windows-1252',
  'units and prices in Windows-1252',
  'Spanish questions and ordinals in Windows-1252',
  'names of many countries in Windows-1252',
];

test('of the hostile files that we read right, the sniffer reads these otherwise, and these not at all', async () => {
  const outcomes = new Map<string, string>();
  for (const file of PLAIN) outcomes.set(file.kind, await outcomeOf(file));
  const kindsOf = (wanted: string) => [...outcomes].flatMap(([kind, outcome]) => (outcome === wanted ? [kind] : []));
  expect({ otherwise: kindsOf('otherwise'), failed: kindsOf('failed') }).toEqual({ otherwise: OTHERWISE, failed: FAILED });
});

/** What DuckDB, left to itself, makes of a file. */
async function outcomeOf({ content, expected }: { readonly content: string | Uint8Array; readonly expected: Right }): Promise<string> {
  const read = `read_csv(${literal(await stored(content))}, sample_size = -1)`;
  try {
    const types = await duckdb(`SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM ${read})`);
    const rows = await duckdb(`SELECT CAST(COLUMNS(*) AS VARCHAR) FROM ${read}`);
    const columns = types.map(([name, type]) => `${name} ${dataTypeOfDuckdb(String(type))}`);
    return isDeepStrictEqual([columns, sorted(rows)], [expected.columns, sorted(expected.rows)]) ? 'right' : 'otherwise';
  } catch {
    return 'failed';
  }
}

function sorted(rows: readonly (readonly (string | null)[])[]): readonly string[] {
  return rows.map((row) => JSON.stringify(row)).sort();
}
