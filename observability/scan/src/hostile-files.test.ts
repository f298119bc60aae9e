// SPDX-License-Identifier: Apache-2.0
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isLongRun, type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import type { OpenedSource } from '@sextant/observability-connectors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engineOnThread } from './testing/engine-on-thread.ts';
import type { HostileFile, Right } from './testing/hostile-file.ts';
import { HOSTILE_FILES, POLLUTED_TEXTS } from './testing/hostile-files.ts';
import { ORC_BOMBS } from './testing/hostile-orc.ts';
import { fileSource } from './testing/table-files.ts';

/** Kinds that differ from one that the quick run reads by a sign, a language, a packing or the name of the file alone. */
const VARIANTS = [
  /^separator "[|^~]"|^separator space/,
  /^(?:Portuguese|Spanish|French|Estonian|Italian|Catalan|Danish|names of many countries).* in Windows-1252/,
  /^an? (?:workbook|Arrow file|Avro file|ORC file) of another name/,
  /^ORC columns of many types, (?:snappy|lz4|zstd|0\.11)/,
  /^ORC numbers in runs of all kinds, version 0\.11/,
  /^(?:CR|LF) only late, behind|^CR LF only late, packed/,
  /^Arrow that unpacks to gigabytes/,
  /^words that only programs read as times/,
  /^(?:days before months|months before days|a decimal comma) that (?:is|are) said/,
];
const FILES = HOSTILE_FILES.filter(({ kind }) => isLongRun() || !VARIANTS.some((variant) => variant.test(kind)));

let directory: TemporaryDirectory;

beforeAll(async () => {
  directory = await temporaryDirectory();
});
afterAll(() => directory[Symbol.asyncDispose]());

/** How the engine reads a file. */
function layout({ data, description }: OpenedSource) {
  return {
    description,
    files: data.kind === 'files' ? data.files.map(({ columns }) => columns) : [],
    format: data.kind === 'files' ? data.format : undefined,
  };
}

async function pathOf({ name = 'a.csv', content }: HostileFile, index: number): Promise<string> {
  const path = join(directory.path, `${index}-${name}`);
  await writeFile(path, content);
  return path;
}

/** What the engine makes of a file, all of it as text. */
async function readSource({ reading = {} }: HostileFile, source: OpenedSource): Promise<Right> {
  if (source.data.kind !== 'files') throw new Error('expected files');
  const types = Object.entries(reading.types ?? {}).map(
    ([column, type]) => [column, { name: column, source_type: '', data_type: type }] as const,
  );
  await using engine = await engineOnThread(source, directory.path, { declared: new Map(types) });
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
function sorted({ columns, rows, rejected = 0, mismatches = {} }: Right) {
  return { columns, rows: rows.map((row) => JSON.stringify(row)).sort(), rejected, mismatches };
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

  test.each(FILES.map((file, index) => [file.kind, file, index] as const))('%s', async (_kind, file, index) => {
    const { expected, reading = {} } = file;
    const path = await pathOf(file, index);
    const read = async () => {
      await using found = await fileSource(path, { reading });
      return { right: await readSource(file, found), layout: layout(found) };
    };
    if ('refused' in expected) {
      await expect(read()).rejects.toThrow(expected.refused);
      return;
    }
    const found = await read();
    expect(sorted(found.right)).toEqual(sorted(expected));
    // What was found of a text is stored; other formats say themselves how to read them.
    const stored = found.layout.description.reading;
    if (stored === undefined || isDeepStrictEqual(stored, reading)) return;
    await using opened = await fileSource(path, { reading: stored });
    expect(layout(opened)).toEqual(found.layout);
  });
});

test.each(ORC_BOMBS)('%s, which a few bytes say, end at the limit of the disk', async (kind, content) => {
  const path = join(directory.path, `${kind}.orc`);
  await writeFile(path, content);
  await expect(fileSource(path, { bytesMax: 2 ** 17 })).rejects.toThrow('holds more than the limit of 131072 bytes');
});
