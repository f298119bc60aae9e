/** Handwritten digits as points: 784 pixels, and what there is to filter and to colour by. */
import type { JsonClient } from '@sextant/foundation-testing';
import { readDigits } from '../../data/mnist.ts';
import { vectorApi } from '../../vector-api.ts';

export const DIGITS = 'digits';
const BATCH = 500;
const NAMES = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

export async function fillDigits(client: JsonClient, count: number): Promise<void> {
  const { pixels, labels, dimension } = await readDigits('train', count);
  const collection = vectorApi(client).collection(DIGITS);
  await collection.create({ vectors: { size: dimension, distance: 'Euclid' } });
  await collection.createIndex('digit', 'keyword');
  for (let first = 0; first < count; first += BATCH) {
    const ids = Array.from({ length: Math.min(BATCH, count - first) }, (_, index) => first + index);
    await collection.upsert(
      ids.map((id) => {
        const vector = Array.from(pixels.subarray(id * dimension, (id + 1) * dimension));
        const ink = Math.round(vector.reduce((sum, pixel) => sum + pixel, 0) / dimension);
        return { id, vector, payload: { digit: NAMES[labels[id] ?? 0] ?? '', ink } };
      }),
    );
  }
}
