// SPDX-License-Identifier: Apache-2.0
import type { QdrantClient } from '@qdrant/js-client-rest';

const SIZE = 16;

/** Points of one write have one mark. */
export function batch(mark: number, count = 100) {
  return Array.from({ length: count }, (_, index) => {
    const id = mark * count + index;
    return { id, vector: Array.from({ length: SIZE }, (__, place) => Math.sin(id * SIZE + place)), payload: { mark } };
  });
}

/** A collection of so many writes, which gets an index. */
export async function fill(of: QdrantClient, name: string, batches: number): Promise<void> {
  await of.createCollection(name, { vectors: { size: SIZE, distance: 'Euclid' }, optimizers_config: { indexing_threshold: 20 } });
  for (let mark = 0; mark < batches; mark++) await of.upsert(name, { wait: true, points: batch(mark) });
}
