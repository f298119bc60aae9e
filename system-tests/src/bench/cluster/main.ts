// SPDX-License-Identifier: Apache-2.0
/**
 * `npm run bench:cluster`: what a cluster costs beside a single node, by the processor time of the nodes, so that sharing one machine does not blur it; and the
 * recall at the same `ef` over more and more shards; and what a strict mode costs that limits how much all shards hold. Three nodes over one NATS server, whose own time is not counted.
 *
 *   --points n     default 8000; 0 measures the strict mode alone
 *   --searches n   default 400
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '@sextant/foundation-std';
import { type ChildServer, readFlags, temporaryDirectory } from '@sextant/foundation-testing';
import { LOGS, startCluster } from '../../cluster/cluster-nodes.ts';
import { GRAPH_ALWAYS } from '../../graph-config.ts';
import { type CollectionApi, vectorApi } from '../../vector-api.ts';
import { startVectorServer } from '../../vector-server.ts';
import { processorUs, TICK_US } from '../processor-time.ts';
import { measureStrictMode, type StrictModeRow } from './strict-mode.ts';

const DIMENSIONS = 128;
const BATCH = 100;
const LIMIT = 10;
const EF = 64;
/** Vectors of so many sources, each a mixture: neighbours are neither trivial nor all alike. */
const FACTORS = 16;
const SEED = 19;

const { values } = readFlags({ options: { points: { type: 'string', default: '8000' }, searches: { type: 'string', default: '400' } } });
const [pointCount = 0, searchCount = 0] = [values.points, values.searches].map(Number);

const random = seededRandom(SEED);
const normal = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
const factors = Array.from({ length: FACTORS }, () => Array.from({ length: DIMENSIONS }, normal));
const makeVector = () => {
  const weights = factors.map(normal);
  return Array.from({ length: DIMENSIONS }, (_, at) =>
    Math.fround(factors.reduce((sum, factor, which) => sum + (factor[at] ?? 0) * (weights[which] ?? 0), normal())),
  );
};
const vectors = Array.from({ length: pointCount }, makeVector);
const queries = Array.from({ length: searchCount }, makeVector);

type Row = { readonly title: string; readonly upsertUs: number; readonly searchUs: number; readonly recall: number };

const rows: Row[] = [];
const strictRows: StrictModeRow[] = [];
if (pointCount > 0) {
  await using directory = await temporaryDirectory();
  await using server = await startVectorServer({ directory: directory.path, environment: { SERVICE_THREADS: '1' } });
  rows.push(await measure('a single node, no log', [server], {}));
}
const { NATS: log } = LOGS;
if (log === undefined || log.missing !== undefined) throw new Error(log?.missing ?? 'there is no log to measure with');
{
  await using running = await log.start();
  await using cluster = await startCluster(running);
  for (const shards of [4, 8]) strictRows.push(...(await measureStrictMode(cluster.servers, shards)));
  if (pointCount > 0) rows.push(await measure('three nodes, on every node', cluster.servers, {}));
  for (const shards of pointCount > 0 ? [4, 8] : []) {
    rows.push(await measure(`three nodes, ${shards} shards of one copy`, cluster.servers, { shard_number: shards, replication_factor: 1 }));
  }
}

console.log(`${pointCount} points of ${DIMENSIONS} components, in upserts of ${BATCH}; ${searchCount} searches for ${LIMIT}, ef ${EF}.\n`);
console.log('| collection | processor time an upserted point (µs), all nodes | processor time a search (µs), all nodes | recall@10 |');
console.log('| --- | ---: | ---: | ---: |');
for (const { title, upsertUs, searchUs, recall } of rows) {
  console.log(`| ${title} | ${upsertUs.toFixed(0)} | ${searchUs.toFixed(0)} | ${recall.toFixed(4)} |`);
}
console.log('\n| three nodes | processor time an upsert (µs), all nodes, no limit | with max_points_count | ratio |');
console.log('| --- | ---: | ---: | ---: |');
for (const { title, withoutUs, withUs } of strictRows) {
  console.log(`| ${title} | ${withoutUs.toFixed(0)} | ${withUs.toFixed(0)} | ${(withUs / withoutUs).toFixed(2)} |`);
}

/** Linking the graph is part of an upsert; searches begin when it is done and the nodes are idle. */
async function measure(title: string, servers: readonly ChildServer[], held: object): Promise<Row> {
  const apis = servers.map(({ client }) => vectorApi(client).collection('vectors'));
  const [first] = apis;
  if (first === undefined) throw new Error('there is a node to ask');
  const beforeUs = processorUs(servers);
  await first.create({ vectors: { size: DIMENSIONS, distance: 'Cosine' }, ...GRAPH_ALWAYS, ...held });
  for (let from = 0; from < pointCount; from += BATCH) {
    await first.upsert(vectors.slice(from, from + BATCH).map((vector, at) => ({ id: from + at, vector, payload: {} })));
  }
  await idle(servers);
  const writtenUs = processorUs(servers);
  // Once without being counted: the optimising compiler needs some.
  for (const query of queries) await search(first, query, {});
  await idle(servers);
  const searchedFromUs = processorUs(servers);
  const found: ReadonlySet<unknown>[] = [];
  for (const query of queries) found.push(await search(first, query, { hnsw_ef: EF }));
  const searchedUs = processorUs(servers);
  let hits = 0;
  for (const [at, query] of queries.entries()) {
    for (const id of await search(first, query, { exact: true })) if (found[at]?.has(id) === true) hits += 1;
  }
  await first.remove();
  return {
    title,
    upsertUs: (writtenUs - beforeUs) / pointCount,
    searchUs: (searchedUs - searchedFromUs) / searchCount,
    recall: hits / (searchCount * LIMIT),
  };
}

async function search(api: CollectionApi, vector: readonly number[], params: { readonly hnsw_ef?: number; readonly exact?: boolean }) {
  return new Set((await api.search({ vector, limit: LIMIT, params })).map(({ id }) => id));
}

/** Nodes beat every two seconds, which takes next to nothing. */
async function idle(servers: readonly ChildServer[]): Promise<void> {
  for (let quiet = 0, last = processorUs(servers); quiet < 3; ) {
    await sleep(1000);
    const now = processorUs(servers);
    quiet = now - last <= 3 * TICK_US * servers.length ? quiet + 1 : 0;
    last = now;
  }
}
