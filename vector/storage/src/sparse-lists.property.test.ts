// SPDX-License-Identifier: Apache-2.0
import { roundsOf, temporaryDirectory } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCollectionStorage, openCollectionReader } from './collection-storage.ts';
import { RowSet } from './row-set.ts';
import type { StorageReader } from './storage.ts';

type Components = ReadonlyMap<number, number>;
type Change = { readonly space: number; readonly row: number; readonly vector: Components | undefined };

const ROWS = [0, 1, 4095, 4096, 70_000, 2 ** 32 - 1];
const INDICES = [0, 1, 300, 2 ** 31, 2 ** 32 - 1];
const SPACES = [0, 65_535];

const vector = fc
  .dictionary(fc.constantFrom(...INDICES.map(String)), fc.float({ noNaN: true }))
  .map((components) => new Map(Object.entries(components).map(([index, value]) => [Number(index), value])));
const change: fc.Arbitrary<Change> = fc.record({
  space: fc.constantFrom(...SPACES),
  row: fc.constantFrom(...ROWS),
  vector: fc.oneof({ weight: 3, arbitrary: vector }, fc.constant(undefined)),
});
const transactions = fc.array(fc.record({ changes: fc.array(change, { maxLength: 12 }), fails: fc.nat(4).map((die) => die === 0) }), {
  minLength: 1,
  maxLength: 8,
});

test('[S2] [S3] [S18] sparse vectors and their lists are those of a plain map, within a transaction and after it', async () => {
  await using scratch = await temporaryDirectory();
  let collections = 0;
  fc.assert(
    fc.property(transactions, (steps) => {
      const directory = `${scratch.path}/${collections++}`;
      const storage = createCollectionStorage({ directory });
      const reader = openCollectionReader({ directory });
      let model = new Map<string, Components>();
      for (const { changes, fails } of steps) {
        const next = new Map(model);
        const write = () =>
          storage.write((transaction) => {
            for (const { space, row, vector: put } of changes) {
              if (put === undefined) {
                next.delete(`${space}/${row}`);
                transaction.deleteSparseVector(space, row);
              } else {
                next.set(`${space}/${row}`, put);
                const indices = [...put.keys()].sort((a, b) => a - b);
                const values = indices.map((index) => put.get(index) ?? 0);
                transaction.putSparseVector(space, row, { indices: Uint32Array.from(indices), values: Float32Array.from(values) });
              }
            }
            expectSame(transaction, next);
            if (fails) throw new Error('as asked');
          });
        if (fails) expect(write).toThrow('as asked');
        else write();
        if (!fails) model = next;
        reader.refresh();
        expectSame(reader, model);
      }
      reader.close();
      storage.close();
    }),
    { numRuns: roundsOf({ quick: 40 }) },
  );
});

type Reads = Pick<StorageReader, 'sparseVector' | 'hasSparseVector' | 'countSparseVectors' | 'countSparse' | 'visitSparse'>;

function expectSame(reads: Reads, model: ReadonlyMap<string, Components>): void {
  for (const space of SPACES) {
    const vectors = new Map(ROWS.flatMap((row) => (model.has(`${space}/${row}`) ? [[row, model.get(`${space}/${row}`)]] : [])));
    for (const row of ROWS) {
      const stored = reads.sparseVector(space, row);
      expect(stored && new Map([...stored.indices].map((index, at) => [index, stored.values[at]]))).toEqual(vectors.get(row));
      expect(reads.hasSparseVector(space, row)).toBe(vectors.has(row));
    }
    const rows = [...vectors].filter(([, components]) => (components?.size ?? 0) > 0).map(([row]) => row);
    expect(reads.countSparseVectors(space)).toBe(rows.length);
    expect(reads.countSparseVectors(space, RowSet.of([0, 70_000]))).toBe(rows.filter((row) => row === 0 || row === 70_000).length);
    for (const index of INDICES) {
      const entries = [...vectors].flatMap(([row, components]) => {
        const value = components?.get(index);
        return value === undefined ? [] : [[row, value]];
      });
      expect(entriesOf(reads, space, index, 0, 2 ** 32)).toEqual(entries);
      expect(entriesOf(reads, space, index, 4096, 70_001)).toEqual(entries.filter(([row]) => row === 4096 || row === 70_000));
      expect(reads.countSparse(space, index)).toBe(entries.length);
    }
  }
}

function entriesOf(reads: Reads, space: number, index: number, fromRow: number, toRow: number): (readonly [number, number])[] {
  const found: (readonly [number, number])[] = [];
  reads.visitSparse(space, index, { fromRow, toRow }, ({ fromRow: base, rows, values }) => {
    for (const [at, row] of rows.entries()) found.push([base + row, values[at] ?? 0]);
  });
  return found;
}
