// SPDX-License-Identifier: Apache-2.0
/**
 * Speed of a collection's storage, beside plain LMDB doing the least that any layer must: run with `node storage.bench.ts [points]`.
 * Rows are of 128 dimensions, with a small payload and three posting lists each.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '@sextant/foundation-std';
import { open } from 'lmdb';
import { createCollectionStorage } from './collection-storage.ts';

const POINTS = Number(process.argv[2] ?? 200_000);
const BATCH = 1000;
const DIMENSION = 128;
const SINGLE_WRITES = 500;
const RANDOM_READS = 200_000;
const LISTS = [10, 100, 100_000];

const root = mkdtempSync(join(tmpdir(), 'sextant-bench-'));
const random = seededRandom(1);
const vector = Float32Array.from({ length: DIMENSION }, () => random.next());
const keyOf = (field: number, value: number) => Buffer.from([field, value >>> 16, value >>> 8, value]);
const payload = JSON.stringify({ colour: 'green', price: 12.5, tags: ['a', 'b'] });

function measure(name: string, count: number, action: () => void): number {
  const startMs = performance.now();
  action();
  const perSecond = count / ((performance.now() - startMs) / 1000);
  console.log(`${name.padEnd(58)} ${Math.round(perSecond).toLocaleString('en').padStart(12)} /s   ${(1e3 / perSecond).toFixed(4)} ms each`);
  return perSecond;
}

function ratio(name: string, ours: number, limit: number): void {
  console.log(`${`  ${name}`.padEnd(58)} ${(ours / limit).toFixed(2).padStart(12)} of plain LMDB`);
}

try {
  const storage = createCollectionStorage({ directory: join(root, 'ours') });
  mkdirSync(join(root, 'plain'));
  // An encoder that does nothing, so that values are lent and not copied, as ours are.
  const asIs = { encode: (bytes: Uint8Array) => bytes, decode: (bytes: Uint8Array) => bytes };
  const plain = open(join(root, 'plain', 'data.mdb'), { overlappingSync: false, encoder: asIs, keyEncoding: 'uint32' });
  const value = Buffer.from(vector.buffer);

  const plainRows = measure('plain LMDB: one 512-byte value, durable batches of 1000', POINTS, () => {
    for (let start = 0; start < POINTS; start += BATCH) {
      plain.transactionSync(() => {
        for (let row = start; row < start + BATCH; row++) plain.putSync(row, value);
      });
    }
  });
  const ourRows = measure('points with vector and 3 postings, durable batches of 1000', POINTS, () => {
    for (let start = 0; start < POINTS; start += BATCH) {
      storage.write((transaction) => {
        const version = transaction.nextSequence();
        for (let row = start; row < start + BATCH; row++) {
          transaction.putPoint(row, { id: row, version, vectorVersion: version, payload });
          transaction.putVector(0, row, version, vector);
          for (const [field, values] of LISTS.entries()) transaction.addPosting(keyOf(field, random.integer(values)), row);
        }
      });
    }
  });
  ratio('batches', ourRows, plainRows);

  const plainSingle = measure('plain LMDB: single durable puts', SINGLE_WRITES, () => {
    for (let index = 0; index < SINGLE_WRITES; index++) plain.transactionSync(() => plain.putSync(index, value));
  });
  const ourSingle = measure('single durable points', SINGLE_WRITES, () => {
    for (let index = 0; index < SINGLE_WRITES; index++) {
      storage.write((transaction) => {
        const version = transaction.nextSequence();
        const row = random.integer(POINTS);
        transaction.putPoint(row, { id: row, version, vectorVersion: version, payload });
        transaction.putVector(0, row, version, vector);
      });
    }
  });
  ratio('single writes', ourSingle, plainSingle);

  const plainReads = measure('plain LMDB: random reads of a 512-byte value', RANDOM_READS, () => {
    for (let index = 0; index < RANDOM_READS; index++) plain.getBinaryFast(random.integer(POINTS));
  });
  measure('random vector', RANDOM_READS, () => {
    for (let index = 0; index < RANDOM_READS; index++) storage.vector(0, random.integer(POINTS));
  });
  const ourReads = measure('random row of id', RANDOM_READS, () => {
    for (let index = 0; index < RANDOM_READS; index++) storage.rowOf(random.integer(POINTS));
  });
  measure('random point with its payload', RANDOM_READS, () => {
    for (let index = 0; index < RANDOM_READS; index++) storage.point(random.integer(POINTS));
  });
  measure('refresh, then one read', RANDOM_READS, () => {
    for (let index = 0; index < RANDOM_READS; index++) {
      storage.refresh();
      storage.rowOf(random.integer(POINTS));
    }
  });
  ratio('row of id', ourReads, plainReads);

  const plainScan = measure('plain LMDB: scan', POINTS, () => {
    let bytes = 0;
    for (const { value: found } of plain.getRange({ start: 0 })) bytes += found.length;
    if (bytes < POINTS) throw new Error('the scan is short');
  });
  const ourScan = measure('scan of all vectors', POINTS, () => {
    let rows = 0;
    for (const found of storage.vectors(0)) rows += found.vector.length > 0 ? 1 : 0;
    if (rows !== POINTS) throw new Error('the scan is short');
  });
  ratio('scan', ourScan, plainScan);
  measure('scan of all points, in pages of 1000', POINTS, () => {
    for (let fromRow = 0; fromRow < POINTS; fromRow += BATCH) storage.points({ fromRow, limit: BATCH });
  });
  measure('all live rows (per row)', POINTS, () => storage.rows());
  const field = (number: number) => ({ start: Buffer.from([number]), end: Buffer.from([number + 1]) });
  measure('union of 100 000 posting lists (per list)', 100_000, () => storage.unionPostings({ ...field(2), listsMax: 1e6 }));
  measure('counts of 100 000 posting lists (per list)', 100_000, () => {
    for (const _ of storage.countPostings({ ...field(2), within: storage.rows() }));
  });
  storage.close();
  await plain.close();
} finally {
  rmSync(root, { recursive: true });
}
