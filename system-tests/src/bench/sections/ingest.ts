// SPDX-License-Identifier: Apache-2.0
/** Durable upserts with indexing, beside a library that only inserts into memory; and what searches feel of them. */
import { temporaryDirectory } from '@sextant/foundation-testing';
import { untilIndexed } from '../../until.ts';
import { type DataSet, openDataSet } from '../data-sets/data-set.ts';
import { startSubject } from '../libraries/subject.ts';
import { startBusyProgram } from '../load/busy-program.ts';
import { type LoadClient, type LoadRun, startLoadClient } from '../load/load-process.ts';
import { fixed, table, times, whole } from '../markdown.ts';
import { BATCH, EF_CONSTRUCT, SEARCH_PATH, searchBodies, startService, UPSERT_PATH, upsertBody } from '../service.ts';
import { median, percentile } from '../statistics.ts';
import type { Section } from './section.ts';

const POINTS_MAX = 100_000;
const PEER = 'hnswlib-node';
const EF = 128;
/** Batches that are upserted over and over while searches are timed: so many that a point is in the graph long before it is written again. */
const BATCHES_AHEAD = 40;
/** Of the time that is measured, before it: code is compiled, and runs as it will. */
const WARM_UP = 0.25;

type Latencies = { readonly p50Ms: number; readonly p99Ms: number; readonly searches: number };

type Figures = {
  readonly points: number;
  readonly dimension: number;
  readonly rounds: number;
  /** Points per second of the service until all are acknowledged and in the graph, and of the library, by round. */
  readonly service: readonly number[];
  /** The same once more on the same service; runs of earlier versions lack it, as well as `beside`. */
  readonly serviceAtWork?: readonly number[];
  readonly peer: readonly number[];
  readonly idle: readonly Latencies[];
  /** Beside another program that keeps a core busy. */
  readonly beside?: readonly Latencies[];
  readonly upserting: readonly (Latencies & { readonly pointsPerSecond: number })[];
};

export const ingest: Section<Figures> = {
  title: 'Upserts and concurrent searches',
  measure: async ({ points, queries, rounds, seconds }) => {
    const set = await openDataSet('GloVe-100', { points: Math.min(points['GloVe-100'], POINTS_MAX), queries });
    const batches: Buffer[] = [];
    for (let batch = 0; batch * 1000 < set.points.count; batch++) batches.push(await upsertBody(set.points, batch));
    const service: number[] = [];
    const serviceAtWork: number[] = [];
    const peer: number[] = [];
    for (let round = 1; round <= rounds; round++) {
      console.log(`ingest: round ${round} of ${rounds}`);
      const rates = await serviceRates(set, batches);
      service.push(rates.started);
      serviceAtWork.push(rates.atWork);
      const rate = await peerRate(set);
      if (rate !== undefined) peer.push(rate);
    }
    const { dimension, count } = set.points;
    return {
      points: count,
      dimension,
      rounds,
      service,
      serviceAtWork,
      peer,
      ...(await measureLatencies(set, batches, { rounds, seconds })),
    };
  },
  render: ({ points, dimension, rounds, service, serviceAtWork, peer, idle, beside, upserting }) => {
    const peerMedian = peer.length === 0 ? undefined : median(peer);
    const serviceRow = (name: string, rates: readonly number[]) => [name, whole(median(rates)), times(median(rates), peerMedian)];
    const rates = [
      serviceRow('sextant, durable and indexed, over HTTP', service),
      ...(serviceAtWork === undefined ? [] : [serviceRow('the same, when it has done so once: its code is compiled', serviceAtWork)]),
      [`${PEER}, into memory, one thread`, whole(peerMedian), ''],
    ];
    const pointsPerSecond = median(upserting.map((run) => run.pointsPerSecond));
    const latencies = [
      ['idle', idle],
      ...(beside === undefined ? [] : [['beside another program that keeps one core busy', beside] as const]),
      [`while another upserts batches of ${whole(BATCH)} (${whole(pointsPerSecond)} points/s)`, upserting],
    ] as const;
    const idleP99 = median(idle.map(({ p99Ms }) => p99Ms));
    const rows = latencies.map(([name, runs]) => {
      const [p50, p99] = [median(runs.map(({ p50Ms }) => p50Ms)), median(runs.map(({ p99Ms }) => p99Ms))];
      return [name, fixed(p50, 2), fixed(p99, 2), times(p99, idleP99), whole(median(runs.map(({ searches }) => searches)))];
    });
    return [
      `${whole(points)} x ${dimension} of GloVe-100, ef_construct ${EF_CONSTRUCT} for both, by the wall clock, medians of ${rounds} interleaved rounds.`,
      '',
      table(['', 'points/s', 'of the library'], rates),
      '',
      `One client searches sequentially in ${rounds} rounds, each first without and then with upserts; figures are medians of the rounds. The clients are processes of their own on the`,
      'same machine and share its cores with the service and its threads that write and link, so a latency includes the time for which a client waits for a core.',
      `The upserts are ${whole(BATCHES_AHEAD * BATCH)} new points and then the same points again, each in the graph before its next upsert.`,
      '',
      table(['', 'p50 ms', 'p99 ms', 'p99 of idle', 'searches'], rows),
    ].join('\n');
  },
};

async function serviceRates(set: DataSet, batches: readonly Buffer[]): Promise<{ readonly started: number; readonly atWork: number }> {
  await using data = await temporaryDirectory();
  await using service = await startService({ directory: data.path });
  const fill = async () => {
    const startedMs = performance.now();
    await service.fill(set, (batch) => batches[batch] ?? Buffer.alloc(0));
    return (set.points.count * 1000) / (performance.now() - startedMs);
  };
  const started = await fill();
  await service.collection.remove();
  return { started, atWork: await fill() };
}

async function peerRate(set: DataSet): Promise<number | undefined> {
  await using subject = await startSubject(PEER, set, { efConstruct: EF_CONSTRUCT });
  return subject && set.points.count / (await subject.build()).wallSeconds;
}

async function measureLatencies(
  set: DataSet,
  batches: readonly Buffer[],
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
): Promise<Pick<Figures, 'idle' | 'beside' | 'upserting'>> {
  await using stack = new AsyncDisposableStack();
  const data = stack.use(await temporaryDirectory());
  const service = stack.use(await startService({ directory: data.path }));
  await service.fill(set, (batch) => batches[batch] ?? Buffer.alloc(0));
  const target = { port: Number(new URL(service.server.address).port), headers: {} };
  const searches = stack.use(await startLoadClient({ ...target, path: SEARCH_PATH }, await searchBodies(set, EF)));
  const upserts = stack.use(await startLoadClient({ ...target, method: 'PUT', path: UPSERT_PATH }, await freshBatches(set)));
  const both = (length: number) => Promise.all([sendFor(searches, length), sendFor(upserts, length)]);
  const idle: Latencies[] = [];
  const beside: Latencies[] = [];
  const upserting: Figures['upserting'][number][] = [];
  for (let round = 0; round < rounds; round++) {
    await sendFor(searches, WARM_UP * seconds);
    idle.push(summary(await sendFor(searches, seconds)));
    beside.push(summary(await besideBusyProgram(() => sendFor(searches, seconds))));
    await both(WARM_UP * seconds);
    const [searched, upserted] = await both(seconds);
    const pointsPerSecond = (upserted.latenciesMs.length * BATCH) / upserted.wallSeconds;
    upserting.push({ ...summary(searched), pointsPerSecond });
    await untilIndexed(service.collection);
  }
  return { idle, beside, upserting };
}

async function besideBusyProgram<Result>(work: () => Promise<Result>): Promise<Result> {
  await using _program = startBusyProgram();
  return await work();
}

/** Vectors of the set once more, with ids that it has not. */
async function freshBatches({ points }: DataSet): Promise<readonly Buffer[]> {
  const whole = Math.floor(points.count / BATCH);
  const bodies: Buffer[] = [];
  for (let batch = 0; batch < BATCHES_AHEAD; batch++) {
    bodies.push(await upsertBody(points, batch % whole, points.count * (1 + Math.floor(batch / whole))));
  }
  return bodies;
}

function sendFor(client: LoadClient, seconds: number): Promise<LoadRun> {
  return client.send({ length: { seconds }, connections: 1 });
}

function summary({ latenciesMs }: LoadRun): Latencies {
  return { p50Ms: percentile(latenciesMs, 0.5), p99Ms: percentile(latenciesMs, 0.99), searches: latenciesMs.length };
}
