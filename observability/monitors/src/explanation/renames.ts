// SPDX-License-Identifier: Apache-2.0
/** Columns that went and columns that came in one scan, and which of them are likely the same under another name. */
import type { IncidentEvidence, MetricName, SchemaChange } from '@sextant/contracts-observability';
import { divergence } from '../evaluation/distribution.ts';
import type { Violation } from '../evaluation/evaluation.ts';
import { plainSeries, type ScanSeries } from '../evaluation/scan-series.ts';
import { isOfOtherKind } from '../evaluation/schema-drifts.ts';
import { valueBefore } from './before.ts';

export type SchemaEvidence = Extract<IncidentEvidence, { kind: 'SCHEMA' }>;
export type Rename = SchemaEvidence['renames'][number];

/** Changes of one schema that are compared, each with each. */
const CHANGES_MAX = 100;
const SIMILAR_MIN = 0.5;
/** What the values say counts for more than the name. */
const NAME_WEIGHT = 0.35;

const QUANTILES: readonly (readonly [MetricName, string])[] = [
  ['QUANTILE', 'p05'],
  ['QUANTILE', 'p25'],
  ['MEDIAN', 'median'],
  ['QUANTILE', 'p75'],
  ['QUANTILE', 'p95'],
];

export function schemaEvidence(violations: readonly Violation[], scan: ScanSeries): SchemaEvidence {
  const changes = violations.flatMap(changeOf).slice(0, CHANGES_MAX);
  return { kind: 'SCHEMA', attribute: null, changes, renames: renamesOf(changes, scan) };
}

/** `schemaViolation` wrote the facts. */
function changeOf({ metric_name, attribute, facts: { kind, before, after } }: Violation): readonly SchemaChange[] {
  if (metric_name !== 'SCHEMA' || attribute === null || (kind !== 'ADDED' && kind !== 'REMOVED' && kind !== 'RETYPED')) return [];
  const typeOf = (given: unknown): string | null => (typeof given === 'string' ? given : null);
  return [{ kind, attribute, before: typeOf(before), after: typeOf(after) }];
}

/** Each column at most once, the most similar pairs first. */
function renamesOf(changes: readonly SchemaChange[], scan: ScanSeries): readonly Rename[] {
  const gone = changes.filter(({ kind }) => kind === 'REMOVED');
  const come = changes.filter(({ kind }) => kind === 'ADDED');
  const pairs = gone
    .flatMap((before) =>
      come
        .filter((after) => !isOfOtherKind(before.before, after.after))
        .map((after) => ({
          before: before.attribute,
          after: after.attribute,
          similarity: similarityOf(before.attribute, after.attribute, scan),
        })),
    )
    .filter(({ similarity }) => similarity >= SIMILAR_MIN)
    .toSorted((one, other) => other.similarity - one.similarity);
  const taken = new Set<string>();
  return pairs.filter(({ before, after }) => {
    if (taken.has(`-${before}`) || taken.has(`+${after}`)) return false;
    taken.add(`-${before}`).add(`+${after}`);
    return true;
  });
}

function similarityOf(before: string, after: string, scan: ScanSeries): number {
  const name = nameSimilarity(before, after);
  const values = [valueSimilarity(before, after, scan), quantileSimilarity(before, after, scan)].filter((each) => each !== undefined);
  if (values.length === 0) return name;
  return NAME_WEIGHT * name + (1 - NAME_WEIGHT) * Math.max(...values);
}

/** The Dice coefficient of pairs of letters, whatever the case and the marks between words. */
export function nameSimilarity(one: string, other: string): number {
  const pairsOf = (name: string): readonly string[] => {
    const letters = ` ${name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')} `;
    return Array.from({ length: letters.length - 1 }, (_, index) => letters.slice(index, index + 2));
  };
  const [first, second] = [pairsOf(one), pairsOf(other)];
  const left = [...second];
  const common = first.filter((pair) => {
    const at = left.indexOf(pair);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
  return (2 * common.length) / (first.length + second.length);
}

/** How much the shares of the values agree; undefined where either has no frequent values. */
function valueSimilarity(before: string, after: string, scan: ScanSeries): number | undefined {
  const listed = scan.latelyOf('VALUE_DISTRIBUTION').filter(({ series: { segment } }) => segment === null);
  const shares = (attribute: string, isNow: boolean): ReadonlyMap<string, number> =>
    new Map(
      listed.flatMap(({ series, value }) => {
        const share = series.attribute !== attribute ? null : isNow ? value : valueBefore(series, scan);
        return share === null ? [] : [[series.metric_aggregation, share / 100] as const];
      }),
    );
  const [old, young] = [shares(before, false), shares(after, true)];
  if (old.size === 0 || young.size === 0) return undefined;
  return 1 - divergence({ shares: old, unlisted: 0 }, { shares: young, unlisted: 0 });
}

/** How close the quantiles of numbers lie, by the width between them; undefined where either has none. */
function quantileSimilarity(before: string, after: string, scan: ScanSeries): number | undefined {
  const pairs = QUANTILES.flatMap(([metric, name]) => {
    const old = valueBefore(plainSeries(metric, name, { attribute: before, segment: null }), scan);
    const young = scan.valueOf(plainSeries(metric, name, { attribute: after, segment: null }));
    return old === null || young === null ? [] : [[old, young] as const];
  });
  const olds = pairs.map(([old]) => old);
  if (pairs.length < QUANTILES.length) return undefined;
  const width = Math.max(...olds) - Math.min(...olds);
  if (width === 0) return pairs.every(([old, young]) => old === young) ? 1 : 0;
  return 1 - Math.min(1, pairs.reduce((sum, [old, young]) => sum + Math.abs(old - young), 0) / pairs.length / width);
}
