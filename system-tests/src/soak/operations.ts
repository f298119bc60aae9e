// SPDX-License-Identifier: Apache-2.0
/** The mix of requests: a collection that is searched and written and stays as large as it is, others that come and go, and snapshots. */
import type { CreateCollection, PointInput } from '@sextant/contracts-vector';
import type { Random } from '@sextant/foundation-std';
import { untilIndexed } from '../until.ts';
import type { VectorApi } from '../vector-api.ts';

const COLLECTION = 'soak';
const DIMENSION = 128;
const POINTS = 20_000;
const POINTS_PER_FILL = 500;
const POINTS_PER_WRITE = 10;
const GROUPS = 20;
const LIMIT = 10;
const SHORT_LIVED_POINTS = 50;
const CONFIG: CreateCollection = { vectors: { size: DIMENSION, distance: 'Cosine' }, optimizers_config: { indexing_threshold: 1000 } };

export type Operation = {
  readonly name: string;
  /** Of a thousand requests so many, about. */
  readonly weight: number;
  readonly run: (vectors: VectorApi) => Promise<unknown>;
};

/** Makes the collection and waits for its graph. */
export async function prepare(vectors: VectorApi, random: Random): Promise<void> {
  const api = vectors.collection(COLLECTION);
  await api.create(CONFIG);
  await api.createIndex('group', 'integer');
  for (let first = 0; first < POINTS; first += POINTS_PER_FILL) {
    await api.upsert(Array.from({ length: POINTS_PER_FILL }, (_, index) => point(first + index, random)));
  }
  await untilIndexed(api);
}

export function operationsOf(random: Random): readonly Operation[] {
  let shortLived = 0;
  let isWritingSnapshot = false;
  const anyIds = () => {
    const first = random.integer(POINTS - POINTS_PER_WRITE);
    return Array.from({ length: POINTS_PER_WRITE }, (_, index) => first + index);
  };
  const search = (vectors: VectorApi) =>
    vectors.collection(COLLECTION).search({ vector: vectorOf(random), limit: LIMIT, with_payload: true });
  return [
    { name: 'search', weight: 550, run: search },
    {
      name: 'filtered search',
      weight: 220,
      run: (vectors) => {
        const filter = { must: [{ key: 'group', match: { value: random.integer(GROUPS) } }] };
        return vectors.collection(COLLECTION).search({ vector: vectorOf(random), limit: LIMIT, filter });
      },
    },
    { name: 'upsert', weight: 120, run: (vectors) => vectors.collection(COLLECTION).upsert(anyIds().map((id) => point(id, random))) },
    {
      name: 'set payload',
      weight: 60,
      run: (vectors) =>
        vectors.collection(COLLECTION).setPayload({
          filter: { must: [{ has_id: anyIds() }] },
          payload: { note: `note ${random.integer(1e6)}` },
        }),
    },
    { name: 'delete', weight: 40, run: (vectors) => vectors.collection(COLLECTION).deletePoints({ points: anyIds() }) },
    {
      name: 'collection that comes and goes',
      weight: 8,
      run: async (vectors) => {
        const api = vectors.collection(`short-lived-${shortLived++}`);
        await api.create(CONFIG);
        await api.upsert(Array.from({ length: SHORT_LIVED_POINTS }, (_, id) => point(id, random)));
        await api.remove();
      },
    },
    {
      name: 'snapshot',
      weight: 2,
      run: async (vectors) => {
        // They are written one after the other, and a queue of them is refused.
        if (isWritingSnapshot) return;
        isWritingSnapshot = true;
        try {
          const api = vectors.collection(COLLECTION);
          const { name } = await api.createSnapshot();
          await api.deleteSnapshot(name);
        } finally {
          isWritingSnapshot = false;
        }
      },
    },
  ];
}

/** One of the operations, as often as it weighs. */
export function chooseOperation(operations: readonly Operation[], random: Random): Operation {
  let left = random.next() * operations.reduce((sum, { weight }) => sum + weight, 0);
  for (const operation of operations) {
    left -= operation.weight;
    if (left < 0) return operation;
  }
  throw new Error('there is no operation to choose');
}

function point(id: number, random: Random): PointInput {
  return { id, vector: vectorOf(random), payload: { group: random.integer(GROUPS), name: `point ${id}` } };
}

/** Near one of some centres, as embeddings are. */
function vectorOf(random: Random): readonly number[] {
  const centre = random.integer(GROUPS);
  return Array.from({ length: DIMENSION }, (_, index) => Math.sin(centre * 31 + index * (centre + 1)) + 0.6 * (random.next() - 0.5));
}
