// SPDX-License-Identifier: Apache-2.0
/** How vectors compare with others that were good. */
import type { MetricName } from '@sextant/contracts-observability';
import { RARE } from '../chance.ts';
import { CELL_CHANGE, OUTGROWN } from '../comparison.ts';
import { SHIFT_MIN } from '../point-faults.ts';
import { REFERENCE_VECTORS_MIN } from '../reference/vector-reference.ts';
import { isMore, shownShare } from './faults.ts';
import { type Finding, finding } from './finding.ts';
import type { Measures } from './measures.ts';

/** Measured on a sample; beyond the cut of each lay one good vector of a thousand. */
const SHARES: readonly (readonly [check: string, metric: MetricName, detail: string])[] = [
  ['vectors far from the others', 'VECTOR_FAR_SHARE', 'Of another model, with permuted components, or of a new topic'],
  ['unusual lengths', 'VECTOR_NORM_OUTLIER_SHARE', 'Shorter or longer than vectors were'],
  ['rounded components', 'VECTOR_ROUNDED_SHARE', 'Fewer different components than vectors had'],
  ['texts that do not agree', 'VECTOR_TEXT_MISMATCH_SHARE', 'The text is not the one that the vector was made from'],
];

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
  return [...SHARES.map(([check]) => check), LOST, GROWN, CENTROID].map((check) => finding(check, vector).notChecked(why));
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
  const [size, former] = [now, before].map((measures) => measures.value(vector, 'VECTOR_SAMPLE_COUNT') ?? 0);
  const shares = SHARES.map(([check, metric, detail]): Finding => {
    const [share, usual] = [now.value(vector, metric), before.value(vector, metric)];
    if (share === undefined || size === undefined || former === undefined) {
      return finding(check, vector).notChecked('No payload member holds the text of the vectors.');
    }
    const found = { found: Math.round((share / 100) * size), of: size };
    const known = { found: Math.max(RARE * former, ((usual ?? 0) / 100) * former), of: former };
    return finding(check, vector).counted(found, `${detail}; ${shownShare(known)} before.`, isMore(found, known) ? 'failed' : 'passed');
  });
  const lost = now.value(vector, 'VECTOR_CELL_SHIFT', 'lost') ?? 0;
  const grown = now.value(vector, 'VECTOR_CELL_SHIFT', 'grown') ?? 0;
  const shift = now.value(vector, 'CENTROID_SHIFT', 'cosine');
  return [
    ...shares,
    finding(LOST, vector).measured(
      lost <= CELL_CHANGE,
      `A cell lost ${lost.toFixed(2)} of the root of its share; up to ${CELL_CHANGE} is chance.`,
    ),
    finding(GROWN, vector).measured(
      grown <= CELL_CHANGE,
      `A cell gained ${grown.toFixed(2)} of the root of its share; up to ${CELL_CHANGE} is chance.`,
    ),
    shift === undefined
      ? finding(CENTROID, vector).notChecked('There is no mean to compare.')
      : finding(CENTROID, vector).measured(
          shift < SHIFT_MIN,
          `The mean moved by a cosine distance of ${shift.toFixed(4)}; from ${SHIFT_MIN} on it has moved.`,
        ),
  ];
}
