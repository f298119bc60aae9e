// SPDX-License-Identifier: Apache-2.0
/** What a limit on the size of a collection costs its upserts: for each, the node that takes it asks one copy of every shard how much it holds. */
import type { ChildServer } from '@sextant/foundation-testing';
import { type CollectionApi, vectorApi } from '../../vector-api.ts';
import { processorUs } from '../processor-time.ts';
import { median, ofEachFigure } from '../statistics.ts';

export type StrictModeRow = { readonly title: string; readonly withoutUs: number; readonly withUs: number };

const DIMENSIONS = 128;
const ROUNDS = 5;
const UPSERTS = 100;
/** Never reached. */
const LIMIT = { enabled: true, max_points_count: 1_000_000_000 };

/** Medians of rounds in turn, by processor time of all nodes for one upsert. The points are too few for a graph. */
export async function measureStrictMode(servers: readonly ChildServer[], shards: number): Promise<readonly StrictModeRow[]> {
  const [server] = servers;
  if (server === undefined) throw new Error('there is a node to ask');
  const api = vectorApi(server.client);
  const held = { vectors: { size: DIMENSIONS, distance: 'Dot' }, shard_number: shards, replication_factor: 1 } as const;
  const [without, limited] = [api.collection('without'), api.collection('limited')];
  await without.create(held);
  await limited.create({ ...held, strict_mode_config: LIMIT });
  const rows: StrictModeRow[] = [];
  for (const batch of [1, 100]) {
    const rounds: { readonly withoutUs: number; readonly withUs: number }[] = [];
    for (let round = -1; round < ROUNDS; round++) {
      const measured = { withoutUs: await upsertUs(without, batch), withUs: await upsertUs(limited, batch) };
      // Once without being counted: the optimising compiler needs some.
      if (round >= 0) rounds.push(measured);
    }
    rows.push({ title: `upserts of ${batch}, ${shards} shards`, ...ofEachFigure(rounds, median) });
  }
  for (const each of [without, limited]) await each.remove();
  return rows;

  async function upsertUs(collection: CollectionApi, batch: number): Promise<number> {
    const before = processorUs(servers);
    for (let at = 0; at < UPSERTS; at++) {
      await collection.upsert(Array.from({ length: batch }, (_, id) => ({ id, vector: vectorOf(id, at), payload: {} })));
    }
    return (processorUs(servers) - before) / UPSERTS;
  }
}

function vectorOf(id: number, at: number): readonly number[] {
  return Array.from({ length: DIMENSIONS }, (_, component) => Math.fround(Math.sin(id + component * (1 + at))));
}
