/** Searches per second over HTTP, with one serving thread and with two. */
import { temporaryDirectory } from '@sextant/foundation-testing';
import { openDataSet } from '../data-sets/data-set.ts';
import { exactAnswers, LIMIT } from '../data-sets/truth.ts';
import { fixed, table, times, whole } from '../markdown.ts';
import { SEARCH_PATH, searchBodies, startService, upsertBody } from '../service.ts';
import { median, recallOf } from '../statistics.ts';
import { httpLoad } from '../way-in/http-load.ts';
import type { Section } from './section.ts';

const SETS = ['words', 'fashion'] as const;
const THREADS = [1, 2] as const;
const POINTS_MAX = 100_000;
const EF = 64;
const CONNECTIONS = 16;
/** Of a round, for each second that the scale allows. */
const SEARCHES_PER_SECOND = 2000;

type ThreadFigures = {
  readonly threads: number;
  readonly recall: number;
  readonly rates: readonly number[];
  /** Of the service, microseconds for each search, by round. */
  readonly processorTimes: readonly number[];
};
type SetFigures = { readonly set: string; readonly points: number; readonly dimension: number; readonly threads: readonly ThreadFigures[] };
type Figures = { readonly rounds: number; readonly sets: readonly SetFigures[] };

export const serving: Section<Figures> = {
  title: 'Searches over HTTP',
  measure: async (scale) => {
    const sets: SetFigures[] = [];
    for (const name of SETS) {
      const set = await openDataSet(name, { points: Math.min(scale.points[name], POINTS_MAX), queries: scale.queries });
      const truth = await exactAnswers(set);
      const bodies = await searchBodies(set, EF);
      await using stack = new AsyncDisposableStack();
      const services = [];
      for (const threads of THREADS) {
        const data = stack.use(await temporaryDirectory());
        const service = stack.use(await startService({ directory: data.path, threads }));
        console.log(`serving: ${threads} threads, ${set.points.count} points of ${name}`);
        await service.fill(set, (batch) => upsertBody(set.points, batch));
        const answers: (readonly number[])[] = [];
        for (const body of bodies) answers.push(await service.search(body));
        const target = { port: Number(new URL(service.server.address).port), path: SEARCH_PATH, headers: {} };
        const rates: number[] = [];
        const processorTimes: number[] = [];
        const figures: ThreadFigures = { threads, recall: recallOf(answers, truth, LIMIT), rates, processorTimes };
        services.push({ service, target, rates, processorTimes, figures });
      }
      const count = SEARCHES_PER_SECOND * scale.seconds;
      // The first round, in which code is compiled, does not count.
      for (let round = 0; round <= scale.rounds; round++) {
        for (const { service, target, rates, processorTimes } of services) {
          const cpuBefore = await service.cpuSeconds();
          const startedMs = performance.now();
          await httpLoad(target, bodies, { count, connections: CONNECTIONS });
          if (round === 0) continue;
          rates.push((count * 1000) / (performance.now() - startedMs));
          processorTimes.push((((await service.cpuSeconds()) - cpuBefore) * 1e6) / count);
        }
      }
      sets.push({ set: name, points: set.points.count, dimension: set.points.dimension, threads: services.map(({ figures }) => figures) });
    }
    return { rounds: scale.rounds, sets };
  },
  render: ({ rounds, sets }) => {
    const rows = sets.flatMap(({ set, points, dimension, threads }) => {
      const one = median(threads[0]?.rates ?? []);
      return threads.map((run) => {
        const rate = median(run.rates);
        const processorTime = fixed(median(run.processorTimes), 1);
        return [
          `${set}, ${whole(points)} x ${dimension}`,
          String(run.threads),
          fixed(run.recall, 4),
          whole(rate),
          times(rate, one),
          processorTime,
        ];
      });
    });
    return [
      `Keep-alive connections, ${CONNECTIONS} searches in flight, ef ${EF}, limit ${LIMIT}, by the wall clock, medians of ${rounds} interleaved rounds. The load generator runs`,
      'on the same machine: on two cores, a second serving thread has to share its core with it. The last column is the processor time of the service for',
      'each search, all its threads together: what a second core would add is what a search does not cost more.',
      '',
      table(['', 'serving threads', `recall@${LIMIT}`, 'searches/s', 'of one', 'microseconds of the service'], rows),
    ].join('\n');
  },
};
