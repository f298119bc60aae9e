/** One graph built by two threads beside one. */
import { openDataSet } from '../data-sets/data-set.ts';
import { exactAnswers } from '../data-sets/truth.ts';
import { KERNEL } from '../libraries/library.ts';
import { startSubject } from '../libraries/subject.ts';
import { searchAll } from '../libraries/sweep.ts';
import { fixed, table, times, whole } from '../markdown.ts';
import { median } from '../statistics.ts';
import type { Section } from './section.ts';

const SETS = ['words', 'fashion'] as const;
const THREADS = [1, 2] as const;
const EF_CONSTRUCT = 128;
const EF = 56;

type ThreadFigures = { readonly threads: number; readonly wallRate: number; readonly processorRate: number; readonly recall: number };
type SetFigures = { readonly set: string; readonly points: number; readonly dimension: number; readonly threads: readonly ThreadFigures[] };
type Figures = { readonly rounds: number; readonly sets: readonly SetFigures[] };

export const parallelBuild: Section<Figures> = {
  title: 'One graph built by two threads',
  measure: async (scale) => {
    const sets: SetFigures[] = [];
    for (const name of SETS) {
      const set = await openDataSet(name, { points: scale.points[name], queries: scale.queries });
      const truth = await exactAnswers(set);
      const runs = THREADS.map((): ThreadFigures[] => []);
      for (let round = 0; round < scale.rounds; round++) {
        for (const [index, threads] of THREADS.entries()) {
          await using subject = await startSubject(KERNEL, set, { efConstruct: EF_CONSTRUCT, threads });
          if (subject === undefined) throw new Error('the kernel is always measured');
          console.log(`${name}: ${threads} threads build ${set.points.count} x ${set.points.dimension}`);
          const { wallSeconds, processorSeconds } = await subject.build();
          const [{ recall } = { recall: Number.NaN }] = await searchAll([subject], truth, { ef: EF, rounds: 0 });
          const { count } = set.points;
          runs[index]?.push({ threads, wallRate: count / wallSeconds, processorRate: count / processorSeconds, recall });
        }
      }
      sets.push({ set: name, points: set.points.count, dimension: set.points.dimension, threads: runs.map(medianRun) });
    }
    return { rounds: scale.rounds, sets };
  },
  render: ({ rounds, sets }) => {
    const rows = sets.flatMap(({ set, points, dimension, threads }) =>
      threads.map((run) => [
        `${set}, ${whole(points)} x ${dimension}`,
        String(run.threads),
        whole(run.wallRate),
        times(run.wallRate, threads[0]?.wallRate),
        whole(run.processorRate),
        fixed(run.recall, 4),
      ]),
    );
    const header = ['', 'threads', 'vectors/s', 'of one', 'vectors/s of processor time', `recall, ef ${EF}`];
    return [
      `By the wall clock, medians of ${rounds} rounds. A machine that is busy elsewhere cannot show two threads at work.`,
      '',
      table(header, rows),
    ].join('\n');
  },
};

function medianRun(runs: readonly ThreadFigures[]): ThreadFigures {
  const of = (figure: keyof ThreadFigures) => median(runs.map((run) => run[figure]));
  return { threads: of('threads'), wallRate: of('wallRate'), processorRate: of('processorRate'), recall: of('recall') };
}
