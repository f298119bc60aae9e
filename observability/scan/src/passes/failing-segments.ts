/**
 * Which values the rows that failed a rule have in common: for each column with few values, how many rows have each of them, and how many of
 * those failed. One statement for all rules that failed; where none did it costs nothing.
 */
import type { FailingSegment } from '@sextant/contracts-observability';
import type { Column } from '@sextant/observability-connectors';
import type { RuleCheck } from '../checks.ts';
import type { Engine } from '../engine/engine.ts';
import { maskPii } from '../pii/mask.ts';
import { reasonOf } from '../plan/failure.ts';
import { shownText } from '../plan/shown-value.ts';
import { valueGroups } from '../plan/value-groups.ts';
import type { RuleCount } from '../scan.ts';
import { limitOf, validityOf, windowedRelation } from './rules.ts';

/** PostgreSQL's GROUPING takes 31 arguments. */
const COLUMNS_MAX = 20;
/** Rules that are explained, those with the most failures. */
const RULES_MAX = 20;
/** Segments of one rule, those that explain the most. */
const SEGMENTS_MAX = 5;
/** Values of which the statement returns the counts, those of the most failures. */
const VALUES_MAX = 1000;
/** A column with more values than these names rows, not kinds of rows. */
export const SEGMENT_VALUES_MAX = 50;
/** How much more frequent a value is among the rows that failed than among all, at least. */
const LIFT_MIN = 1.2;
/** Failed rows of a value, and how many standard deviations they are beyond what its share of the rows gives: fewer are chance. */
const FAILED_MIN = 3;
const DEVIATIONS_MIN = 3;

export type SegmentScope = {
  readonly engine: Engine;
  /** Columns that are not known to have more than `SEGMENT_VALUES_MAX` values. */
  readonly columns: readonly Column[];
  readonly rules: readonly RuleCheck[];
  /** That a rule may take. */
  readonly timeoutMs: number;
};

/** The same counts, with the segments of those rules that failed, or why there are none. */
export async function explainFailures(
  { engine, columns, rules, timeoutMs }: SegmentScope,
  counts: readonly RuleCount[],
): Promise<readonly RuleCount[]> {
  const failed = counts
    .filter(({ checked, failed: some }) => some > 0 && some < checked)
    .toSorted((one, other) => other.failed - one.failed)
    .slice(0, RULES_MAX);
  const checks = failed.flatMap((count) => {
    const check = rules.find(({ monitorId }) => monitorId === count.monitor_id);
    return check === undefined ? [] : [{ check, count, segments: [] as FailingSegment[] }];
  });
  const grouped = columns.slice(0, COLUMNS_MAX);
  if (checks.length === 0 || grouped.length === 0) return counts;
  const { dialect } = engine;
  const groups = valueGroups(grouped, dialect);
  const inner = [...groups.inner, ...checks.map(({ check }, index) => `${validityOf(check.validSql, check.appliesSql)} AS met_${index}`)];
  const failing = checks.map((_, index) => `count(*) FILTER (WHERE NOT met_${index})`);
  const aggregates = failing.flatMap((fails, index) => [`count(met_${index})`, fails]);
  const most = `greatest(${failing.join(', ')})`;
  const statement =
    `SELECT ${[...groups.key, ...aggregates].join(', ')} ` +
    `FROM (SELECT ${inner.join(', ')} FROM ${windowedRelation(
      engine,
      checks.map(({ check }) => check),
    )}) AS r ` +
    `${groups.groupBy} HAVING ${most} >= ${FAILED_MIN} ORDER BY ${most} DESC, ${groups.order} LIMIT ${VALUES_MAX}`;
  // A statement that hits a limit costs the explanation and not the scan: what was counted stands.
  let unexplained: string | undefined;
  const rows = await engine.query(statement, limitOf({ timeoutMs }, checks.length)).catch((error: unknown) => {
    unexplained = reasonOf(error);
    return [];
  });
  for (const [column, value, ...numbers] of rows) {
    const group = grouped[Number(column)];
    const attribute = group?.name;
    checks.forEach(({ check, count, segments }, index) => {
      const [checked, fails] = [Number(numbers[2 * index]), Number(numbers[2 * index + 1])];
      // That the column of the rule holds what the rule refuses explains nothing.
      if (group === undefined || attribute === undefined || checked === 0 || check.attributes.includes(attribute)) return;
      const expected = (checked * count.failed) / count.checked;
      const lift = fails / expected;
      const isChance = fails < FAILED_MIN || fails - expected < DEVIATIONS_MIN * Math.sqrt(expected);
      const shown = value === null || value === undefined ? null : maskPii(shownText(group, dialect)(String(value)));
      if (lift >= LIFT_MIN && !isChance) segments.push({ attribute, value: shown, checked, failed: fails, lift });
    });
  }
  const explained = new Map(checks.map(({ count, segments }) => [count.monitor_id, strongest(segments)]));
  return counts.map((count) => {
    const segments = explained.get(count.monitor_id);
    if (segments === undefined) return count;
    if (unexplained !== undefined) return { ...count, unexplained };
    return segments.length === 0 ? count : { ...count, segments };
  });
}

/** By how many failures a value has beyond its share of the rows; of columns that say the same, the value with the fewer rows. */
function strongest(segments: readonly FailingSegment[]): readonly FailingSegment[] {
  const beyond = ({ failed, lift }: FailingSegment): number => failed * (1 - 1 / lift);
  return segments
    .toSorted((one, other) => beyond(other) - beyond(one) || one.checked - other.checked || (one.attribute < other.attribute ? -1 : 1))
    .slice(0, SEGMENTS_MAX);
}
