// SPDX-License-Identifier: Apache-2.0
/** How vectors compare with others that were good. */
import type { MetricName } from '@sextant/contracts-observability';
import { RARE } from '../chance.ts';
import { CELL_CHANGE, OUTGROWN } from '../comparison.ts';
import { SHIFT_MIN } from '../point-faults.ts';
import { REFERENCE_VECTORS_MIN } from '../reference/vector-reference.ts';
import { isMore, shownShare } from './faults.ts';
import { type Counted, type Finding, finding } from './finding.ts';
import type { Measures } from './measures.ts';

/** Measured on a sample; beyond the cut of each lay one good vector of a thousand. */
const SHARES: readonly (readonly [check: string, metric: MetricName, detail: string])[] = [
  ['vectors far from the others', 'VECTOR_FAR_SHARE', 'From another model, with permuted components, or about a new topic'],
  ['unusual lengths', 'VECTOR_NORM_OUTLIER_SHARE', 'Shorter or longer than earlier vectors'],
  ['rounded components', 'VECTOR_ROUNDED_SHARE', 'Fewer distinct components than earlier vectors'],
];

export const TEXTS = 'texts that do not agree';
const LOST = 'lost topics';
const GROWN = 'grown topics';
const CENTROID = 'centroid';

export type Compared = {
  readonly now: Measures;
  readonly before: Measures;
  readonly dimensions: { readonly now: number; readonly before: number };
};

/** Each of the checks that need vectors to compare with, as not made. */
export function withoutComparison(vector: string, why: string): readonly Finding[] {
  return [...SHARES.map(([check]) => check), TEXTS, LOST, GROWN, CENTROID].map((check) => finding(check, vector).notChecked(why));
}

export function differences(vector: string, { now, before, dimensions }: Compared): readonly Finding[] {
  const dimension = finding('dimension', vector).measured(
    dimensions.now === dimensions.before,
    dimensions.now === dimensions.before
      ? `Vectors have ${dimensions.now} components, as before.`
      : `Vectors have ${dimensions.now} components; they had ${dimensions.before}.`,
  );
  const why = incomparable(vector, { now, before, dimensions });
  return [dimension, ...(why === undefined ? comparable(vector, now, before) : withoutComparison(vector, why))];
}

function incomparable(vector: string, { now, before, dimensions }: Compared): string | undefined {
  if (dimensions.now !== dimensions.before) return 'Vectors of different dimensions cannot be compared.';
  const [size, former] = [now, before].map((measures) => measures.value(vector, 'VECTOR_SAMPLE_COUNT') ?? 0);
  if (size === undefined || former === undefined || former < REFERENCE_VECTORS_MIN || size < REFERENCE_VECTORS_MIN) {
    return `A comparison needs ${REFERENCE_VECTORS_MIN} vectors on either side that are finite and not zero.`;
  }
  return OUTGROWN * former < size ? `The vectors to compare with are too few: ${former} for ${size} of those checked.` : undefined;
}

function comparable(vector: string, now: Measures, before: Measures): readonly Finding[] {
  const sizeOf = (measures: Measures) => measures.value(vector, 'VECTOR_SAMPLE_COUNT') ?? 0;
  const [size, former] = [sizeOf(now), sizeOf(before)];
  const shareOf = (measures: Measures, of: number, metric: MetricName, aggregation = 'ratio'): Counted | undefined => {
    const share = measures.value(vector, metric, aggregation);
    return share === undefined ? undefined : { found: Math.round((share / 100) * of), of };
  };
  const usual = (metric: MetricName): Counted => ({
    found: Math.max(RARE * former, ((before.value(vector, metric, 'ratio') ?? 0) / 100) * former),
    of: former,
  });
  const shares = SHARES.map(([check, metric, detail]): Finding => {
    const [found, known] = [shareOf(now, size, metric), usual(metric)];
    if (found === undefined) return finding(check, vector).notChecked('There is no vector to compare.');
    return finding(check, vector).counted(found, `${detail}; ${shownShare(known)} before.`, isMore(found, known) ? 'failed' : 'passed');
  });
  const disagreeing = shareOf(now, size, 'VECTOR_TEXT_MISMATCH_SHARE');
  const stale = shareOf(now, size, 'VECTOR_TEXT_MISMATCH_SHARE', 'stale') ?? { found: 0, of: size };
  const lost = now.value(vector, 'VECTOR_CELL_SHIFT', 'lost') ?? 0;
  const grown = now.value(vector, 'VECTOR_CELL_SHIFT', 'grown') ?? 0;
  const shift = now.value(vector, 'CENTROID_SHIFT', 'cosine');
  return [
    ...shares,
    disagreeing === undefined
      ? finding(TEXTS, vector).notChecked('No payload member holds the text of the vectors.')
      : textFinding(vector, { source: now.textSource(vector), disagreeing, stale, usual: usual('VECTOR_TEXT_MISMATCH_SHARE') }),
    finding(LOST, vector).measured(
      lost <= CELL_CHANGE,
      `A cell lost ${lost.toFixed(2)} of the root of its share; up to ${CELL_CHANGE} is chance.`,
    ),
    finding(GROWN, vector).measured(
      grown <= CELL_CHANGE,
      `A cell gained ${grown.toFixed(2)} of the root of its share; up to ${CELL_CHANGE} is chance.`,
    ),
    shift === undefined
      ? finding(CENTROID, vector).notChecked('There are no means to compare.')
      : finding(CENTROID, vector).measured(
          shift < SHIFT_MIN,
          `The mean moved by a cosine distance of ${shift.toFixed(4)}; from ${SHIFT_MIN} on it has moved.`,
        ),
  ];
}

type Texts = {
  /** Such as `payload member text, found`. */
  readonly source: string;
  readonly disagreeing: Counted;
  readonly stale: Counted;
  readonly usual: Counted;
};

/** Of points with the same id on both sides it is known whether the text has changed; of all it is judged. */
function textFinding(vector: string, { source, disagreeing, stale, usual }: Texts): Finding {
  const { counted } = finding(TEXTS, vector);
  const areStale = isMore(stale, { found: 0, of: usual.of });
  const disagree = isMore(disagreeing, usual);
  return areStale && (!disagree || stale.found >= disagreeing.found)
    ? counted(stale, `The text (${source}) has changed, and the vector has not.`, 'failed')
    : counted(
        disagreeing,
        `The text (${source}) is not the one that the vector was made from; ${shownShare(usual)} before.`,
        disagree ? 'failed' : 'passed',
      );
}
