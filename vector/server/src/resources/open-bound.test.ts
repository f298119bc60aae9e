// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { openBound } from './open-bound.ts';

const descriptors = { limit: { limit: 20_000, isKnown: true }, connectionsMax: 100, collectionsMax: 6000 };

test.each([
  ['what the operator chooses', { chosen: 50, mappingsMax: 65_530 }, 50, 'SERVICE_COLLECTIONS_OPEN_MAX'],
  ['file descriptors', { chosen: 0, mappingsMax: 1_000_000 }, 6000, 'file descriptors'],
  ['file descriptors, below what the operator chooses', { chosen: 9000, mappingsMax: undefined }, 6000, 'file descriptors'],
  ['mappings of the address space', { chosen: 0, mappingsMax: 65_530 }, 4831, 'vm.max_map_count'],
])('collections are bounded by %s', (_, { chosen, mappingsMax }, max, named) => {
  const bound = openBound({ descriptors, mappingsMax, threads: 4, chosen });
  expect(bound.max).toBe(max);
  expect(bound.reached()).toMatchObject({ code: 'collections_in_use', restStatus: 503, message: expect.stringContaining(named) });
});

test('one collection can always be open', () => {
  expect(openBound({ descriptors, mappingsMax: 100, threads: 64, chosen: 0 }).max).toBe(1);
});
