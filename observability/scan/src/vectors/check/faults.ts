// SPDX-License-Identifier: Apache-2.0
/** What is wrong with vectors and payloads by themselves, whatever others look like. */
import type { MetricName } from '@sextant/contracts-observability';
import { isMoreThanChance } from '../chance.ts';
import { type Counted, type Finding, finding } from './finding.ts';
import type { Measures } from './measures.ts';

const COUNTS: readonly (readonly [check: string, metric: MetricName, detail: string])[] = [
  ['components that are not numbers', 'VECTOR_NAN_COUNT', 'A vector with NaN has no distance to any other.'],
  ['infinite components', 'VECTOR_INFINITE_COUNT', 'A vector with infinite components has no distance to most others.'],
  ['zero vectors', 'VECTOR_ZERO_COUNT', 'A vector of zeros has no direction; embedding models answer none.'],
  ['constant vectors', 'VECTOR_CONSTANT_COUNT', 'All components are one number; embedding models answer none such.'],
];

/** Above it, copies are no longer some texts that occur twice. */
const COPIES_MAX = 0.01;
/** Vectors that are nearly equal come in pairs at least, and all of a group count: such numbers scatter by so much more (the variance of a compound Poisson number). */
const NEAR_TOGETHER = 2;
/** A payload member that so many points have is not optional. */
const USUAL_MEMBER_MIN = 0.95;
/** Below it searches miss more than most applications bear; per cent. */
const RECALL_MIN = 95;

/** Of the vectors of one name. */
export function vectorFaults(vector: string, dimension: number, now: Measures, before: Measures | undefined): readonly Finding[] {
  const of = now.vectors(vector);
  const counted = (metric: MetricName): Counted => ({ found: now.value(vector, metric) ?? 0, of });
  const conformity = now.value(vector, 'VECTOR_DIMENSION_CONFORMITY') ?? 100;
  return [
    finding('another dimension', vector).counted(
      { found: Math.round(((100 - conformity) / 100) * of), of },
      `Vectors have ${dimension} components.`,
    ),
    ...COUNTS.map(([check, metric, detail]) => finding(check, vector).counted(counted(metric), detail)),
    truncated(vector, counted('VECTOR_TRUNCATED_COUNT')),
    copies(
      'exact duplicates',
      vector,
      counted('VECTOR_DUPLICATE_COUNT'),
      before && {
        found: before.value(vector, 'VECTOR_DUPLICATE_COUNT') ?? 0,
        of: before.vectors(vector),
      },
    ),
    nearCopies(vector, now, before),
  ];
}

function truncated(vector: string, { found, of }: Counted): Finding {
  const { counted } = finding('truncated vectors', vector);
  const areMost = 2 * found > of;
  return counted(
    { found, of },
    areMost
      ? 'Most vectors end with zeros, as those of pictures and counts do.'
      : 'The vector ends with zeros: a shorter one was filled up.',
    found === 0 || areMost ? 'passed' : 'failed',
  );
}

function nearCopies(vector: string, now: Measures, before: Measures | undefined): Finding {
  const share = now.value(vector, 'VECTOR_NEAR_DUPLICATE_SHARE', 'ratio');
  const of = now.vectors(vector);
  if (share === undefined)
    return finding('near-duplicates', vector).notChecked(`Too few of ${of} vectors can be compared; 200 are needed.`);
  const former = before?.value(vector, 'VECTOR_NEAR_DUPLICATE_SHARE', 'ratio');
  const counted = (percent: number, all: number): Counted => ({ found: Math.round((percent / 100) * all), of: all });
  const known = former === undefined || before === undefined ? undefined : counted(former, before.vectors(vector));
  return copies('near-duplicates', vector, counted(share, of), known, NEAR_TOGETHER);
}

/** Some texts occur twice everywhere: without vectors to compare with, copies are a fault of nobody and worth a look. */
function copies(check: string, vector: string, now: Counted, before: Counted | undefined, together = 1): Finding {
  const { counted } = finding(check, vector);
  if (before === undefined || before.of === 0) {
    return counted(now, 'Vectors that other points also have.', now.found > COPIES_MAX * now.of ? 'warned' : 'passed');
  }
  return counted(
    now,
    `Vectors that other points also have; ${shownShare(before)} before.`,
    isMore(now, before, together) ? 'failed' : 'passed',
  );
}

/** Of the points as a whole. */
export function memberFaults(now: Measures, before: Measures | undefined): readonly Finding[] {
  const usual = before === undefined ? now.members : before.members;
  const findings = [...usual].flatMap(([member, share]): readonly Finding[] => {
    if (share < USUAL_MEMBER_MIN) return [];
    const missing = { found: Math.round((1 - (now.members.get(member) ?? 0)) * now.points), of: now.points };
    const { counted } = finding(`payload member ${member}`, null);
    if (before === undefined) {
      return missing.found === 0 ? [] : [counted(missing, `Points lack ${member}, which most have.`, 'warned')];
    }
    const former = { found: Math.round((1 - share) * before.points), of: before.points };
    return isMore(missing, former) ? [counted(missing, `Points lack ${member}; ${shownShare(former)} did before.`)] : [];
  });
  const { counted } = finding('payload members', null);
  return findings.length > 0 ? findings : [counted({ found: 0, of: now.points }, 'Points lack no member that most have.')];
}

/** None where there is no index. */
export function recallFinding(vector: string, now: Measures): Finding {
  const { notChecked } = finding('recall of searches', vector);
  const [recall, low, high] = ['ratio', 'lower', 'upper'].map((aggregation) => now.value(vector, 'SEARCH_RECALL', aggregation));
  if (recall === undefined || low === undefined || high === undefined) {
    return notChecked('The service answered no exact searches to compare with; strict mode may refuse them.');
  }
  const detail = `Searches find ${recall.toFixed(1)} % of the 10 nearest (95 % interval ${low.toFixed(1)} to ${high.toFixed(1)} %).`;
  return { check: 'recall of searches', vector, status: high < RECALL_MIN ? 'warned' : 'passed', found: null, of: null, detail };
}

/**
 * Whether a share has grown by more than chance gives two samples.
 * @param together how many are found at once
 */
export function isMore(now: Counted, before: Counted, together = 1): boolean {
  if (before.of === 0) return now.found > 0;
  const expected = (before.found / before.of) * now.of;
  return isMoreThanChance(now.found, expected, together * expected * (1 + now.of / before.of));
}

export function shownShare({ found, of }: Counted): string {
  return of === 0 ? 'none' : `${Number(((100 * found) / of).toPrecision(2))} %`;
}
