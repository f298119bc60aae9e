// SPDX-License-Identifier: Apache-2.0
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type JsonValue, parseJson, stringifyJson } from '@sextant/foundation-std';
import { roundsOf, temporaryDirectory } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeParquet } from '../exporting/parquet-points.ts';
import { type ColumnMapping, pointOfRow } from '../points/column-mapping.ts';
import type { VectorSpace } from '../points/vector-spaces.ts';
import { npyFile } from '../testing/binary-files.ts';
import { rowsOf } from '../testing/rows-of.ts';
import { openRows } from './open-rows.ts';

const AS_EXPORTED: ColumnMapping = { vectors: [], text: [], cellsAreText: false, firstId: 0 };

const component = fc.float({ noNaN: true, noDefaultInfinity: true }).map((value) => Math.fround(value));
const pointId = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((id) => (id <= Number.MAX_SAFE_INTEGER ? Number(id) : id)),
  fc.uuid(),
);
const payload = fc.dictionary(
  fc.string({ minLength: 1 }),
  fc.json({ maxDepth: 2 }).map((text) => parseJson(text) as JsonValue),
  { maxKeys: 4 },
);
const points = fc.array(fc.record({ id: pointId, vector: fc.array(component, { minLength: 3, maxLength: 3 }), payload }), {
  maxLength: 20,
});

test('points that were exported are imported as they were, from NDJSON and from Parquet', async () => {
  await using directory = await temporaryDirectory();
  const spaces: readonly VectorSpace[] = [{ name: undefined, kind: 'dense', size: 3, distance: 'Euclid' }];
  await fc.assert(
    fc.asyncProperty(points, async (exported) => {
      const lines = join(directory.path, 'points.ndjson');
      await writeFile(lines, exported.map((point) => `${stringifyJson(point)}\n`).join(''));
      expect(await imported(lines)).toEqual(exported.map(withPositiveZeros));
      const table = join(directory.path, 'points.parquet');
      await writeParquet(table, asyncOf(exported), { spaces, withPayload: true, withVector: true });
      expect(await imported(table)).toEqual(exported.map(withPositiveZeros));
    }),
    { numRuns: roundsOf({ quick: 40 }) },
  );
});

/** JSON has one zero. */
function withPositiveZeros<Point extends { readonly vector: readonly number[] }>(point: Point): Point {
  return { ...point, vector: point.vector.map((value) => value + 0) };
}

async function imported(path: string) {
  await using source = await openRows(path, { header: true });
  const rows = await rowsOf(source);
  return rows.map((row, index) => {
    const point = pointOfRow(typeof row === 'string' ? {} : row, index, AS_EXPORTED);
    return { ...point, vector: Array.isArray(point.vector) ? point.vector.map((value) => Math.fround(Number(value)) + 0) : point.vector };
  });
}

async function* asyncOf<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

test('any part of a .npy file is the same part of the array', async () => {
  await using directory = await temporaryDirectory();
  const path = join(directory.path, 'a.npy');
  await fc.assert(
    fc.asyncProperty(
      fc.array(component, { maxLength: 60 }),
      fc.integer({ min: 1, max: 5 }),
      fc.nat(20),
      async (values, dimension, from) => {
        const rows = Math.floor(values.length / dimension);
        const kept = Float32Array.from(values.slice(0, rows * dimension));
        await writeFile(path, npyFile({ descr: '<f4', shape: [rows, dimension], data: new Uint8Array(kept.buffer) }));
        await using source = await openRows(path, { header: true });
        const expected = Array.from({ length: rows }, (_, row) => ({ vector: [...kept.subarray(row * dimension, (row + 1) * dimension)] }));
        expect(await rowsOf(source, from)).toEqual(expected.slice(from));
      },
    ),
    { numRuns: roundsOf({ quick: 20, long: 600 }) },
  );
});

test('delimited text has the cells that were written', async () => {
  await using directory = await temporaryDirectory();
  const path = join(directory.path, 'a.csv');
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', ';', ' ', 'é', '1') }).filter((text) => text !== '');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(cell, cell), { maxLength: 12 }), async (cells) => {
      const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
      await writeFile(path, ['x,y', ...cells.map((row) => row.map(quoted).join(','))].join('\r\n'));
      await using source = await openRows(path, { header: true });
      expect(await rowsOf(source)).toEqual(cells.map(([x, y]) => ({ x, y })));
    }),
    { numRuns: roundsOf({ quick: 20, long: 600 }) },
  );
});
