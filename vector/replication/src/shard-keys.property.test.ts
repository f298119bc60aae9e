// SPDX-License-Identifier: Apache-2.0
/** Writes by chance under keys that come and go: two nodes answer what an engine without storage and search answers. */
import { ServiceError, type ShardKey, type ShardKeySelector } from '@sextant/contracts-vector';
import { type Random, seededRandom } from '@sextant/foundation-std';
import { chooseSeed } from '@sextant/foundation-testing';
import { type KeyedEngine, openNaiveKeys } from '@sextant/vector-collection/conformance';
import { expect, test } from 'vitest';
import { rewind, type TestNode, temporaryCluster } from './replicas.fixture.ts';

const SEED = chooseSeed();
const KEYS: readonly ShardKey[] = ['a', 'b', 7, '7'];
const IDS = 9;
const STEPS = 60;
const COLLECTION = 'map';

/** What the engine answered, or how it refused. */
async function outcomeOf(asked: Promise<unknown>): Promise<unknown> {
  try {
    const answer = await asked;
    return answer;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return error.code;
  }
}

type Step = (engine: KeyedEngine) => Promise<unknown>;

function stepOf(random: Random): Step {
  const one = <Item>(items: readonly Item[]) => items[random.integer(items.length)] as Item;
  const selector = (): ShardKeySelector | undefined => {
    const kind = random.integer(8);
    if (kind === 0) return undefined;
    if (kind === 1) return { target: one(KEYS), fallback: one(KEYS) };
    return kind === 2 ? [one(KEYS), one(KEYS)] : one(KEYS);
  };
  const ids = () => Array.from({ length: 1 + random.integer(3) }, () => random.integer(IDS));
  const point = (id: number) => ({
    id,
    vector: [random.integer(1e6) / 1e6, random.integer(1e6) / 1e6],
    payload: { n: random.integer(4), even: id % 2 === 0 },
  });
  const filter = { must: [{ key: 'even', match: { value: true } }] };
  const under = selector();
  const chosen = random.integer(2) === 0 ? { points: [...new Set(ids())] } : { filter };
  const points = [...new Set(ids())].map(point);
  const n = random.integer(9);
  switch (random.integer(10)) {
    case 0: {
      const key = one(KEYS);
      return (engine) => engine.createShardKey(COLLECTION, key).then(() => true);
    }
    case 1: {
      const key = one(KEYS);
      return random.integer(3) === 0 ? (engine) => engine.dropShardKey(COLLECTION, key).then(() => true) : async () => true;
    }
    case 2:
      return (engine) => engine.deletePoints(COLLECTION, chosen, under).then(() => true);
    case 3:
      return (engine) => engine.setPayload(COLLECTION, { selector: chosen, payload: { n } }, under).then(() => true);
    case 4:
      return (engine) => engine.clearPayload(COLLECTION, chosen, under).then(() => true);
    case 5:
      return (engine) => engine.updateVectors(COLLECTION, points, undefined, under).then(() => true);
    case 6:
      return (engine) => engine.createFieldIndex(COLLECTION, 'n', { type: 'integer' }).then(() => true);
    default:
      return (engine) => engine.upsert(COLLECTION, points, undefined, under).then(() => true);
  }
}

/** Every kind of read, over all keys and over some. */
async function seenBy(engine: KeyedEngine): Promise<unknown> {
  const everything = { with_payload: true, with_vector: true, limit: 100 };
  const some: readonly (ShardKeySelector | null)[] = [null, ...KEYS, ['a', '7'], { target: 'b', fallback: 7 }];
  const answers: unknown[] = [];
  for (const shard_key of some) {
    answers.push(
      await outcomeOf(engine.scroll(COLLECTION, { ...everything, shard_key })),
      await outcomeOf(engine.scroll(COLLECTION, { limit: 2, offset: 3, shard_key })),
      await outcomeOf(engine.count(COLLECTION, { filter: { must: [{ key: 'even', match: { value: true } }] }, shard_key })),
      await outcomeOf(engine.retrieve(COLLECTION, { ids: [4, 0, 1], shard_key })),
      await outcomeOf(engine.facet(COLLECTION, { key: 'n', shard_key })),
      await outcomeOf(
        engine
          .nearest(COLLECTION, { vector: [0.5, 0.25], limit: 5, offset: 1, shard_key })
          .then((hits) => hits.map(({ id, shard_key: key }) => [id, key])),
      ),
      await outcomeOf(
        engine
          .nearest(COLLECTION, { vector: { id: 3 }, limit: 4, shard_key })
          .then((hits) => hits.map(({ id, shard_key: key }) => [id, key])),
      ),
    );
  }
  return answers;
}

const keyed = (node: TestNode): KeyedEngine => ({
  ...node.engine,
  createShardKey: async (collection, key) =>
    node.replicator?.onCatalog({ kind: 'create_shard_key', collection, key, nodes: [['north'], ['north', 'east']] }),
  dropShardKey: async (collection, key) => node.replicator?.onCatalog({ kind: 'drop_shard_key', collection, key }),
});

test.each([0, 1, 2, 3])('two nodes answer as the naive engine does, also when they read the log again (run %i)', async (run) => {
  const seed = SEED + run;
  const random = seededRandom(seed);
  await using cluster = temporaryCluster();
  const open = (name: string) =>
    cluster.open({ directory: cluster.directory(name), log: cluster.log(), name, shards: 1, peers: cluster.peers });
  const naive = openNaiveKeys();
  let north = await open('north');
  let east = await open('east');
  const request = { vectors: { size: 2, distance: 'Euclid' }, sharding_method: 'custom' } as const;
  await naive.createCollection(COLLECTION, request);
  await north.engine.createCollection(COLLECTION, request);
  for (const key of KEYS.slice(0, 2)) for (const engine of [naive, keyed(north)]) await engine.createShardKey(COLLECTION, key);
  for (let step = 0; step < STEPS; step++) {
    const act = stepOf(random);
    const expected = await outcomeOf(act(naive));
    const node = random.integer(2) === 0 ? north : east;
    expect({ seed, step, outcome: await outcomeOf(act(keyed(node))) }).toEqual({ seed, step, outcome: expected });
  }
  const expected = await seenBy(naive);
  for (const node of [north, east]) {
    await node.replicator?.caughtUp();
    expect({ seed, seen: await seenBy(keyed(node)) }).toEqual({ seed, seen: expected });
  }
  for (const node of [north, east]) await node.engine.close();
  for (const name of ['north', 'east']) rewind(cluster.directory(name), { marks: true });
  north = await open('north');
  east = await open('east');
  for (const node of [north, east]) expect({ seed, seen: await seenBy(keyed(node)) }).toEqual({ seed, seen: expected });
});
