// SPDX-License-Identifier: Apache-2.0
/** What asking another node for its shards takes, beside searching them: three nodes over NATS with so few points that searching takes next to nothing. */
import { seededRandom } from '@sextant/foundation-std';
import { LOGS, startCluster } from '../../cluster/cluster-nodes.ts';
import { inLanes } from '../../lanes.ts';
import { vectorApi } from '../../vector-api.ts';
import { LIMIT } from '../data-sets/truth.ts';
import { median } from '../statistics.ts';
import { threadsUs } from '../threads-us.ts';
import { DIMENSION } from './measured-node.ts';

const POINTS = 30;
const SEARCHES = 1000;
/** A node that is asked for one thing at a time takes more for each: it falls asleep and wakes. */
const AT_ONCE = 16;
const ROUNDS = 5;
const SEED = 19;

export type CostOfAsking = {
  /** Processor time for each node asked, in milliseconds: of the node that asks, and of the one that answers. */
  readonly askMs: number;
  readonly answerMs: number;
};

/** The same searches in turns of a collection that the first node has whole and of one of which each node has a shard; the median of the differences. */
export async function costOfAsking(): Promise<CostOfAsking> {
  const { NATS: log } = LOGS;
  if (log === undefined || log.missing !== undefined) throw new Error(log?.missing ?? 'there is no log to measure with');
  await using running = await log.start();
  await using cluster = await startCluster(running);
  const [first, ...others] = cluster.servers;
  if (first === undefined) throw new Error('there is a node to ask');
  const random = seededRandom(SEED);
  const vector = () => Array.from({ length: DIMENSION }, () => Math.fround(random.next() - 0.5));
  const points = Array.from({ length: POINTS }, (_, id) => ({ id, vector: vector(), payload: {} }));
  const api = vectorApi(first.client);
  for (const [name, placed] of Object.entries({ whole: {}, sharded: { shard_number: 1 + others.length } })) {
    await api.collection(name).create({ vectors: { size: DIMENSION, distance: 'Cosine' }, ...placed });
    await api.collection(name).upsert(points);
  }
  const searched = async (name: string) => {
    const before = [first, ...others].map(({ pid }) => threadsUs(pid));
    await inLanes(SEARCHES, AT_ONCE, async () => {
      await api.collection(name).search({ vector: vector(), limit: LIMIT });
    });
    return [first, ...others].map(({ pid }, at) => (threadsUs(pid) - (before[at] ?? 0)) / SEARCHES);
  };
  const [asks, answers]: [number[], number[]] = [[], []];
  // The first round is not counted: code is compiled in it.
  for (let round = 0; round <= ROUNDS; round++) {
    const [ofOne = 0, ...idle] = await searched('whole');
    const [ofAsking = 0, ...ofAnswering] = await searched('sharded');
    if (round === 0) continue;
    asks.push((ofAsking - ofOne) / others.length / 1000);
    answers.push(...ofAnswering.map((us, at) => (us - (idle[at] ?? 0)) / 1000));
  }
  return { askMs: median(asks), answerMs: median(answers) };
}
