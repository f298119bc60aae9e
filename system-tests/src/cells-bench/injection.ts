/** Faults of known kinds in clean tables: what is found of each kind, at each level, in each table. */
import { seededRandom } from '@sextant/foundation-std';
import { cleanTables } from './clean-tables.ts';
import { FAULT_KINDS, spoil } from './faults.ts';
import { search } from './pair.ts';
import { type Score, scoreOf, scoreOfCounts } from './score.ts';

const LEVELS = [0.001, 0.01, 0.05];
/** The level at which each kind is put in alone. */
const ALONE = 0.01;

type Run = {
  readonly table: string;
  readonly cells: number;
  readonly level: number;
  readonly score: Score;
  readonly kinds: ReadonlyMap<string, Recall>;
  readonly ms: number;
};
type Recall = { readonly wrong: number; readonly hits: number };

export async function injectionPage(seeds: readonly number[], onProgress: (line: string) => void): Promise<string> {
  const runs: Run[] = [];
  const alone = new Map<string, Score[]>();
  for (const table of await cleanTables()) {
    for (const seed of seeds) {
      for (const level of LEVELS) {
        const { table: dirty, faults } = spoil(table, FAULT_KINDS, level, seededRandom(seed));
        const { proposed, ms } = await search(dirty);
        const kinds = new Map<string, { wrong: number; hits: number }>();
        for (const [cell, kind] of faults) {
          const counts = kinds.get(kind) ?? { wrong: 0, hits: 0 };
          kinds.set(kind, { wrong: counts.wrong + 1, hits: counts.hits + (proposed.has(cell) ? 1 : 0) });
        }
        const score = scoreOf(proposed, new Set(faults.keys()));
        runs.push({ table: table.name, cells: table.rows.length * table.columns.length, level, score, kinds, ms });
        onProgress(`${table.name}, seed ${seed}, ${100 * level} %: f1 ${score.f1.toFixed(3)}`);
      }
    }
    const [seed = 1] = seeds;
    for (const kind of FAULT_KINDS) {
      const { table: dirty, faults } = spoil(table, [kind], ALONE, seededRandom(seed));
      if (faults.size === 0) continue;
      const { proposed } = await search(dirty);
      alone.set(kind.name, [...(alone.get(kind.name) ?? []), scoreOf(proposed, new Set(faults.keys()))]);
    }
    onProgress(`${table.name}: each kind alone`);
  }
  return render(runs, alone, seeds);
}

function render(runs: readonly Run[], alone: ReadonlyMap<string, readonly Score[]>, seeds: readonly number[]): string {
  const memory = Math.round(process.resourceUsage().maxRSS / 1024);
  return `# Benchmark of wrong cells

\`npm run bench:cells\` puts faults of ${FAULT_KINDS.length} kinds into clean tables and lets the search for [wrong cells](../concepts/wrong-cells.md) find them, without rules and without labels.
The tables are those of the npm package \`vega-datasets\`, up to 2,500 rows each, and three generated ones (\`orders\`, \`listings\`, \`staff\`). Faults are drawn with the seeds ${seeds.join(' and ')};
\`--development\` draws them with the seeds that the detectors were developed with. A public table counts as clean as it is shipped: its own gaps and slips count as false proposals.
\`npm run bench:cells -- --dirty a.csv --clean b.csv --json\` scores any pair of tables.

## By table

All kinds together, equally often; F1 at three shares of faulty cells, then precision, recall and the time of a search at 1 %.

| table | cells | F1 at 0.1 % | F1 at 1 % | F1 at 5 % | precision | recall | seconds |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
${[...Map.groupBy(runs, ({ table }) => table)].map(([name, own]) => tableRow(name, own)).join('\n')}

## By kind of fault

Recall among all kinds at 5 %, and precision, recall and F1 of each kind alone at 1 %, over all tables. A value exchanged for another good one shows only where another column determines it.

| kind | recall at 5 % | precision alone | recall alone | F1 alone |
| --- | ---: | ---: | ---: | ---: |
${FAULT_KINDS.map(({ name }) => kindRow(name, runs, sumOf(alone.get(name) ?? []))).join('\n')}

The process took at most ${memory} MiB of memory.
`;
}

function tableRow(name: string, runs: readonly Run[]): string {
  const at = (level: number): Score => sumOf(runs.filter((run) => run.level === level).map(({ score }) => score));
  const { precision, recall } = at(0.01);
  const seconds = runs.reduce((sum, { ms }) => sum + ms, 0) / runs.length / 1000;
  const figures = [...LEVELS.map((level) => at(level).f1), precision, recall].map((figure) => figure.toFixed(2));
  return `| ${[name, String(runs[0]?.cells ?? 0), ...figures, seconds.toFixed(1)].join(' | ')} |`;
}

function kindRow(name: string, runs: readonly Run[], alone: Score): string {
  const counts = runs.filter(({ level }) => level === 0.05).flatMap(({ kinds }) => kinds.get(name) ?? []);
  const wrong = counts.reduce((sum, each) => sum + each.wrong, 0);
  const hits = counts.reduce((sum, each) => sum + each.hits, 0);
  return `| ${[name, ...[hits / Math.max(1, wrong), alone.precision, alone.recall, alone.f1].map((figure) => figure.toFixed(2))].join(' | ')} |`;
}

function sumOf(scores: readonly Score[]): Score {
  const sum = (of: (score: Score) => number): number => scores.reduce((total, score) => total + of(score), 0);
  return scoreOfCounts({ proposed: sum(({ proposed }) => proposed), wrong: sum(({ wrong }) => wrong), hits: sum(({ hits }) => hits) });
}
