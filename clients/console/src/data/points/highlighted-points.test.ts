// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { highlightedMap, highlightedPoints } from './highlighted-points.ts';

test('each point once, with all that was found; rows without an id are no points', () => {
  expect(
    highlightedPoints([
      { record_id: '7', reason: 'The vector is zero' },
      { record_id: null, reason: 'The row could not be read' },
      { record_id: '7', reason: 'The payload has no city, as most have' },
      { record_id: '7', reason: 'The vector is zero' },
      { record_id: 'b2f1c0de-0000-4000-8000-00000000000a', reason: 'The vector is zero' },
    ]),
  ).toEqual([
    { id: 7, reasons: ['The vector is zero', 'The payload has no city, as most have'] },
    { id: 'b2f1c0de-0000-4000-8000-00000000000a', reasons: ['The vector is zero'] },
  ]);
});

test('leads to the map with what a scan found', () => {
  expect(highlightedMap({ collection: 'places', jobId: 'b2f1' })).toEqual({
    to: '/collections/$name',
    params: { name: 'places' },
    search: { tab: 'map', highlight: 'b2f1' },
  });
});
