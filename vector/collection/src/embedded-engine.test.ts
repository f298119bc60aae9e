// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom, systemClock } from '@sextant/foundation-std';
import { isLongRun } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { type EmbeddedEngineOptions, openEmbeddedEngine } from './embedded-engine.ts';
import { describeEngine } from './testing/conformance/engine.conformance.ts';
import { describeIds } from './testing/conformance/ids.conformance.ts';
import { describeMulti } from './testing/conformance/multi.conformance.ts';
import { describeQuantization, KINDS } from './testing/conformance/quantization.conformance.ts';
import { describeSparse } from './testing/conformance/sparse.conformance.ts';
import { describeVectorNames } from './testing/conformance/vector-names.conformance.ts';

async function openSubject(options: Pick<EmbeddedEngineOptions, 'rowsPerShard'> = {}) {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'sextant-engine-'));
  const open = () => openEmbeddedEngine({ dataDirectory, clock: systemClock, random: seededRandom(1), ...options });
  const subject = {
    engine: await open(),
    reopen: async () => {
      await subject.engine.close();
      subject.engine = await open();
    },
    [Symbol.asyncDispose]: async () => {
      await subject.engine.close();
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
  return subject;
}

describeEngine('embedded engine', openSubject);
describeEngine('embedded engine, float16', openSubject, { datatype: 'float16' });
describeEngine('embedded engine, uint8', openSubject, { datatype: 'uint8' });
describeEngine('embedded engine, on disk', openSubject, { on_disk: true });
describeEngine('embedded engine whose collections have many shards', () => openSubject({ rowsPerShard: 32 }));
// The other kinds and distances differ from one of these by a setting of the kernel, whose tests go through all. By Manhattan other codes are taken for binary ones.
const few = { kinds: KINDS.filter((_, at) => at % 2 === 0), distances: ['Cosine', 'Manhattan'] } as const;
describeQuantization('embedded engine', openSubject, isLongRun() ? {} : few);
describeIds('embedded engine', openSubject);
describeIds('embedded engine whose collections have many shards', () => openSubject({ rowsPerShard: 32 }));
describeMulti('embedded engine', openSubject);
describeVectorNames('embedded engine', openSubject);
// A vector that is added gets a graph in each shard.
describeVectorNames('embedded engine whose collections have many shards', () => openSubject({ rowsPerShard: isLongRun() ? 32 : 192 }));
describeSparse('embedded engine', openSubject);

test('a collection that is being deleted says so until its last read has ended, then it is gone', async () => {
  await using subject = await openSubject();
  const { engine } = subject;
  await engine.createCollection('a', { vectors: { size: 1, distance: 'Dot' } });
  await engine.upsert(
    'a',
    Array.from({ length: 6000 }, (_, id) => ({ id, vector: [id], payload: { text: `word${id} and some more` } })),
  );
  // Evaluated point by point, with turns of the event loop in between.
  const longRead = engine.count('a', { filter: { must: { key: 'text', match: { text: 'word7' } } } });
  const deleted = engine.deleteCollection('a');
  await expect(engine.collectionInfo('a')).rejects.toMatchObject({ code: 'collection_deleted' });
  await expect(engine.upsert('a', [])).rejects.toMatchObject({ code: 'collection_deleted' });
  await expect(engine.createCollection('a', { vectors: { size: 1, distance: 'Dot' } })).rejects.toMatchObject({
    code: 'collection_deleted',
  });
  expect(await longRead).toBe(1);
  expect(await deleted).toBe(true);
  await expect(engine.collectionInfo('a')).rejects.toMatchObject({ code: 'collection_not_found' });
});
