// SPDX-License-Identifier: Apache-2.0
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { seededRandom, systemClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { openEmbeddedEngine } from '../embedded-engine.ts';

const WRITER = fileURLToPath(new URL('../fixture/dies-at-shard.ts', import.meta.url));
const ROWS_PER_SHARD = 64;

test.each([false, true])(
  'a process that dies between a new shard and the write that needs it has lost nothing, on disk: %s',
  async (isOnDisk) => {
    await using scratch = await temporaryDirectory();
    const child = spawnSync(process.execPath, [WRITER, scratch.path, String(ROWS_PER_SHARD), String(isOnDisk)], { encoding: 'utf8' });
    expect(child).toMatchObject({ signal: 'SIGKILL', stderr: '' });
    // The seventh write needs rows 60 to 69.
    const acknowledged = Number(child.stdout.trimEnd().split('\n').at(-1));
    expect(acknowledged).toBe(60);

    const engine = await openEmbeddedEngine({
      dataDirectory: scratch.path,
      clock: systemClock,
      random: seededRandom(1),
      rowsPerShard: ROWS_PER_SHARD,
    });
    try {
      const exact = async (limit: number) =>
        (await engine.nearest('c', { vector: [0, 0], limit, params: { exact: true } })).map(({ id }) => id);
      const ids = (count: number) => Array.from({ length: count }, (_, id) => id);
      expect(await engine.collectionInfo('c')).toMatchObject({ points_count: 60, segments_count: 1 });
      expect(await exact(200)).toEqual(ids(60));
      await engine.upsert(
        'c',
        ids(150).map((id) => ({ id, vector: [id, 0] })),
      );
      expect(await engine.collectionInfo('c')).toMatchObject({ points_count: 150 });
      expect(await exact(200)).toEqual(ids(150));
    } finally {
      await engine.close();
    }
  },
);
