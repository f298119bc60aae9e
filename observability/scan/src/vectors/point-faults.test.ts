// SPDX-License-Identifier: Apache-2.0
import { temporaryDirectory } from '@sextant/foundation-testing';
import type { VectorPoint } from '@sextant/observability-connectors';
import { expect, test } from 'vitest';
import { profileCollection } from './collection-profile.ts';
import { decodeId, encodeId, ID_BYTES } from './id-bytes.ts';

async function faultsOf(
  points: readonly VectorPoint[],
  recentCentroids?: { readonly [vector: string]: readonly (readonly number[])[] },
  dimension = 2,
) {
  await using directory = await temporaryDirectory();
  const { samples } = await profileCollection(
    {
      info: async () => ({ points: points.length, indexed: 0, dimensions: { '': dimension } }),
      points: async function* () {
        yield points;
      },
    },
    {
      options: {},
      recentCentroids,
      temporaryDirectory: directory.path,
      signal: new AbortController().signal,
      onProgress: () => {},
    },
  );
  return samples.map(({ record_id, reason }) => `${record_id}: ${reason}`);
}

/** Sound points around (1, 0), each in a place of its own. */
function soundPoints(count: number): readonly VectorPoint[] {
  return Array.from({ length: count }, (_, index) => ({
    id: String(index),
    payload: { city: 'Oslo' },
    vectors: { '': [1, index / 1000] },
  }));
}

test('sound points are not reported', async () => {
  expect(await faultsOf(soundPoints(50), { '': [[1, 0.025]] })).toEqual([]);
});

test('each fault names its points', async () => {
  const broken = [
    { id: '100', payload: { city: 'Oslo' }, vectors: { '': [0, 0] } },
    { id: '101', payload: { city: 'Oslo' }, vectors: { '': [null, 1] } },
    { id: '102', payload: { city: 'Oslo' }, vectors: { '': [1, Number.POSITIVE_INFINITY] } },
    { id: '103', payload: { city: 'Oslo' }, vectors: { '': [1, 0, 0] } },
    { id: '104', payload: { city: 'Oslo' }, vectors: { '': [1, 0.003] } },
    { id: '105', payload: { city: 'Oslo' }, vectors: { '': [90, 1] } },
    { id: '106', payload: { city: 'Oslo' }, vectors: { '': [0.01, 0] } },
    { id: '107', payload: { city: '' }, vectors: { '': [1, 0.9] } },
  ];
  expect(await faultsOf([...soundPoints(50), ...broken])).toEqual([
    '100: The vector is zero',
    '101: The vector has components that are not numbers',
    '102: The vector has components that are infinite',
    '103: The vector has another size than the 2 of the collection',
    '104: The vector is equal to that of point 3',
    '105: The vector has the length 90.01, far from what is usual',
    '107: The vector has the length 1.345, far from what is usual',
    '106: The vector has the length 0.01, far from what is usual',
    '107: The payload has no city, as most have',
  ]);
});

test('vectors that end with zeros are reported where most do not, and hide no other fault', async () => {
  const ended = (index: number, zeros: number) => ({
    id: String(index),
    payload: { city: 'Oslo' },
    vectors: {
      '': [...Array.from({ length: 32 - zeros }, (_, at) => 1 + ((index * 7 + at * 3) % 11) / 100), ...Array<number>(zeros).fill(0)],
    },
  });
  const pictures = Array.from({ length: 300 }, (_, index) => ended(index, 4 + (index % 20)));
  const zero = { id: '900', payload: { city: 'Oslo' }, vectors: { '': Array<number>(32).fill(0) } };
  const found = await faultsOf([...pictures, zero], undefined, 32);
  expect(found).toContain('900: The vector is zero');
  expect(found.filter((fault) => fault.includes('ends with'))).toEqual([]);
  const whole = Array.from({ length: 30 }, (_, index) => ended(index, 0));
  expect(await faultsOf([...whole, ended(99, 16)], undefined, 32)).toContain('99: The vector ends with 16 zeros');
});

test('where the centroid has moved, the farthest are reported', async () => {
  const moved = Array.from({ length: 20 }, (_, index) => ({
    id: `9${index}`,
    payload: { city: 'Oslo' },
    vectors: { '': [index / 1000, 1] },
  }));
  const faults = await faultsOf([...soundPoints(20), ...moved], { '': [[1, 0.01]] });
  expect(faults).toHaveLength(10);
  expect(faults[0]).toBe('90: The vector is among the farthest from where vectors used to be');
});

test('of many points with one fault a few are reported, and personal data in them is masked', async () => {
  await using directory = await temporaryDirectory();
  const points = Array.from({ length: 300 }, (_, index) => ({
    id: String(index),
    payload: { mail: 'anna.smith@example.com' },
    vectors: { '': [0, 0] },
  }));
  const { samples } = await profileCollection(
    {
      info: async () => ({ points: 300, indexed: 0, dimensions: { '': 2 } }),
      points: async function* () {
        yield points;
      },
    },
    {
      options: {},
      recentCentroids: undefined,
      temporaryDirectory: directory.path,
      signal: new AbortController().signal,
      onProgress: () => {},
    },
  );
  expect(samples.filter(({ reason }) => reason === 'The vector is zero')).toHaveLength(10);
  expect(samples[0]?.row.mail).toBe('****.*****@*******.***');
});

test('a member that most points have is missed in those before it too; one that few have is not', async () => {
  const points = soundPoints(30).map((point, index) => ({
    ...point,
    payload: { ...(index > 1 && { city: 'Oslo' }), ...(index === 9 && { note: 'rare' }) },
  }));
  expect(await faultsOf(points)).toEqual(['0: The payload has no city, as most have', '1: The payload has no city, as most have']);
});

test.each(['0', '18446744073709551615', 'b2f1c0de-0000-4000-8000-00000000000a'])('the id %s keeps in 17 bytes', (id) => {
  const bytes = Buffer.alloc(ID_BYTES, 7);
  encodeId(id, bytes);
  expect(decodeId(bytes)).toBe(id);
});

test.each(['18446744073709551616', 'point one', ''])('of the id “%s” nothing is kept', (id) => {
  const bytes = Buffer.alloc(ID_BYTES, 7);
  encodeId(id, bytes);
  expect(decodeId(bytes)).toBeUndefined();
});
