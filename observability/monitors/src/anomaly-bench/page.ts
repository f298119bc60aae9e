// SPDX-License-Identifier: Apache-2.0
/** The page of the anomaly benchmark, of figures that one run has measured. */
import type { CategoryResult } from './comparison.ts';
import { type FamilyFigures, familySections } from './families/families-page.ts';
import { MONITOR_HEADING, type MonitorFigures, monitorSection } from './families/monitors-page.ts';
import { table } from './markdown-table.ts';

export type DetectorResult = {
  readonly name: string;
  /** Which threshold it was, in words. */
  readonly threshold: string;
  /** One for each profile. */
  readonly scores: readonly (number | undefined)[];
};

export type SpeedRow = { readonly points: number; readonly microseconds: number };

export type KeptCost = { readonly microseconds: number; readonly bytes: number };

export type Figures = SpeedFigures & {
  readonly files: number;
  readonly windows: number;
  readonly profiles: readonly string[];
  readonly detectors: readonly DetectorResult[];
  /** Of the learned detector, one list for each profile, categories in the same order. */
  readonly categories: readonly (readonly CategoryResult[])[];
  readonly families: FamilyFigures;
};

export type SpeedFigures = {
  readonly speed: readonly SpeedRow[];
  /** For a value, with what is kept of the series read and written, and the bytes of that. */
  readonly kept: { readonly daily: KeptCost; readonly dense: KeptCost };
  readonly machine: string;
};

export function renderPage(figures: Figures): string {
  return `# Benchmarks of the learned threshold

\`npm run bench:detection\` writes this page; run it on your own machine. \`--series\`, or \`NAB_FOLDER\`, names the folder of the labelled series
(\`data/<category>/<file>.csv\` and \`windows.json\`); without it, \`../shared/data/nab\`.

## Labelled series

The files of the Numenta Anomaly Benchmark (Lavin & Ahmad 2015, arXiv 1510.03336) that the model is developed on: ${figures.files} files, ${figures.windows} windows. The scores follow
its scoring function exactly: the first 15 % of a file (750 rows at most) are not scored; the first alarm in a window scores up to 1, more if it is
earlier; a missed window costs 1 (low-FN: 2), an alarm outside of windows up to 0.11 (low-FP: 0.22). A detector without alarms scores 0, a detector with one alarm
at the beginning of each window 100. All files of a row share one threshold, the best one for its profile unless the row says otherwise.

${detectorTable(figures)}

*Held out* is the main figure: each category is evaluated with the threshold that is best for the other categories. *Best*: optimised on the same files. *The product's*: the band of a single
series, one false alarm in a thousand. With \`--frozen\` the thresholds are 3 (low-FP 3.1, low-FN 2.8), whatever the folder.

The learned detector by category, with the best threshold of the profile (windows found and false alarms are those of ${figures.profiles[0]}):

${categoryTable(figures)}

Each row of a file is a scan of a metric. The service's own code evaluates it with the history and the kept state of the series, which is encoded and
decoded at every row. An alarm counts only if its confidence exceeds that of all alarms of the two days before. The model was chosen on these files, so expect lower scores on other series;
[what was tried](../design/learned-bands-experiments.md) lists the variants.

${familySections(figures.families)}

${speedSection(figures)}`;
}

const SPEED_HEADING = '## Speed';

/** The page with the figures of another run in place of its speed, which a busy machine does not show. */
export function withSpeed(page: string, figures: SpeedFigures): string {
  const start = page.indexOf(SPEED_HEADING);
  if (start === -1) throw new Error(`the page has no part "${SPEED_HEADING}"`);
  return page.slice(0, start) + speedSection(figures);
}

/** The page with the figures of another run in place of those of monitors of many series. */
export function withMonitors(page: string, figures: MonitorFigures): string {
  const start = page.indexOf(MONITOR_HEADING);
  const end = page.indexOf(SPEED_HEADING);
  if (start === -1 || end < start) throw new Error(`the page has no part "${MONITOR_HEADING}" before "${SPEED_HEADING}"`);
  return `${page.slice(0, start)}${monitorSection(figures)}\n\n${page.slice(end)}`;
}

function speedSection(figures: SpeedFigures): string {
  return `${SPEED_HEADING}

Processor time of one value if the service has kept the state of the series, including reading and writing the state:

${keptTable(figures)}

Without a kept state (a new monitor, a preview, an excluded point) the series is learned again from its points. Processor time of one band of
a daily series in that case:

${speedTable(figures)}

Machine: ${figures.machine}.
`;
}

function detectorTable({ profiles, detectors }: Figures): string {
  return table(
    ['detector', 'threshold', ...profiles],
    detectors.map(({ name, threshold, scores }) => [name, threshold, ...scores.map(score)]),
  );
}

function categoryTable({ profiles, categories }: Figures): string {
  return table(
    ['category', 'files', 'windows', 'found', 'false alarms', ...profiles],
    (categories[0] ?? []).map(({ category, files, windows, found, falseAlarms }, index) => [
      category,
      String(files),
      String(windows),
      String(found),
      String(falseAlarms),
      ...categories.map((results) => score(results[index]?.score)),
    ]),
  );
}

function keptTable({ kept: { daily, dense } }: SpeedFigures): string {
  const row = (name: string, { microseconds, bytes }: KeptCost) => [name, `${microseconds.toFixed(0)} µs`, bytes.toLocaleString('en')];
  return table(
    ['series', 'one value', 'bytes kept'],
    [row('daily, all the 1000 points that are read', daily), row('of every five minutes', dense)],
  );
}

function speedTable({ speed }: SpeedFigures): string {
  return table(
    ['past points', 'one band', '2000 bands'],
    speed.map(({ points, microseconds }) => [
      String(points),
      `${Math.round(microseconds)} µs`,
      `${((2000 * microseconds) / 1e6).toFixed(2)} s`,
    ]),
  );
}

function score(value: number | undefined): string {
  return value === undefined ? '' : value.toFixed(1);
}
