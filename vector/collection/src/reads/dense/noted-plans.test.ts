// SPDX-License-Identifier: Apache-2.0
import { seededRandom, systemClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { openEmbeddedEngine } from '../../embedded-engine.ts';
import { type NotedPlan, notingPlans } from './noted-plans.ts';

test('searches note their plans for those who ask, each for itself', async () => {
  await using directory = await temporaryDirectory();
  const engine = await openEmbeddedEngine({ dataDirectory: directory.path, clock: systemClock, random: seededRandom(1) });
  await engine.createCollection('c', { vectors: { a: { size: 2, distance: 'Dot' } } });
  await engine.upsert(
    'c',
    Array.from({ length: 20 }, (_, id) => ({ id, vector: { a: [id, 1] }, payload: { even: id % 2 === 0 } })),
  );
  const search = (filter?: object) =>
    engine.nearest('c', {
      vector: [1, 0],
      using: 'a',
      limit: 3,
      offset: 0,
      params: { exact: true },
      score_threshold: null,
      with_payload: false,
      with_vector: false,
      payloadAs: 'text',
      ...(filter && { filter }),
    });
  const [one, other]: [NotedPlan[], NotedPlan[]] = [[], []];
  await Promise.all([
    notingPlans(() => search(), one),
    notingPlans(() => search({ must: [{ key: 'even', match: { value: true } }] }), other),
    search(),
  ]);
  expect(one).toEqual([{ plan: 'scan', vector: 'a', count: expect.any(Number), candidates: null }]);
  // No field index decides the filter.
  expect(other[0]).toMatchObject({ plan: 'evaluate', vector: 'a', candidates: null });
  await engine.close();
});
