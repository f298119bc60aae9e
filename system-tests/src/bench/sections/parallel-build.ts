// SPDX-License-Identifier: Apache-2.0
/** One graph built by two threads beside one, and what two processes that share nothing reach. */
import { type DataSet, openDataSet } from '../data-sets/data-set.ts';
import { exactAnswers } from '../data-sets/truth.ts';
import { searchAll } from '../libraries/ef-curves.ts';
import { KERNEL } from '../libraries/library.ts';
import { type Subject, startSubject } from '../libraries/subject.ts';
import { fixed, table, times, whole } from '../markdown.ts';
import { median, ofEachFigure } from '../statistics.ts';
import type { Section } from './section.ts';

const SETS = ['GloVe-100', 'Fashion-MNIST'] as const;
const THREADS = [1, 2] as const;
const EF_CONSTRUCT = 128;
const EF = 56;

type ThreadFigures = { readonly threads: number; readonly wallRate: number; readonly processorRate: number; readonly recall: number };
/** Graphs of half of the vectors by one thread each: one alone, then two processes at a time. */
type HalvesFigures = { readonly alone: number; readonly atOnce: number; readonly processorRate: number };
type SetFigures = {
  readonly set: string;
  readonly points: number;
  readonly dimension: number;
  readonly threads: readonly ThreadFigures[];
  readonly halves: HalvesFigures;
};
type Figures = { readonly rounds: number; readonly sets: readonly SetFigures[] };

export const parallelBuild: Section<Figures> = {
  title: 'Building one graph with two threads',
  measure: async (scale) => {
    const sets: SetFigures[] = [];
    for (const name of SETS) {
      const set = await openDataSet(name, { points: scale.points[name], queries: scale.queries });
      const half = await openDataSet(name, { points: Math.floor(scale.points[name] / 2), queries: scale.queries });
      const truth = await exactAnswers(set);
      const runs = THREADS.map((): ThreadFigures[] => []);
      const halves: HalvesFigures[] = [];
      for (let round = 0; round < scale.rounds; round++) {
        for (const [index, threads] of THREADS.entries()) {
          await using subject = await kernel(set, threads);
          console.log(`${name}: ${threads} threads build ${set.points.count} x ${set.points.dimension}`);
          const { wallSeconds, processorSeconds } = await subject.build();
          const [{ recall } = { recall: Number.NaN }] = await searchAll([subject], truth, { ef: EF, rounds: 0 });
          const { count } = set.points;
          runs[index]?.push({ threads, wallRate: count / wallSeconds, processorRate: count / processorSeconds, recall });
        }
        halves.push(await buildHalves(half));
      }
      const { count, dimension } = set.points;
      sets.push({
        set: name,
        points: count,
        dimension,
        threads: runs.map((each) => ofEachFigure(each, median)),
        halves: ofEachFigure(halves, median),
      });
    }
    return { rounds: scale.rounds, sets };
  },
  render: ({ rounds, sets }) => {
    const rows = sets.flatMap(({ set, points, dimension, threads, halves }) => {
      const name = `${set}, ${whole(points)} x ${dimension}`;
      const one = threads[0]?.wallRate;
      return [
        ...threads.map(({ threads: count, wallRate, processorRate, recall }) => [
          name,
          String(count),
          whole(wallRate),
          times(wallRate, one),
          whole(processorRate),
          fixed(recall, 4),
        ]),
        [name, '1 + 1', whole(halves.atOnce), times(halves.atOnce, halves.alone), whole(halves.processorRate), '-'],
      ];
    });
    const header = ['', 'threads', 'vectors/s', 'of one', 'vectors/s of processor time', `recall, ef ${EF}`];
    return [
      `Times are by the wall clock, medians of ${rounds} rounds. "1 + 1" compares two processes that share nothing, each with a graph of half of the vectors, with one such process alone: the speedup that the`,
      'hardware allows two threads. A busy machine cannot show it.',
      '',
      table(header, rows),
    ].join('\n');
  },
};

async function kernel(set: DataSet, threads: number): Promise<Subject> {
  const subject = await startSubject(KERNEL, set, { efConstruct: EF_CONSTRUCT, threads });
  if (subject === undefined) throw new Error('the kernel is always measured');
  return subject;
}

async function buildHalves(half: DataSet): Promise<HalvesFigures> {
  const build = async () => {
    await using subject = await kernel(half, 1);
    return await subject.build();
  };
  const alone = await build();
  await using first = await kernel(half, 1);
  await using second = await kernel(half, 1);
  const both = await Promise.all([first.build(), second.build()]);
  const { count } = half.points;
  return {
    alone: count / alone.wallSeconds,
    atOnce: (2 * count) / Math.max(...both.map(({ wallSeconds }) => wallSeconds)),
    processorRate: (2 * count) / both.reduce((sum, { processorSeconds }) => sum + processorSeconds, 0),
  };
}
