// SPDX-License-Identifier: Apache-2.0
/**
 * Scores the learned threshold, and writes docs/reference/benchmarks-anomaly.md:
 *
 *   npm run bench:detection                                        labelled series from $NAB_FOLDER, or ../shared/data/nab
 *   npm run bench:detection -- --series <folder>                   from another folder
 *   npm run bench:detection -- --series <folder> --frozen --json   judges them with the frozen thresholds, and prints one JSON object
 *   npm run bench:detection -- --long                              judges 100,000 values of each family of simulated series
 *   npm run bench:detection -- --changes <folder>                  scores the changes that the alarms tell, against a folder in the form of ../shared/data/tcpd
 *   npm run bench:detection -- --families                          prints these families alone, of the seeds for development
 *   npm run bench:detection -- --monitors                          judges monitors of 100 and 1,000 series again, and writes them to the page
 *   npm run bench:detection -- --speed                              measures the speed again, and writes it to the page
 *   npm run bench:detection -- --control                           compares the promise of a monitor over time with LORD++
 */
import { access, readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '@sextant/foundation-std';
import { readFlags } from '@sextant/foundation-testing';
import type { SeriesPoint, SeriesTraits } from '../bands/band.ts';
import { createBandModel } from '../bands/band-model.ts';
import { DAILY_SERIES_BYTES, SERIES_BYTES } from '../bands/learned/series-codec.ts';
import { normal } from './chance.ts';
import { readChangeCorpus } from './change-corpus.ts';
import { changesFoundIn } from './change-points.ts';
import { type ChangeScore, changeScore } from './change-score.ts';
import { byCategory, heldOutScore, type Run, runDetector, totalScore, windowsOf } from './comparison.ts';
import { nullDetector, zScoreDetector } from './detectors.ts';
import { type FamiliesSize, familySections, measureFamilies } from './families/families-page.ts';
import { measureMonitors } from './families/monitors-page.ts';
import { frozenFigures } from './frozen.ts';
import { readCorpus } from './nab-corpus.ts';
import { optimise, PROFILES } from './nab-score.ts';
import { compareControls, LORD, shareOfPromise } from './online-control.ts';
import {
  type DetectorResult,
  type Figures,
  type KeptCost,
  renderPage,
  type SpeedFigures,
  type SpeedRow,
  withMonitors,
  withSpeed,
} from './page.ts';
import { ALARM_SCORE, productDetector } from './product-detector.ts';

const PAGE = join(import.meta.dirname, '../../../../docs/reference/benchmarks-anomaly.md');
const { values: options } = readFlags({
  options: {
    series: { type: 'string' },
    frozen: { type: 'boolean' },
    json: { type: 'boolean' },
    long: { type: 'boolean' },
    families: { type: 'boolean' },
    changes: { type: 'string' },
    control: { type: 'boolean' },
    monitors: { type: 'boolean' },
    speed: { type: 'boolean' },
  },
});
const FOLDER = options.series ?? process.env.NAB_FOLDER ?? join(import.meta.dirname, '../../../../../shared/data/nab');
const QUICK: FamiliesSize = { seeds: 'page', values: 2000, series: 60, monitors: [{ size: 100, monitors: 2 }] };
const LONG: FamiliesSize = {
  seeds: 'page',
  values: 100_000,
  series: 1000,
  monitors: [
    { size: 100, monitors: 20 },
    { size: 1000, monitors: 1 },
  ],
};
const FAMILIES = options.long === true ? LONG : QUICK;
const DAY_MS = 86_400_000;
const FIVE_MINUTES_MS = 300_000;
const KEPT = { history: 1000, values: 20_000 };
const CONTROLLED = [
  { faults: 0, deviations: 0 },
  { faults: 1, deviations: 6 },
  { faults: 1, deviations: 10 },
  { faults: 10, deviations: 10 },
];
const LEARNED = { threshold_type: 'ML', threshold1: null, threshold2: null, extrapolation_strategy: 'IGNORE', history_limit: 0 } as const;

if (options.speed === true) await writeFile(PAGE, withSpeed(await readFile(PAGE, 'utf8'), measureSpeeds()));
else if (options.monitors === true) await writeMonitors();
else if (options.families === true) process.stdout.write(`${familySections(measureFamilies({ ...FAMILIES, seeds: 'development' }))}\n`);
else if (options.control === true) compareOnline();
else if (options.changes !== undefined) await scoreChanges(options.changes);
else if (await isThere(join(FOLDER, 'windows.json'))) await (options.frozen === true ? judgeFrozen() : main());
else {
  process.stderr.write(
    `There are no labelled series at ${FOLDER}: name a folder with windows.json and data/, as an argument or in NAB_FOLDER.\n`,
  );
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const corpus = await readCorpus(FOLDER);
  const learned = runDetector(productDetector, corpus);
  const zScore = runDetector(zScoreDetector, corpus);
  const figures: Figures = {
    files: corpus.length,
    windows: windowsOf(learned),
    profiles: PROFILES.map(({ name }) => name),
    detectors: [
      best('null', runDetector(nullDetector, corpus)),
      fixed(zScoreDetector.name, zScore, { threshold: 3, words: '3 deviations' }),
      best(zScoreDetector.name, zScore),
      { name: 'learned', threshold: 'held out', scores: PROFILES.map((profile) => heldOutScore(learned, profile)) },
      best('learned', learned),
      fixed('learned', learned, { threshold: ALARM_SCORE, words: "the product's" }),
    ],
    categories: PROFILES.map((profile) => byCategory(learned, profile, optimise(learned, profile).threshold)),
    families: measureFamilies(FAMILIES),
    ...measureSpeeds(),
  };
  const page = renderPage(figures);
  await writeFile(PAGE, page);
  process.stdout.write(page);
}

/** The page is read after the measuring, which takes long enough for somebody to write to it. */
async function writeMonitors(): Promise<void> {
  const figures = measureMonitors(LONG);
  await writeFile(PAGE, withMonitors(await readFile(PAGE, 'utf8'), figures));
}

/** On a machine that does nothing else. */
function measureSpeeds(): SpeedFigures {
  return {
    speed: [20, 100, 500].map(measureSpeed),
    kept: { daily: measureDaily(), dense: measureDense() },
    machine: `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, ${Math.round(totalmem() / 1e9)} GB memory, Node ${process.version}`,
  };
}

async function scoreChanges(folder: string): Promise<void> {
  const corpus = await readChangeCorpus(folder);
  const scores = corpus.map(({ name, values, marked }) => ({ name, ...changeScore(marked, changesFoundIn(values), values.length) }));
  const mean = (of: (score: ChangeScore) => number) => scores.reduce((sum, score) => sum + of(score), 0) / scores.length;
  const lines = scores.map(({ name, covering, f1 }) => `${name}: covering ${covering.toFixed(2)}, F1 ${f1.toFixed(2)}`);
  lines.push(`${scores.length} series: covering ${mean(({ covering }) => covering).toFixed(3)}, F1 ${mean(({ f1 }) => f1).toFixed(3)}`);
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Without any fault, and with as rare and as many as data has. */
function compareOnline(): void {
  for (const { faults, deviations } of CONTROLLED) {
    const size = { series: 100, scans: 1000, faults, deviations };
    for (const { name, falseAlarms, found, faults: all } of compareControls([shareOfPromise(size.series), LORD], size))
      process.stdout.write(`${all} faults of ${deviations} deviations, ${name}: ${found} found, ${falseAlarms} false alarms\n`);
  }
}

async function judgeFrozen(): Promise<void> {
  const figures = frozenFigures(runDetector(productDetector, await readCorpus(FOLDER)));
  if (options.json === true) return void process.stdout.write(`${JSON.stringify(figures)}\n`);
  const lines = figures.files.map(
    ({ file, windows, found, falseAlarms }) => `${file}: ${found} of ${windows} windows, ${falseAlarms} false alarms`,
  );
  const score = (value: number | null) => value?.toFixed(1) ?? 'none';
  lines.push(`standard ${score(figures.standard)}, low-FP ${score(figures.lowFP)}, low-FN ${score(figures.lowFN)}`);
  process.stdout.write(`${lines.join('\n')}\n`);
}

function best(name: string, runs: readonly Run[]): DetectorResult {
  const scores = PROFILES.map((profile) => totalScore(runs, profile, optimise(runs, profile).threshold));
  return { name, threshold: 'best', scores };
}

function fixed(
  name: string,
  runs: readonly Run[],
  { threshold, words }: { readonly threshold: number; readonly words: string },
): DetectorResult {
  return { name, threshold: words, scores: PROFILES.map((profile) => totalScore(runs, profile, threshold)) };
}

/** Processor time for one band of a daily series, history replayed; the clock on the wall would measure other processes too. */
function measureSpeed(points: number): SpeedRow {
  const random = seededRandom(points);
  const history = Array.from({ length: points }, (_, day) => ({ timeMs: day * DAY_MS, value: 100 + normal(random), isExcluded: false }));
  const model = createBandModel(LEARNED, { familySize: 2000 });
  return { points, microseconds: processorTime(Math.ceil(200_000 / points), () => model.bandAt(history, points * DAY_MS)) };
}

/** Of a row count with quiet weekends. */
function measureDaily(): KeptCost {
  const random = seededRandom(1);
  const valueAt = (scan: number) => Math.round((scan % 7 < 5 ? 1000 : 400) * (1 + 0.03 * normal(random)));
  const traits = { familySize: 2000, minimum: 0, isCount: true };
  return { microseconds: keptCost(traits, { everyMs: DAY_MS, valueAt }), bytes: DAILY_SERIES_BYTES };
}

/** Of a series of every five minutes. */
function measureDense(): KeptCost {
  const random = seededRandom(1);
  const valueAt = (scan: number) => 100 + 50 * Math.sin(scan / 46) + normal(random);
  return { microseconds: keptCost({ familySize: 2000 }, { everyMs: FIVE_MINUTES_MS, valueAt }), bytes: SERIES_BYTES };
}

/** Processor time of the next value, with the history that a scan reads. */
function keptCost(
  traits: SeriesTraits,
  { everyMs, valueAt }: { readonly everyMs: number; readonly valueAt: (scan: number) => number },
): number {
  const model = createBandModel(LEARNED, traits);
  const history: SeriesPoint[] = [];
  let kept: Uint8Array | undefined;
  let scan = 0;
  const judgeNext = () => {
    const timeMs = scan * everyMs;
    const value = valueAt(scan);
    const keep = (state: Uint8Array) => {
      kept = state;
    };
    model.bandAt(history, timeMs, { kept, keep })?.surpriseOf?.(value);
    history.push({ timeMs, value, isExcluded: false });
    if (history.length > KEPT.history) history.shift();
    scan += 1;
  };
  // Until the code is compiled.
  processorTime(KEPT.values, judgeNext);
  return processorTime(KEPT.values, judgeNext);
}

/** In microseconds a round. */
function processorTime(rounds: number, work: () => void): number {
  const before = process.cpuUsage();
  for (let round = 0; round < rounds; round += 1) work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / rounds;
}

async function isThere(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
