import { expect, test } from 'vitest';
import { litMap } from './highlighted-map.ts';

test('leads to the map with what a scan found', () => {
  expect(litMap({ collection: 'places', jobId: 'b2f1' })).toEqual({
    to: '/collections/$name',
    params: { name: 'places' },
    search: { tab: 'map', lit: 'b2f1' },
  });
});
