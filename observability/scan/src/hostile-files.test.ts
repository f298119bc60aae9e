// SPDX-License-Identifier: Apache-2.0
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDuckdbEngine } from './engine/duckdb/duckdb-engine.ts';
import { testLimits } from './scan.conformance.ts';
import type { HostileFile, Right } from './testing/hostile-file.ts';
import { HOSTILE_FILES, POLLUTED_TEXTS } from './testing/hostile-files.ts';
import { ORC_BOMBS } from './testing/hostile-orc.ts';
import { fileSource } from './testing/table-files.ts';

let directory: TemporaryDirectory;

beforeAll(async () => {
  directory = await temporaryDirectory();
});
afterAll(() => directory[Symbol.asyncDispose]());

/** How the engine is told to read a file: as it is found, and with what was found and stored. */
async function layouts({ reading = {} }: HostileFile, path: string) {
  await using found = await fileSource(path, { reading });
  await using stored = await fileSource(path, { reading: found.description.reading ?? reading });
  return [found, stored].map(({ data, description }) => ({
    description,
    files: data.kind === 'files' ? data.files.map(({ columns }) => columns) : [],
    format: data.kind === 'files' ? data.format : undefined,
  }));
}

async function pathOf({ name = 'a.csv', content }: HostileFile, index: number): Promise<string> {
  const path = join(directory.path, `${index}-${name}`);
  await writeFile(path, content);
  return path;
}

/** What the engine makes of a file, all of it as text. */
async function readFile({ reading = {} }: HostileFile, path: string): Promise<Right> {
  await using source = await fileSource(path, { reading });
  if (source.data.kind !== 'files') throw new Error('expected files');
  const types = Object.entries(reading.types ?? {}).map(
    ([column, type]) => [column, { name: column, source_type: '', data_type: type }] as const,
  );
  await using engine = await openDuckdbEngine(
    { data: source.data, declared: new Map(types), isNumbered: false },
    { limits: testLimits(join(directory.path, 'scans')), signal: new AbortController().signal, onProgress: () => undefined },
  );
  const { rejected, mismatches } = engine.loaded;
  const isEmpty = source.data.files.every(({ columns }) => columns.length === 0);
  const rows = await engine.query(`SELECT CAST(COLUMNS(*) AS VARCHAR) FROM ${engine.relation}`);
  return {
    columns: isEmpty ? [] : engine.columns.map(({ name: column, data_type: type }) => `${column} ${type}`),
    rows: rows.map((row) => row.map((cell) => (cell === null ? null : String(cell)))),
    rejected: rejected.count,
    mismatches: Object.fromEntries(mismatches.flatMap(({ column, count }) => (count === 0 ? [] : [[column, count]]))),
  };
}

/** Rows come back in any order. */
function sorted({ columns, rows, rejected = 0, mismatches = {} }: Right): Right {
  return { columns, rows: rows.toSorted((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other))), rejected, mismatches };
}

describe('a hostile file is read right or refused with a sentence, and nothing it loses goes uncounted', () => {
  test('there are enough of them, and each is of its own kind', () => {
    expect(HOSTILE_FILES.length).toBeGreaterThanOrEqual(60);
    expect(new Set(HOSTILE_FILES.map(({ kind }) => kind)).size).toBe(HOSTILE_FILES.length);
  });

  test.each(['delimiter', 'quote', 'escape', 'record end', 'header', 'encoding', 'ragged rows', 'preamble'])(
    'the pollution of the Pollock benchmark in %s is among them',
    (kind) => expect(POLLUTED_TEXTS[kind]?.length).toBeGreaterThanOrEqual(4),
  );

  test.each(HOSTILE_FILES.map((file, index) => [file.kind, file, index] as const))('%s', async (_kind, file, index) => {
    const { expected } = file;
    const path = await pathOf(file, index);
    if ('refused' in expected) {
      await expect(readFile(file, path)).rejects.toThrow(expected.refused);
      return;
    }
    expect(sorted(await readFile(file, path))).toEqual(sorted(expected));
    const [found, stored] = await layouts(file, path);
    expect(stored).toEqual(found);
  });
});

test.each(ORC_BOMBS)('%s, which a few bytes say, end at the limit of the disk', async (kind, content) => {
  const path = join(directory.path, `${kind}.orc`);
  await writeFile(path, content);
  await expect(fileSource(path, { bytesMax: 2 ** 17 })).rejects.toThrow('holds more than the limit of 131072 bytes');
});
