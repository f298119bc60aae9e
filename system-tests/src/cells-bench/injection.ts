// SPDX-License-Identifier: Apache-2.0
/** Faults of known kinds in clean tables: what is found of each kind, at each level, in each table. */
import { seededRandom } from '@sextant/foundation-std';
import { cleanTables } from './clean-tables.ts';
import { determinedCells } from './determined.ts';
import { FAULT_KINDS, type Spoiled, spoil } from './faults.ts';
import { spoilByHabits } from './habits.ts';
import { search } from './pair.ts';
import { type Score, scoreOf, scoreOfCounts } from './score.ts';
import type { TextTable } from './text-table.ts';

const LEVELS = [0.001, 0.01, 0.05];
/** The level at which each kind is put in alone. */
const ALONE = 0.01;
/** Kinds that put one good value in the place of another, alone and as a habit. */
const EXCHANGES = ['another value of the column', 'dependency broken'];

type Run = {
  readonly table: string;
  readonly cells: number;
  readonly level: number;
  readonly score: Score;
  readonly kinds: ReadonlyMap<string, Recall>;
  readonly ms: number;
};
type HabitRun = { readonly table: string; readonly score: Score; readonly kinds: ReadonlyMap<string, Recall> };
type Recall = { readonly wrong: number; readonly hits: number };
/** Of the cells of one kind in one table. */
type Exchange = {
  readonly kind: string;
  readonly wrong: number;
  readonly hits: number;
  readonly determined: number;
  readonly determinedHits: number;
};

type Note = (clean: TextTable, spoiled: Spoiled, proposed: ReadonlySet<string>) => void;

export async function injectionPage(seeds: readonly number[], onProgress: (line: string) => void): Promise<string> {
  const exchanges: Exchange[] = [];
  const note = (clean: TextTable, { table, faults }: Spoiled, proposed: ReadonlySet<string>) => {
    exchanges.push(...exchangesOf(clean, { table, faults }, proposed));
  };
  const habits = await habitRuns(seeds, { note, onProgress });
  const asShipped = new Map<string, number>();
  const runs: Run[] = [];
  const alone = new Map<string, Score[]>();
  for (const table of await cleanTables()) {
    for (const seed of seeds) {
      for (const level of LEVELS) {
        const { table: dirty, faults } = spoil(table, FAULT_KINDS, level, seededRandom(seed));
        const { proposed, ms } = await search(dirty);
        const score = scoreOf(proposed, new Set(faults.keys()));
        runs.push({
          table: table.name,
          cells: table.rows.length * table.columns.length,
          level,
          score,
          kinds: recallsOf(faults, proposed),
          ms,
        });
        onProgress(`${table.name}, seed ${seed}, ${100 * level} %: f1 ${score.f1.toFixed(3)}`);
      }
    }
    asShipped.set(table.name, (await search(table)).proposed.size);
    const [seed = 1] = seeds;
    for (const kind of FAULT_KINDS) {
      const { table: dirty, faults } = spoil(table, [kind], ALONE, seededRandom(seed));
      if (faults.size === 0) continue;
      const { proposed } = await search(dirty);
      note(table, { table: dirty, faults }, proposed);
      alone.set(kind.name, [...(alone.get(kind.name) ?? []), scoreOf(proposed, new Set(faults.keys()))]);
    }
    onProgress(`${table.name}: each kind alone`);
  }
  return render({ runs, alone, habits, exchanges, asShipped, seeds });
}

/** Faults as real tables have them: a few habits in each table. */
async function habitRuns(
  seeds: readonly number[],
  { note, onProgress }: { readonly note: Note; readonly onProgress: (line: string) => void },
): Promise<readonly HabitRun[]> {
  const runs: HabitRun[] = [];
  for (const table of await cleanTables()) {
    for (const seed of seeds) {
      const { table: dirty, faults } = spoilByHabits(table, seededRandom(seedOf(table.name, seed)));
      const { proposed } = await search(dirty);
      note(table, { table: dirty, faults }, proposed);
      const score = scoreOf(proposed, new Set(faults.keys()));
      runs.push({ table: table.name, score, kinds: recallsOf(faults, proposed) });
      onProgress(`${table.name}, seed ${seed}, habits: f1 ${score.f1.toFixed(3)}`);
    }
  }
  return runs;
}

/** Each table has habits of its own. */
function seedOf(name: string, seed: number): number {
  return Array.from(name).reduce((hash, character) => (31 * hash + character.charCodeAt(0)) % 100_003, 7) + 7919 * seed;
}

function exchangesOf(clean: TextTable, { table, faults }: Spoiled, proposed: ReadonlySet<string>): readonly Exchange[] {
  return EXCHANGES.flatMap((kind) => {
    const cells = [...faults].flatMap(([cell, own]) => (own === kind ? [cell] : []));
    if (cells.length === 0) return [];
    const determined = determinedCells(clean, table, cells);
    const isHit = (cell: string) => proposed.has(cell);
    return [
      {
        kind,
        wrong: cells.length,
        hits: cells.filter(isHit).length,
        determined: determined.size,
        determinedHits: [...determined].filter(isHit).length,
      },
    ];
  });
}

function recallsOf(faults: ReadonlyMap<string, string>, proposed: ReadonlySet<string>): ReadonlyMap<string, Recall> {
  const kinds = new Map<string, Recall>();
  for (const [cell, kind] of faults) {
    const { wrong, hits } = kinds.get(kind) ?? { wrong: 0, hits: 0 };
    kinds.set(kind, { wrong: wrong + 1, hits: hits + (proposed.has(cell) ? 1 : 0) });
  }
  return kinds;
}

type Results = {
  readonly runs: readonly Run[];
  readonly alone: ReadonlyMap<string, readonly Score[]>;
  readonly habits: readonly HabitRun[];
  readonly exchanges: readonly Exchange[];
  /** Proposals in the tables before anything was put in. */
  readonly asShipped: ReadonlyMap<string, number>;
  readonly seeds: readonly number[];
};

function render({ runs, alone, habits, exchanges, asShipped, seeds }: Results): string {
  const memory = Math.round(process.resourceUsage().maxRSS / 1024);
  return `# Benchmark of wrong cells

\`npm run bench:cells\` puts faults of ${FAULT_KINDS.length} kinds into clean tables and measures which of them the search for [wrong cells](../concepts/wrong-cells.md) finds without rules or labels.
The tables are those of the npm package \`vega-datasets\`, up to 2,500 rows each, and three generated ones (\`orders\`, \`listings\`, \`staff\`). Faults are drawn with the seeds ${seeds.join(' and ')};
\`--development\` draws them with the seeds that the detectors were developed with. Public tables are taken as clean: findings about their own gaps and typos count as false positives.
\`npm run bench:cells -- --dirty a.csv --clean b.csv --json\` scores any pair of tables.

## Faults with the habits of real tables

Real faults follow habits. Each run draws three to six of 18 habits, each with a column (typos: all columns) and a share from 0.5 % to the whole column, so a column may have more faulty than
correct values. The mean F1 over ${habits.length} runs is **${mean(habits.map(({ score }) => score.f1)).toFixed(2)}**; ${Math.round(100 * mean(habits.map(({ score }) => (score.f1 >= 0.7 ? 1 : 0))))} % of the runs have an F1 of 0.70 or more.

| table | F1 | precision | recall | faulty cells |
| --- | ---: | ---: | ---: | ---: |
${[...Map.groupBy(habits, ({ table }) => table)].map(([name, own]) => habitRow(name, own)).join('\n')}

| habit | runs | mean recall |
| --- | ---: | ---: |
${habitKinds(habits).join('\n')}

## Evenly distributed faults, by table

All kinds occur equally often. The columns are F1 at three shares of faulty cells, then precision, recall and the time of a search at 1 %. *As shipped* is the number of findings before any fault is injected:
at 0.1 % they outnumber the faults in some tables, so F1 is low there even if every fault is found.

| table | cells | as shipped | F1 at 0.1 % | F1 at 1 % | F1 at 5 % | precision | recall | seconds |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
${[...Map.groupBy(runs, ({ table }) => table)].map(([name, own]) => tableRow(name, own, asShipped.get(name) ?? 0)).join('\n')}

## Evenly distributed faults, by kind

Recall with all kinds together at 5 %, and precision, recall and F1 of each kind alone at 1 %, over all tables. An exchanged value that is valid elsewhere can be found only if another column determines it.

| kind | recall at 5 % | precision alone | recall alone | F1 alone |
| --- | ---: | ---: | ---: | ---: |
${FAULT_KINDS.map(({ name }) => kindRow(name, runs, sumOf(alone.get(name) ?? []))).join('\n')}

## Valid values in the wrong place

A valid value in the wrong place can be found only through columns that determine it. *Determined* is the share of the faulty cells for which one or two other columns determine the column in the clean table (agreement 0.9 or more) and
at least two other rows of the faulty table, and three quarters of them, have the right value. No search that sees only the table can find the others reliably; a few are found because the value is unusual in its row.

| kind | damaged cells | determined | recall | recall of the determined |
| --- | ---: | ---: | ---: | ---: |
${EXCHANGES.map((kind) => exchangeRow(kind, exchanges)).join('\n')}

The process took at most ${memory} MiB of memory.
`;
}

function habitRow(name: string, runs: readonly HabitRun[]): string {
  const of = (figure: (score: Score) => number): number => mean(runs.map(({ score }) => figure(score)));
  const figures = [of(({ f1 }) => f1), of(({ precision }) => precision), of(({ recall }) => recall)].map((figure) => figure.toFixed(2));
  return `| ${[name, ...figures, String(Math.round(of(({ wrong }) => wrong)))].join(' | ')} |`;
}

function habitKinds(runs: readonly HabitRun[]): readonly string[] {
  const byKind = Map.groupBy(
    runs.flatMap(({ kinds }) => [...kinds]),
    ([name]) => name,
  );
  const rows = [...byKind].map(([name, own]) => ({ name, runs: own.length, recall: mean(own.map(([, { wrong, hits }]) => hits / wrong)) }));
  return rows
    .toSorted((a, b) => b.recall - a.recall)
    .map(({ name, runs: count, recall }) => `| ${name} | ${count} | ${recall.toFixed(2)} |`);
}

function mean(figures: readonly number[]): number {
  return figures.reduce((sum, figure) => sum + figure, 0) / Math.max(1, figures.length);
}

function tableRow(name: string, runs: readonly Run[], asShipped: number): string {
  const at = (level: number): Score => sumOf(runs.filter((run) => run.level === level).map(({ score }) => score));
  const { precision, recall } = at(0.01);
  const seconds = runs.reduce((sum, { ms }) => sum + ms, 0) / runs.length / 1000;
  const figures = [...LEVELS.map((level) => at(level).f1), precision, recall].map((figure) => figure.toFixed(2));
  return `| ${[name, String(runs[0]?.cells ?? 0), String(asShipped), ...figures, seconds.toFixed(1)].join(' | ')} |`;
}

function kindRow(name: string, runs: readonly Run[], alone: Score): string {
  const counts = runs.filter(({ level }) => level === 0.05).flatMap(({ kinds }) => kinds.get(name) ?? []);
  const wrong = counts.reduce((sum, each) => sum + each.wrong, 0);
  const hits = counts.reduce((sum, each) => sum + each.hits, 0);
  return `| ${[name, ...[hits / Math.max(1, wrong), alone.precision, alone.recall, alone.f1].map((figure) => figure.toFixed(2))].join(' | ')} |`;
}

function exchangeRow(kind: string, exchanges: readonly Exchange[]): string {
  const own = exchanges.filter((each) => each.kind === kind);
  const sum = (of: (each: Exchange) => number): number => own.reduce((total, each) => total + of(each), 0);
  const [wrong, determined] = [sum((each) => each.wrong), sum((each) => each.determined)];
  const shares = [
    determined / Math.max(1, wrong),
    sum(({ hits }) => hits) / Math.max(1, wrong),
    sum(({ determinedHits }) => determinedHits) / Math.max(1, determined),
  ];
  return `| ${[kind, String(wrong), ...shares.map((share) => share.toFixed(2))].join(' | ')} |`;
}

function sumOf(scores: readonly Score[]): Score {
  const sum = (of: (score: Score) => number): number => scores.reduce((total, score) => total + of(score), 0);
  return scoreOfCounts({ proposed: sum(({ proposed }) => proposed), wrong: sum(({ wrong }) => wrong), hits: sum(({ hits }) => hits) });
}
