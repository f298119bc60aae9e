// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { byAssetId, hasLineage, lineageOf, relatedAssets } from './lineage.ts';

/** raw -> clean -> report, and beside it raw -> archive; nothing leads to alone. */
const assets = [
  { id: 'raw', parents: [], children: ['clean', 'archive'] },
  { id: 'clean', parents: ['raw'], children: ['report'] },
  { id: 'report', parents: ['clean'], children: [] },
  { id: 'archive', parents: ['raw'], children: [] },
  { id: 'alone', parents: [], children: [] },
];
const byId = byAssetId(assets);

test.each([
  ['clean', ['clean', 'raw', 'report']],
  ['archive', ['archive', 'raw']],
  ['raw', ['archive', 'clean', 'raw', 'report']],
  ['alone', ['alone']],
  ['unknown', ['unknown']],
])('%s is related to what is before and behind it, not to what stands beside', (id, related) => {
  expect([...relatedAssets(id, byId)].toSorted()).toEqual(related);
});

test('an asset has lineage when it comes from something or goes into something', () => {
  expect(assets.filter(hasLineage).map(({ id }) => id)).toEqual(['raw', 'clean', 'report', 'archive']);
});

test('lineage is followed over several steps, and a circle ends', () => {
  const chain = [
    { id: 'raw', parents: [], children: ['clean'] },
    { id: 'clean', parents: ['raw'], children: ['mart'] },
    { id: 'mart', parents: ['clean'], children: ['raw-copy'] },
    { id: 'raw-copy', parents: ['mart'], children: [] },
  ];
  const circular = [...chain.slice(1), { id: 'raw', parents: ['raw-copy'], children: ['clean'] }];
  expect(lineageOf('clean', byAssetId(chain))).toEqual({ upstream: new Set(['raw']), downstream: new Set(['mart', 'raw-copy']) });
  expect(lineageOf('clean', byAssetId(circular)).upstream).toEqual(new Set(['raw', 'raw-copy', 'mart']));
});
