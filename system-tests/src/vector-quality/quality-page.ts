// SPDX-License-Identifier: Apache-2.0
/** The runs of the benchmark, and the page that they make. */
import type { Monitor } from '@sextant/contracts-observability';
import { seededRandom } from '@sextant/foundation-std';
import type { Violation } from '@sextant/observability-monitors';
import type { ScanLimits } from '@sextant/observability-scan';
import { table } from '../bench/markdown.ts';
import { dailyLife } from './daily-life.ts';
import { documentationCorpus } from './documentation-corpus.ts';
import { embeddingCorpus } from './embedding-corpus.ts';
import { FAULTS } from './faults.ts';
import { type Distance, storedCollection, writtenNorms } from './stored-collection.ts';
import { prebuiltMonitors, watchedCollection } from './watched-collection.ts';

type VectorSet = keyof typeof VECTOR_SETS;

export type Plan = {
  readonly distances: readonly Distance[];
  readonly vectorSets: readonly VectorSet[];
  /** Shares of the points, 0 to 1. */
  readonly levels: readonly number[];
  /** Of the first collection; the others live as long as teaches them. */
  readonly cleanDays: number;
  /** Names; left out for all. */
  readonly faults?: readonly string[];
};

type PageOptions = {
  readonly directory: string;
  /** Whether each violation is announced. */
  readonly isTold: boolean;
  readonly onProgress: (line: string) => void;
};

/** `real` are paragraphs and a model, the others are made from a seed. */
const VECTOR_SETS = { dense: { '': 384 }, named: { text: 384, title: 128 }, real: { '': 384 } } as const;
const POINTS = 4000;
const SEED = 11;
/** Days that teach before a fault comes. */
const HISTORY_DAYS = 10;
/** Clean days of further collections. */
const FURTHER_DAYS = 20;

type Case = { readonly distance: Distance; readonly vectorSet: VectorSet };
type Row = Case & { readonly fault: string; readonly level: number; readonly isRaised: boolean };
type Quiet = Case & { readonly days: number; readonly falseIncidents: number };

export async function qualityPage(plan: Plan, options: PageOptions): Promise<string> {
  const started = performance.now();
  const monitors = await prebuiltMonitors(options.directory);
  const limits: ScanLimits = {
    memoryBytes: 2 ** 30,
    temporaryDirectory: options.directory,
    temporaryBytes: 2 ** 30,
    threads: 1,
    timeoutMs: 600_000,
  };
  const rows: Row[] = [];
  const quiet: Quiet[] = [];
  for (const distance of plan.distances) {
    for (const vectorSet of plan.vectorSets) {
      const cleanDays = rows.length === 0 ? plan.cleanDays : Math.min(plan.cleanDays, FURTHER_DAYS);
      const found = await runCase({ distance, vectorSet }, { ...plan, cleanDays }, { ...options, monitors, limits });
      rows.push(...found.rows);
      quiet.push(found.quiet);
    }
  }
  return page(plan, { rows, quiet, seconds: (performance.now() - started) / 1000 });
}

type RunOptions = PageOptions & { readonly monitors: readonly Monitor[]; readonly limits: ScanLimits };

async function runCase(
  { distance, vectorSet }: Case,
  { levels, cleanDays, faults }: Plan,
  { monitors, limits, isTold, directory, onProgress }: RunOptions,
): Promise<{ readonly rows: readonly Row[]; readonly quiet: Quiet }> {
  const dimensions = VECTOR_SETS[vectorSet];
  const corpus = vectorSet === 'real' ? await documentationCorpus(SEED, { directory, onProgress }) : embeddingCorpus(SEED, dimensions);
  const life = dailyLife(corpus, POINTS, seededRandom(SEED));
  const watched = watchedCollection(monitors, limits);
  const written = writtenNorms();
  const tell = (what: string, violations: readonly Violation[]) => {
    onProgress(`${distance}, ${vectorSet}, ${what}: ${violations.length === 0 ? 'nothing' : [...monitorsOf(violations)].join(', ')}`);
    if (isTold) for (const { sentence } of violations) onProgress(`    ${sentence}`);
  };
  let falseIncidents = 0;
  const live = async (days: number) => {
    for (let day = 0; day < days; day += 1) {
      const violations = await watched.scan(storedCollection(life.points(), distance, { written }));
      written.add(life.points());
      falseIncidents += monitorsOf(violations).size;
      if (violations.length > 0) tell('a clean day', violations);
      life.nextDay();
    }
  };
  await live(HISTORY_DAYS);
  const rows: Row[] = [];
  const [vector = ''] = Object.keys(dimensions);
  for (const fault of chosenFaults(faults)) {
    for (const level of levels) {
      const random = seededRandom(SEED + 1);
      const spoilt = fault.spoil(life.points(), { corpus, vector, share: level, random });
      const lost = fault.isOfIndex === true ? level : 0;
      const violations = await watched.judge(storedCollection(spoilt, distance, { isIndexed: ({ id }) => spread(id) >= lost, written }));
      tell(`${fault.name} ${100 * level} %`, violations);
      rows.push({ distance, vectorSet, fault: fault.name, level, isRaised: violations.length > 0 });
    }
  }
  await live(cleanDays);
  onProgress(`${distance}, ${vectorSet}: ${falseIncidents} false incidents in ${HISTORY_DAYS + cleanDays} clean days`);
  return { rows, quiet: { distance, vectorSet, days: HISTORY_DAYS + cleanDays, falseIncidents } };
}

/** Ids over 0 to 1, as evenly as the golden ratio spreads them. */
function spread(id: number): number {
  return (id * 0.6180339887498949) % 1;
}

function monitorsOf(violations: readonly Violation[]): ReadonlySet<string> {
  return new Set(violations.map(({ monitor_id }) => monitor_id));
}

type Figures = { readonly rows: readonly Row[]; readonly quiet: readonly Quiet[]; readonly seconds: number };

function chosenFaults(names: Plan['faults']) {
  const unknown = names?.find((name) => !FAULTS.some((fault) => fault.name === name));
  if (unknown !== undefined) throw new Error(`There is no fault "${unknown}"; there are: ${FAULTS.map(({ name }) => name).join(', ')}`);
  return FAULTS.filter(({ name }) => names?.includes(name) ?? true);
}

function page({ distances, vectorSets, levels, faults: named }: Plan, { rows, quiet, seconds }: Figures): string {
  const cases = distances.flatMap((distance) => vectorSets.map((vectorSet): Case => ({ distance, vectorSet })));
  const isOf = (one: Case) => (row: Case) => row.distance === one.distance && row.vectorSet === one.vectorSet;
  const titleOf = ({ distance, vectorSet }: Case) => `${distance}, ${vectorSet}`;
  const cell = (fault: string, level: number, one: Case) =>
    rows.filter(isOf(one)).some((row) => row.fault === fault && row.level === level && row.isRaised) ? 'yes' : 'no';
  const columns = cases.flatMap((one) => levels.map((level) => ({ one, level })));
  const faults = table(
    ['fault', ...columns.map(({ one, level }) => `${titleOf(one)}, ${100 * level} %`)],
    chosenFaults(named).map(({ name }) => [name, ...columns.map(({ one, level }) => cell(name, level, one))]),
  );
  const clean = table(
    ['collection', 'clean days', 'false incidents'],
    quiet.map((one) => [titleOf(one), String(one.days), String(one.falseIncidents)]),
  );
  const memory = Math.round(process.resourceUsage().maxRSS / 1024);
  return `# Benchmark of faults in vectors

\`npm run bench:vector-quality -- --full\` makes a collection of ${POINTS.toLocaleString('en')} embeddings from a seed (40 topics, 384 dimensions of which 24 carry a topic, texts that agree with
the vectors), lets it live for ${HISTORY_DAYS} days, in each of which 5 to 20 % of the points are exchanged and some come new, and then does one fault to a share of the
points. A fault is raised if a pre-built monitor of the asset opens an incident. How the measures work: [how vectors are watched](../concepts/vector-quality.md).

## Faults

${faults}

## Clean days

Each of them is a scan that should find nothing.

${clean}

The run took ${Math.round(seconds)} s and at most ${memory} MB of memory.
`;
}
