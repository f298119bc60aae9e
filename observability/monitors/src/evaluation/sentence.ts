// SPDX-License-Identifier: Apache-2.0
/** What was measured and what was expected, in words. */
import type { EvaluatedNumber } from './evaluate-number.ts';
import type { StandingRun } from './standing-run.ts';
import type { Watched } from './watched.ts';

const AGGREGATIONS: { readonly [aggregation: string]: string } = {
  p05: '5 % quantile',
  p25: '25 % quantile',
  p75: '75 % quantile',
  p95: '95 % quantile',
  stddev: 'standard deviation',
};
/** Metrics that have one aggregation, or whose name says it. */
const UNSAID: readonly string[] = ['count', 'ratio', 'value', 'divergence'];
/** Numbers are shown with as many digits as tell them apart, and not more than these. */
const DIGITS_MIN = 3;
const DIGITS_MAX = 15;

/** `title` names a rule or a metric that people made; undefined for the others. */
export function sentenceOf(
  { watched, value, band, standing }: Pick<EvaluatedNumber, 'watched' | 'value' | 'band' | 'standing'>,
  title: string | undefined,
): string {
  const { unit } = watched.traits;
  const bounds = [band.lower, band.upper].filter((bound) => bound !== null);
  const digits = digitsThatTell([value, ...bounds]);
  const shown = (number: number): string => inUnit(number, unit, digits);
  if (standing !== undefined) return `${subjectOf(watched, title)} is ${shown(value)}${unmoved(standing)}`;
  const missing = watched.value === null ? ' is missing and counts as ' : ' is ';
  return `${subjectOf(watched, title)}${missing}${shown(value)}, expected ${expectation(band, shown)}${unit === 'time' && isOfCalendar(value) ? lateness(value, band) : ''}`;
}

function unmoved({ scans, past: { values, repeated } }: StandingRun): string {
  const before = values === 0 ? '' : `; before that, ${repeated} of ${values} values repeated the previous one`;
  return `, exactly the same at the last ${scans} scans${before}`;
}

function lateness(value: number, { lower, upper }: EvaluatedNumber['band']): string {
  if (lower !== null && value < lower) return `, ${inUnit(lower - value, 'duration', DIGITS_MIN)} too early`;
  return upper !== null && value > upper ? `, ${inUnit(value - upper, 'duration', DIGITS_MIN)} too late` : '';
}

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
/** Of an age. */
const HOURS_SHOWN_MAX = 72;

/** With at least so many significant digits. */
export function inUnit(value: number, unit: Watched['traits']['unit'], digits = DIGITS_MIN): string {
  switch (unit) {
    case 'percent':
      return `${formatted(value, digits)} %`;
    case 'bits':
      return `${formatted(value, digits)} bits`;
    case 'hours':
      return value < HOURS_SHOWN_MAX ? `${formatted(value, digits)} hours` : `${formatted(value / DAY_HOURS, digits)} days`;
    case 'duration':
      return inUnit(value / HOUR_MS, 'hours', digits);
    case 'time':
      return timeText(value);
    case 'records':
    case 'number':
      return formatted(value, digits);
  }
}

/** To the minute, in UTC; what lies beyond the calendar stays a number. */
function timeText(timeMs: number): string {
  if (!isOfCalendar(timeMs)) return formatted(timeMs);
  return new Date(timeMs)
    .toISOString()
    .replace('T', ' ')
    .replace(/:\d\d\.\d{3}Z$/, '');
}

function isOfCalendar(timeMs: number): boolean {
  return !Number.isNaN(new Date(timeMs).getTime());
}

function expectation({ lower, upper }: EvaluatedNumber['band'], shown: (value: number) => string): string {
  if (lower === null) return upper === null ? 'any' : `at most ${shown(upper)}`;
  if (upper === null) return `at least ${shown(lower)}`;
  return lower === upper ? shown(lower) : `${shown(lower)} to ${shown(upper)}`;
}

function subjectOf({ series, traits, parent }: Watched, title: string | undefined): string {
  const { metric_name: metric, metric_aggregation: aggregation, attribute, segment, monitor_id } = series;
  const aggregated =
    QUANTITIES.includes(metric) && !UNSAID.includes(aggregation) ? `${AGGREGATIONS[aggregation] ?? aggregation} of the ` : '';
  const words = metric === 'QUANTILE' ? (AGGREGATIONS[aggregation] ?? traits.words) : `${aggregated}${traits.words}`;
  const where = segment === null ? '' : ` where ${segment}`;
  if (metric === 'CUSTOM' && title !== undefined) return `\`${title}\`${where}`;
  const whole = OF_RECORD_ID.includes(metric) ? ' of the record id' : '';
  const what = monitor_id !== null && title !== undefined ? ` of \`${title}\`` : attribute === null ? whole : ` of \`${attribute}\``;
  const to = parent === undefined ? '' : ` to that of \`${parent.name}\``;
  return `${words}${what}${where}${to}`;
}

/** Metrics that, of the asset as a whole, are those of its record id. */
const OF_RECORD_ID: readonly string[] = ['UNIQUENESS', 'DUPLICATE_COUNT'];

/** Metrics of something that is counted in each value, so that its mean, least and most are different things. */
const QUANTITIES: readonly string[] = [
  'LENGTH',
  'LETTER_COUNT',
  'DIGIT_COUNT',
  'SPACE_COUNT',
  'SPECIAL_CHARACTER_COUNT',
  'VECTOR_NORM',
  'CENTROID_SHIFT',
];

function digitsThatTell([value = 0, ...bounds]: readonly number[]): number {
  for (let digits = DIGITS_MIN; digits < DIGITS_MAX; digits += 1) {
    if (bounds.every((bound) => bound === value || formatted(bound, digits) !== formatted(value, digits))) return digits;
  }
  return DIGITS_MAX;
}

/** Whole numbers whole, others with so many significant digits. */
export function formatted(value: number, digits = DIGITS_MIN): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(Math.max(digits, wholeDigits(value)))));
}

function wholeDigits(value: number): number {
  return Math.min(DIGITS_MAX, Math.max(1, Math.ceil(Math.log10(Math.abs(value) + 1))));
}
