/** The order of the measurement: rounds in which every subject takes its turn, so that what else the machine does hits all alike. */
import { median, percentile } from './statistics.ts';
import type { Build, SearchRun, Subject } from './subject.ts';
import { exactAnswers, LIMIT, SELECTIONS, type Workload } from './workload.ts';

export type SearchFigures = {
  readonly recall: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly perSecond: number;
};

export type SubjectFigures = {
  readonly name: string;
  readonly build: Build;
  readonly residentBytes: number;
  /** One entry for each of `SELECTIONS`. */
  readonly searches: readonly SearchFigures[];
};

export async function measure(subjects: readonly Subject[], workload: Workload, rounds: number): Promise<SubjectFigures[]> {
  const builds: Build[] = [];
  for (const subject of subjects) {
    console.log(`${subject.name}: storing and indexing ${workload.points.count} points`);
    builds.push(await subject.build());
  }
  console.log('Computing the exact answers');
  const truths = SELECTIONS.map((_, selection) => exactAnswers(workload, selection));
  const runs = subjects.map(() => SELECTIONS.map((): SearchFigures[] => []));
  for (let round = 1; round <= rounds; round++) {
    console.log(`Searching, round ${round} of ${rounds}`);
    for (const [selection, truth] of truths.entries()) {
      for (const [index, subject] of subjects.entries()) runs[index]?.[selection]?.push(figuresOf(await subject.search(selection), truth));
    }
  }
  return Promise.all(
    subjects.map(async (subject, index) => ({
      name: subject.name,
      build: builds[index] ?? { uploadSeconds: undefined, seconds: Number.NaN },
      residentBytes: await subject.residentBytes(),
      searches: (runs[index] ?? []).map(medianFigures),
    })),
  );
}

function figuresOf({ latenciesMs, answers }: SearchRun, truth: readonly (readonly number[])[]): SearchFigures {
  const wanted = truth.reduce((sum, ids) => sum + Math.min(LIMIT, ids.length), 0);
  const found = truth.reduce((sum, ids, query) => sum + ids.filter((id) => answers[query]?.includes(id)).length, 0);
  const totalMs = latenciesMs.reduce((sum, latencyMs) => sum + latencyMs, 0);
  return {
    recall: found / wanted,
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
    perSecond: (latenciesMs.length * 1000) / totalMs,
  };
}

function medianFigures(rounds: readonly SearchFigures[]): SearchFigures {
  const of = (figure: keyof SearchFigures) => median(rounds.map((round) => round[figure]));
  return { recall: of('recall'), p50Ms: of('p50Ms'), p99Ms: of('p99Ms'), perSecond: of('perSecond') };
}
