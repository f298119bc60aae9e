// SPDX-License-Identifier: Apache-2.0
import type { VectorParams } from '@sextant/contracts-vector';
import { expect, test } from 'vitest';
import { storedVector } from './vectors.ts';

type Datatype = NonNullable<VectorParams['datatype']>;
const three = (datatype: Datatype, distance: VectorParams['distance'] = 'Dot'): VectorParams => ({
  size: 3,
  distance,
  datatype,
});

test.each<[Datatype, number[], object]>([
  ['float32', [0.1, -2, 1e9], Float32Array.of(0.1, -2, 1e9)],
  ['float16', [0.1, -65_519, 6e-8], Float16Array.of(Math.f16round(Math.fround(0.1)), -65_504, 2 ** -24)],
  ['uint8', [0, 255, -0], Uint8Array.of(0, 255, 0)],
  ['uint8', [1.05, 255.9, -0.9], Uint8Array.of(1, 255, 0)],
])('%s keeps what it can hold', (datatype, values, expected) => {
  expect(storedVector(three(datatype), values)).toEqual(expected);
  expect(storedVector(three(datatype), Float32Array.from(values))).toEqual(expected);
});

test.each<[Datatype, number[], string]>([
  ['float16', [1, 70_000, 1], 'vector: component 1 is 70000; the datatype float16 holds values up to 65504'],
  ['float16', [1, 1, -65_520], 'vector: component 2 is -65520; the datatype float16 holds values up to 65504'],
  ['uint8', [256, 0, 0], 'vector: component 0 is 256; the datatype uint8 takes numbers from 0 to 255; fractions are dropped'],
  ['uint8', [0, -1, 0], 'vector: component 1 is -1; the datatype uint8 takes numbers from 0 to 255; fractions are dropped'],
])('%s refuses %s', (datatype, values, message) => {
  expect(() => storedVector(three(datatype), values)).toThrow(message);
});

test('Cosine normalises floats before they are rounded, and leaves bytes as they are', () => {
  expect(storedVector(three('float16', 'Cosine'), [3e5, 0, 4e5])).toEqual(Float16Array.of(0.6, 0, 0.8));
  expect(storedVector(three('uint8', 'Cosine'), [3, 0, 4])).toEqual(Uint8Array.of(3, 0, 4));
});
