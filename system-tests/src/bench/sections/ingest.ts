/** Durable upserts with indexing, beside a library that only inserts into memory; and what searches feel of them. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { type DataSet, openDataSet } from '../data-sets/data-set.ts';
import { startSubject } from '../libraries/subject.ts';
import { fixed, table, times, whole } from '../markdown.ts';
import { BATCH, type BenchService, EF_CONSTRUCT, searchBodies, startService, upsertBody } from '../service.ts';
import { median, percentile } from '../statistics.ts';
import type { Section } from './section.ts';
import type { UpsertThreadData } from './upsert-thread.ts';

const POINTS_MAX = 100_000;
const PEER = 'hnswlib-node';
const EF = 128;
/** Batches that are upserted over and over while searches are timed. */
const BATCHES_AHEAD = 10;

type Latencies = { readonly p50Ms: number; readonly p99Ms: number; readonly searches: number };

type Figures = {
  readonly points: number;
  readonly dimension: number;
  readonly rounds: number;
  /** Points per second of the service until all are acknowledged and in the graph, and of the library, by round. */
  readonly service: readonly number[];
  readonly peer: readonly number[];
  readonly idle: Latencies;
  readonly upserting: Latencies & { readonly pointsPerSecond: number };
};

export const ingest: Section<Figures> = {
  title: 'Upserts, and searches meanwhile',
  measure: async ({ points, queries, rounds, seconds }) => {
    const set = await openDataSet('words', { points: Math.min(points.words, POINTS_MAX), queries });
    const batches: Buffer[] = [];
    for (let batch = 0; batch * 1000 < set.points.count; batch++) batches.push(await upsertBody(set.points, batch));
    const service: number[] = [];
    const peer: number[] = [];
    for (let round = 1; round <= rounds; round++) {
      console.log(`ingest: round ${round} of ${rounds}`);
      service.push(await serviceRate(set, batches));
      const rate = await peerRate(set);
      if (rate !== undefined) peer.push(rate);
    }
    const { dimension, count } = set.points;
    return { points: count, dimension, rounds, service, peer, ...(await measureLatencies(set, batches, seconds)) };
  },
  render: ({ points, dimension, rounds, service, peer, idle, upserting }) => {
    const peerMedian = peer.length === 0 ? undefined : median(peer);
    const rates = [
      ['sextant, durable and indexed, over HTTP', whole(median(service)), times(median(service), peerMedian)],
      [`${PEER}, into memory, one thread`, whole(peerMedian), ''],
    ];
    const latencies = [
      ['idle', idle],
      [`while a client upserts batches of 1,000 (${whole(upserting.pointsPerSecond)} points/s)`, upserting],
    ] as const;
    const rows = latencies.map(([name, { p50Ms, p99Ms, searches }]) => [
      name,
      fixed(p50Ms, 2),
      fixed(p99Ms, 2),
      times(p99Ms, idle.p99Ms),
      whole(searches),
    ]);
    return [
      `${whole(points)} x ${dimension} of words, ef_construct ${EF_CONSTRUCT} for both, by the wall clock, medians of ${rounds} interleaved rounds.`,
      '',
      table(['', 'points/s', 'of the library'], rates),
      '',
      'Searches of one client, one after the other:',
      '',
      table(['', 'p50 ms', 'p99 ms', 'p99 of idle', 'searches'], rows),
    ].join('\n');
  },
};

async function serviceRate(set: DataSet, batches: readonly Buffer[]): Promise<number> {
  await using data = await temporaryDirectory();
  await using service = await startService({ directory: data.path });
  const startedMs = performance.now();
  await service.fill(set, (batch) => batches[batch] ?? Buffer.alloc(0));
  return (set.points.count * 1000) / (performance.now() - startedMs);
}

async function peerRate(set: DataSet): Promise<number | undefined> {
  await using subject = await startSubject(PEER, set, { efConstruct: EF_CONSTRUCT });
  return subject && set.points.count / (await subject.build()).wallSeconds;
}

async function measureLatencies(set: DataSet, batches: readonly Buffer[], seconds: number): Promise<Pick<Figures, 'idle' | 'upserting'>> {
  await using data = await temporaryDirectory();
  await using service = await startService({ directory: data.path });
  await service.fill(set, (batch) => batches[batch] ?? Buffer.alloc(0));
  const bodies = await searchBodies(set, EF);
  const fresh: Buffer[] = [];
  for (let batch = 0; batch < Math.min(BATCHES_AHEAD, batches.length); batch++)
    fresh.push(await upsertBody(set.points, batch, set.points.count));
  await searchFor(service, bodies, seconds / 4);
  const idle = await searchFor(service, bodies, seconds);
  const upserts = startUpserts(service, fresh);
  const searches = await searchFor(service, bodies, seconds);
  const batchesPerSecond = await upserts.stop();
  return { idle: summary(idle), upserting: { ...summary(searches), pointsPerSecond: batchesPerSecond * BATCH } };
}

/** Latencies of one search after the other, in milliseconds. */
async function searchFor(service: BenchService, bodies: readonly Buffer[], seconds: number): Promise<readonly number[]> {
  const latenciesMs: number[] = [];
  const endMs = performance.now() + seconds * 1000;
  for (let query = 0; performance.now() < endMs; query = (query + 1) % bodies.length) {
    const startedMs = performance.now();
    await service.search(bodies[query] ?? Buffer.alloc(0));
    latenciesMs.push(performance.now() - startedMs);
  }
  return latenciesMs;
}

/** On a thread of its own, so that what it does holds up no search of the client that is timed. */
function startUpserts(service: BenchService, bodies: readonly Buffer[]): { stop(): Promise<number> } {
  const workerData: UpsertThreadData = { port: Number(new URL(service.server.address).port), bodies };
  const thread = new Worker(new URL('./upsert-thread.ts', import.meta.url), { workerData });
  return {
    stop: async () => {
      const ended = once(thread, 'message');
      thread.postMessage('stop');
      const [batchesPerSecond] = await ended;
      await thread.terminate();
      return Number(batchesPerSecond);
    },
  };
}

function summary(latenciesMs: readonly number[]): Latencies {
  return { p50Ms: percentile(latenciesMs, 0.5), p99Ms: percentile(latenciesMs, 0.99), searches: latenciesMs.length };
}
