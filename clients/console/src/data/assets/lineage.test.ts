import { expect, test } from 'vitest';
import { hasLineage, relatedTo } from './lineage.ts';

/** raw -> clean -> report, and beside it raw -> archive; nothing leads to alone. */
const assets = [
  { id: 'raw', parents: [], children: ['clean', 'archive'] },
  { id: 'clean', parents: ['raw'], children: ['report'] },
  { id: 'report', parents: ['clean'], children: [] },
  { id: 'archive', parents: ['raw'], children: [] },
  { id: 'alone', parents: [], children: [] },
];
const byId = new Map(assets.map((each) => [each.id, each]));

test.each([
  ['clean', ['clean', 'raw', 'report']],
  ['archive', ['archive', 'raw']],
  ['raw', ['archive', 'clean', 'raw', 'report']],
  ['alone', ['alone']],
  ['unknown', ['unknown']],
])('%s is related to what is before and behind it, not to what stands beside', (id, related) => {
  expect([...relatedTo(id, byId)].toSorted()).toEqual(related);
});

test('an asset has lineage when it comes from something or goes into something', () => {
  expect(assets.filter(hasLineage).map(({ id }) => id)).toEqual(['raw', 'clean', 'report', 'archive']);
});
