/** What was measured and what was expected, in words. */
import type { Judged } from './judge.ts';
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
export function sentenceOf({ watched, value, band }: Pick<Judged, 'watched' | 'value' | 'band'>, title: string | undefined): string {
  const { unit } = watched.traits;
  const bounds = [band.lower, band.upper].filter((bound) => bound !== null);
  const digits = digitsThatTell([value, ...bounds]);
  const shown = (number: number): string => `${formatted(number, digits)}${UNITS[unit]}`;
  const missing = watched.value === null ? ' is missing and counts as ' : ' is ';
  return `${subjectOf(watched, title)}${missing}${shown(value)}, expected ${expectation(band, shown)}`;
}

const UNITS = { percent: ' %', records: '', hours: ' hours', bits: ' bits', number: '' } as const;

function expectation({ lower, upper }: Judged['band'], shown: (value: number) => string): string {
  if (lower === null) return upper === null ? 'any' : `at most ${shown(upper)}`;
  if (upper === null) return `at least ${shown(lower)}`;
  return lower === upper ? shown(lower) : `${shown(lower)} to ${shown(upper)}`;
}

function subjectOf({ series, traits, parent }: Watched, title: string | undefined): string {
  const { metric_name: metric, metric_aggregation: aggregation, attribute, segment, monitor_id } = series;
  const aggregated =
    QUANTITIES.includes(metric) && !UNSAID.includes(aggregation) ? `${AGGREGATIONS[aggregation] ?? aggregation} of the ` : '';
  const words = metric === 'QUANTILE' ? (AGGREGATIONS[aggregation] ?? traits.words) : `${aggregated}${traits.words}`;
  const what = monitor_id !== null && title !== undefined ? ` of \`${title}\`` : attribute === null ? '' : ` of \`${attribute}\``;
  const where = segment === null ? '' : ` where ${segment}`;
  const to = parent === undefined ? '' : ` to that of \`${parent.name}\``;
  return `${words}${what}${where}${to}`;
}

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
