// SPDX-License-Identifier: Apache-2.0
/** Searches per second over HTTP, with one serving thread and with two, beside what two services that share nothing reach. */
import { temporaryDirectory } from '@sextant/foundation-testing';
import { type DataSet, openDataSet } from '../data-sets/data-set.ts';
import { exactAnswers, LIMIT } from '../data-sets/truth.ts';
import { type LoadClient, startLoadClient } from '../load/load-process.ts';
import { fixed, table, times, whole } from '../markdown.ts';
import { type BenchService, SEARCH_PATH, searchBodies, startService, upsertBody } from '../service.ts';
import { median, recallOf } from '../statistics.ts';
import type { Section } from './section.ts';

const SETS = ['GloVe-100', 'Fashion-MNIST'] as const;
/** The serving threads of each service that takes part. */
const CASES = [[1], [2], [1, 1]] as const;
const POINTS_MAX = 100_000;
const EF = 64;
const CONNECTIONS = 16;
/** Of a round, for each second that the scale allows. */
const SEARCHES_PER_SECOND = 4000;

type Run = {
  readonly recall: number;
  /** By round: searches in a second, and microseconds of processor time for each, of all services and of all clients. */
  readonly rates: readonly number[];
  readonly services: readonly number[];
  readonly clients: readonly number[];
};
/** In the order of the cases. */
type SetFigures = { readonly set: string; readonly points: number; readonly dimension: number; readonly runs: readonly Run[] };
type Figures = { readonly rounds: number; readonly sets: readonly SetFigures[] };

export const serving: Section<Figures> = {
  title: 'Searches over HTTP',
  measure: async (scale) => {
    const sets: SetFigures[] = [];
    for (const name of SETS) {
      const set = await openDataSet(name, { points: Math.min(scale.points[name], POINTS_MAX), queries: scale.queries });
      console.log(`serving: ${set.points.count} points of ${name}`);
      const { count: points, dimension } = set.points;
      sets.push({
        set: name,
        points,
        dimension,
        runs: await measureSet(set, { rounds: scale.rounds, count: SEARCHES_PER_SECOND * scale.seconds }),
      });
    }
    return { rounds: scale.rounds, sets };
  },
  render: ({ rounds, sets }) => {
    const rows = sets.flatMap(({ set, points, dimension, runs }) => {
      const one = median(runs[0]?.rates ?? []);
      return runs.map(({ recall, rates, services, clients }, index) => [
        `${set}, ${whole(points)} x ${dimension}`,
        (CASES[index] ?? []).join(' + '),
        fixed(recall, 4),
        whole(median(rates)),
        times(median(rates), one),
        fixed(median(services), 1),
        fixed(median(clients), 1),
      ]);
    });
    return [
      `Keep-alive connections, ${CONNECTIONS} searches in flight, ef ${EF}, limit ${LIMIT}; by the wall clock, medians of ${rounds} interleaved rounds. The load generator runs on the`,
      'same machine in its own process, which sends requests that were encoded in advance and reads only the status and length of a response. "1 + 1" are two services of one thread, each with a generator',
      'and half of the load: the speedup that the hardware allows two threads that share nothing. The last columns are the processor time per search of all threads of the service and of the generator,',
      'which share the two cores.',
      '',
      table(['', 'serving threads', `recall@${LIMIT}`, 'searches/s', 'of one', 'service, us', 'generator, us'], rows),
    ].join('\n');
  },
};

type Subject = { readonly service: BenchService; readonly client: LoadClient };

async function measureSet(set: DataSet, { rounds, count }: { readonly rounds: number; readonly count: number }): Promise<readonly Run[]> {
  const truth = await exactAnswers(set);
  const bodies = await searchBodies(set, EF);
  await using stack = new AsyncDisposableStack();
  const cases = [];
  for (const threads of CASES) {
    const subjects: Subject[] = [];
    for (const own of threads) subjects.push(await startSubject(stack, set, { threads: own, bodies }));
    const figures: { rates: number[]; services: number[]; clients: number[] } = { rates: [], services: [], clients: [] };
    cases.push({ subjects, recall: await recallAt(subjects[0], bodies, truth), ...figures });
  }
  // The first round, in which code is compiled, does not count.
  for (let round = 0; round <= rounds; round++) {
    for (const { subjects, rates, services, clients } of cases) {
      const run = await measureRun(subjects, count);
      if (round === 0) continue;
      rates.push(run.rate);
      services.push(run.service);
      clients.push(run.client);
    }
  }
  return cases.map(({ recall, rates, services, clients }) => ({ recall, rates, services, clients }));
}

async function startSubject(
  stack: AsyncDisposableStack,
  set: DataSet,
  { threads, bodies }: { readonly threads: number; readonly bodies: readonly Buffer[] },
): Promise<Subject> {
  const data = stack.use(await temporaryDirectory());
  const service = stack.use(await startService({ directory: data.path, threads }));
  await service.fill(set, (batch) => upsertBody(set.points, batch));
  const target = { port: Number(new URL(service.server.address).port), path: SEARCH_PATH, headers: {} };
  return { service, client: stack.use(await startLoadClient(target, bodies)) };
}

async function recallAt(
  subject: Subject | undefined,
  bodies: readonly Buffer[],
  truth: Awaited<ReturnType<typeof exactAnswers>>,
): Promise<number> {
  const answers: (readonly number[])[] = [];
  for (const body of bodies) answers.push((await subject?.service.search(body)) ?? []);
  return recallOf(answers, truth, LIMIT);
}

/** The load is divided among the subjects. */
async function measureRun(subjects: readonly Subject[], count: number): Promise<{ rate: number; service: number; client: number }> {
  const options = { length: { requests: count / subjects.length }, connections: CONNECTIONS / subjects.length };
  const cpuSeconds = async () => sum(await Promise.all(subjects.map(({ service }) => service.cpuSeconds())));
  const cpuBefore = await cpuSeconds();
  const startedMs = performance.now();
  const runs = await Promise.all(subjects.map(({ client }) => client.send(options)));
  const rate = (count * 1000) / (performance.now() - startedMs);
  const microseconds = (seconds: number) => (seconds * 1e6) / count;
  return {
    rate,
    service: microseconds((await cpuSeconds()) - cpuBefore),
    client: microseconds(sum(runs.map(({ processorSeconds }) => processorSeconds))),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
