// SPDX-License-Identifier: Apache-2.0
import { join } from 'node:path';
import { seededRandom } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { type Originals, ShardedSpaceReader } from '@sextant/vector-kernel';
import { createCollectionStorage } from '@sextant/vector-storage';
import { expect, test } from 'vitest';
import { configFromRequest } from '../model/collection-config.ts';
import { silentLog } from '../model/log.ts';
import { loadSpaces } from './space-loader.ts';
import { SpaceRefill } from './space-refill.ts';

const SIZE = 32;
const ROWS = 6000;

test.each([
  { on_disk: true, rowsPerShard: 2048 },
  { on_disk: true, rowsPerShard: 8192 },
  { on_disk: false, rowsPerShard: 2048 },
])(
  'spaces follow what is written while they are filled, $rowsPerShard rows in a shard, on disk: $on_disk',
  async ({ on_disk, rowsPerShard }) => {
    await using scratch = await temporaryDirectory();
    const directory = join(scratch.path, 'refilled');
    const storage = createCollectionStorage({ directory });
    const random = seededRandom(4);
    const rows = new Map<number, Float32Array>();
    let version = 0;
    const write = (changed: readonly number[], follow: (row: number, vector: Float32Array | undefined) => void) => {
      version++;
      storage.write((transaction) => {
        for (const row of changed) {
          if (rows.has(row)) {
            transaction.deletePoint(row);
            transaction.deleteVector(0, row);
            rows.delete(row);
            follow(row, undefined);
          } else {
            const vector = Float32Array.from({ length: SIZE }, random.next);
            transaction.putPoint(row, { id: row, version, vectorVersion: version, payload: '{}' });
            transaction.putVector(0, row, version, vector);
            rows.set(row, vector);
            follow(row, vector);
          }
        }
      });
    };
    write(
      Array.from({ length: ROWS }, (_, row) => row),
      () => undefined,
    );

    const config = configFromRequest({
      vectors: { size: SIZE, distance: 'Euclid', on_disk },
      optimizers_config: { indexing_threshold: 1 },
    });
    const source = { directory, config, storage, log: silentLog, rowsPerShard };
    const refill = new SpaceRefill(source, { bytesAtATime: (ROWS * SIZE * 4) / 4 });
    const space = refill.spaces.get(0);
    if (space === undefined) throw new Error('there is one space');
    let next = ROWS;
    for (const _slice of refill.slices()) {
      // Rows that are there go, others come, in chunks that have been read and in those that have not.
      const gone = Array.from({ length: 4 }, () => random.integer(ROWS)).filter((row, i, all) => rows.has(row) && all.indexOf(row) === i);
      write([...gone, next++], (row, vector) => {
        if (!refill.follows(row)) return;
        space.openShards(row + 1);
        if (vector === undefined) space.remove(row);
        else space.put(row, vector, version);
      });
    }
    expect(next).toBeGreaterThan(ROWS + 4);
    refill.save();
    refill.end();
    expect(space.liveCount).toBe(rows.size);
    // A quarter of them was left to the indexer, or all.
    expect(space.indexedCount > 0).toBe(on_disk);
    expect(space.pendingCount).toBeLessThan(on_disk ? ROWS / 3 : Number.POSITIVE_INFINITY);

    const originals: Originals = { vector: (row) => storage.vector(0, row), vectors: (range) => storage.vectors(0, range) };
    storage.refresh();
    const reader = new ShardedSpaceReader(space.handle, originals);
    for (let row = 0; row < next; row++) expect(reader.has(row)).toBe(rows.has(row));
    for (const [row, vector] of [...rows].slice(0, 20)) expect(reader.search(vector, { k: 1, ef: 64 }).rows[0]).toBe(row);
    if (on_disk) expect(loadSpaces(source).get(0)?.indexedCount).toBe(space.indexedCount);
    storage.close();
  },
);
