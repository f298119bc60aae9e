// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { chipsOf, filterQuery, incidentFilter, isFiltered, withoutChip, withValues } from './filter.ts';

const inWords = (_name: string, value: string) => value.toLowerCase();

test.each([
  [{ impacts: 'HIGH,LOW', colour: 'red' }, { impacts: 'HIGH,LOW' }],
  [
    { project_ids: 3, text: 2026 },
    { project_ids: '3', text: '2026' },
  ],
  [{ impacts: '', text: ['x'], from: null }, {}],
])('the address %j filters by %j', (search, filter) => {
  expect(incidentFilter(search)).toEqual(filter);
});

test('days go from their first to their last millisecond of UTC', () => {
  expect(filterQuery({ from: '2026-03-01', to: '2026-03-02', text: 'orders', statuses: 'OPEN' })).toEqual({
    statuses: 'OPEN',
    text_to_search: 'orders',
    from_time: '2026-03-01T00:00:00.000Z',
    to_time: '2026-03-02T23:59:59.999Z',
  });
});

test('each value is a chip of its own, and taking one away leaves the others', () => {
  const filter = { impacts: 'HIGH,LOW', text: 'orders', from: '2026-03-01' };
  const chips = chipsOf(filter, inWords);
  expect(chips.map(({ label }) => label)).toEqual(['Impact: high', 'Impact: low', '“orders”', 'From 2026-03-01 (UTC)']);
  expect(chips.map((chip) => withoutChip(filter, chip))).toEqual([
    { ...filter, impacts: 'LOW' },
    { ...filter, impacts: 'HIGH' },
    { ...filter, text: undefined },
    { ...filter, from: undefined },
  ]);
});

test('a single day is one chip, and goes as one', () => {
  const filter = { from: '2026-03-01', to: '2026-03-01' };
  const [chip, ...others] = chipsOf(filter, inWords);
  expect(others).toEqual([]);
  expect(chip?.label).toBe('On 2026-03-01 (UTC)');
  expect(chip && isFiltered(withoutChip(filter, chip))).toBe(false);
});

test('no value takes the name out of the address', () => {
  expect(isFiltered(withValues({ impacts: 'HIGH' }, 'impacts', []))).toBe(false);
  expect(withValues({}, 'tags', ['a', 'b'])).toEqual({ tags: 'a,b' });
});
