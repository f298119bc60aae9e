import { expect, test } from 'vitest';
import { colourBy, colourKeys } from './colouring.ts';

test('keys with values that can be told apart are offered', () => {
  expect(colourKeys([{ city: 'London', at: { lat: 1 } }, undefined, { population: 9 }])).toEqual(['city', 'population']);
});

test('few values have a colour each, by their names; what has none is missing', () => {
  const { places, legend } = colourBy([{ city: 'Rome' }, { city: 'Bonn' }, undefined, { city: 'Rome' }], 'city');
  expect(legend.map(({ label }) => label)).toEqual(['Bonn', 'missing', 'Rome']);
  expect([...places]).toEqual([2, 0, 1, 2]);
});

test('of many texts the most frequent have a colour, the others share one', () => {
  const payloads = Array.from({ length: 60 }, (_, i) => ({ name: `n${i < 40 ? i % 4 : i}` }));
  const { places, legend } = colourBy(payloads, 'name');
  expect(legend.at(-1)?.label).toBe('others');
  expect(new Set(places.slice(0, 40)).size).toBe(4);
  expect(places.at(-1)).toBe(10);
});

test('many numbers lie on a scale, as many on each part of it', () => {
  const { places, legend } = colourBy(
    Array.from({ length: 800 }, (_, i) => ({ age: i ** 2 })),
    'age',
  );
  expect(legend).toHaveLength(8);
  expect([0, 99, 100, 799].map((row) => places[row])).toEqual([0, 0, 1, 7]);
});
