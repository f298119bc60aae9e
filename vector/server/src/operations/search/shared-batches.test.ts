// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { manualClock, seededRandom, stringifyJson, systemClock } from '@sextant/foundation-std';
import { type Engine, openEmbeddedEngine } from '@sextant/vector-collection';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Input, Operation, ReadContext } from '../operation.ts';
import { pacedJson } from '../paced.ts';
import type { BatchPart } from './batch.ts';
import { answerForOther } from './help.ts';
import { queryBatch } from './query-points.ts';
import { discoverBatch, recommendBatch } from './recommend-points.ts';
import { searchBatch } from './search-points.ts';

const COUNT = 40;
const dataDirectory = mkdtempSync(join(tmpdir(), 'sextant-batches-'));
let engine: Engine;

beforeAll(async () => {
  engine = await openEmbeddedEngine({ dataDirectory, clock: systemClock, random: seededRandom(1) });
  await engine.createCollection('points', { vectors: { size: 2, distance: 'Dot' } });
  await engine.upsert(
    'points',
    Array.from({ length: COUNT }, (_, id) => ({ id, vector: [Math.cos(id), Math.sin(id)] })),
  );
});

afterAll(async () => {
  await engine.close();
  rmSync(dataDirectory, { recursive: true, force: true });
});

const ids = Array.from({ length: COUNT }, (_, id) => id);

test.each<[string, Operation<ReadContext>, readonly object[]]>([
  ['searches', searchBatch, ids.map((id) => ({ vector: [Math.cos(id), Math.sin(id)], limit: 3 }))],
  ['queries', queryBatch, ids.map((id) => ({ query: id, limit: 3 }))],
  ['recommendations', recommendBatch, ids.map((id) => ({ positive: [id, (id + 1) % COUNT], limit: 3 }))],
  ['discoveries', discoverBatch, ids.map((id) => ({ target: id, context: [{ positive: 1, negative: 2 }], limit: 3 }))],
])('a batch of %s is answered by several threads as by one', async (_name, operation, searches) => {
  const clock = manualClock();
  let shared = 0;
  const timed: Engine = {
    ...engine,
    nearest: (...asked) => {
      clock.advance(1);
      return engine.nearest(...asked);
    },
    query: (...asked) => {
      clock.advance(1);
      return engine.query(...asked);
    },
  };
  const helper = (part: BatchPart) => {
    shared += part.searches.length;
    return answerForOther(timed, structuredClone(part));
  };
  const input = { params: { collection_name: 'points' }, query: {}, body: { searches } } as unknown as Input<never>;
  const together = await operation.run({ engine: timed, clock, helpers: [helper] }, input);
  const alone = await operation.run({ engine, clock: systemClock }, input);
  expect(await pacedJson(together)).toBe(await pacedJson(alone));
  expect(shared).toBeGreaterThan(5);
  expect(stringifyJson(JSON.parse(await pacedJson(alone)))).toContain('"score"');
});
