// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { colourBy, colourKeys } from './colouring.ts';

test('keys with values that can be told apart are offered', () => {
  expect(colourKeys([{ city: 'London', at: { lat: 1 } }, undefined, { population: 9 }])).toEqual(['city', 'population']);
});

test('few values have a colour each, by their names; those without one share the grey', () => {
  const { places, legend } = colourBy([{ city: 'Rome' }, { city: 'Bonn' }, undefined, { city: 'Rome' }], 'city', 'light');
  expect(legend.map(({ label, count }) => [label, count])).toEqual([
    ['Bonn', 1],
    ['Rome', 2],
    ['missing', 1],
  ]);
  expect([...places]).toEqual([1, 0, 2, 1]);
});

test('of many texts the most frequent have a colour, the others share one', () => {
  const payloads = Array.from({ length: 60 }, (_, i) => ({ name: `n${i < 40 ? i % 4 : i}` }));
  const { places, legend } = colourBy(payloads, 'name', 'light');
  expect(legend.at(-1)).toMatchObject({ label: '14 others', count: 14 });
  expect(new Set(places.slice(0, 40)).size).toBe(4);
  expect(places.at(-1)).toBe(10);
});

test('many numbers lie on a scale, as many on each part of it; what has none is grey', () => {
  const payloads = [...Array.from({ length: 800 }, (_, i) => ({ age: i ** 2 })), {}];
  const { places, legend, isScale } = colourBy(payloads, 'age', 'dark');
  expect(isScale).toBe(true);
  expect(legend).toHaveLength(9);
  expect(legend[0]).toMatchObject({ label: '0 to 10,000', count: 100 });
  expect(legend.at(-1)).toMatchObject({ label: 'missing', count: 1 });
  expect([0, 99, 100, 799, 800].map((row) => places[row])).toEqual([0, 0, 1, 7, 8]);
});

test('every colour of a scale differs from those of the other', () => {
  const payloads = Array.from({ length: 100 }, (_, i) => ({ age: i }));
  expect(new Set(colourBy(payloads, 'age', 'light').colours).size).toBe(9);
  expect(colourBy(payloads, 'age', 'light').colours[0]).not.toBe(colourBy(payloads, 'age', 'dark').colours[0]);
});
