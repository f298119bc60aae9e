// SPDX-License-Identifier: Apache-2.0
/**
 * Which values the rows that failed a rule have in common: for each column with few values, how many rows have each of them, and how many of
 * those failed. One statement for all rules that failed, and one for the combinations of each of the first; where none failed it costs nothing.
 */
import type { FailingSegment } from '@sextant/contracts-observability';
import type { Column } from '@sextant/observability-connectors';
import { chanceAmong } from '../chance.ts';
import type { RuleCheck } from '../checks.ts';
import { LIFT_MIN } from '../combinations.ts';
import type { Engine } from '../engine/engine.ts';
import { maskPii } from '../pii/mask.ts';
import { orOmitted, reasonOf } from '../plan/failure.ts';
import { shownText } from '../plan/shown-value.ts';
import { valueGroups } from '../plan/value-groups.ts';
import type { RuleCount } from '../scan.ts';
import { type CountedValue, type FailingCombinations, failingCombinations } from './failing-combinations.ts';
import { limitOf, validityOf, windowedRelation } from './rules.ts';

/** PostgreSQL's GROUPING takes 31 arguments. */
const COLUMNS_MAX = 20;
/** Rules that are explained, those with the most failures. */
const RULES_MAX = 20;
/** Rules of which combinations are searched, those with the most failures. */
const COMBINED_MAX = 5;
/** Segments of one rule, those that explain the most. */
const SEGMENTS_MAX = 5;
/** Values of which the statement returns the counts, those of the most failures. */
const VALUES_MAX = 1000;
/** A column with more values than these names rows, not kinds of rows. */
export const SEGMENT_VALUES_MAX = 50;
/** Failed rows of a value: fewer are chance. */
const FAILED_MIN = 3;

export type SegmentScope = {
  readonly engine: Engine;
  /** Columns that are not known to have more than `SEGMENT_VALUES_MAX` values. */
  readonly columns: readonly Column[];
  readonly rules: readonly RuleCheck[];
  /** That a rule may take. */
  readonly timeoutMs: number;
  /** Takes a sentence for each rule whose combinations could not be computed. */
  readonly omissions: string[];
};

type Failed = { readonly check: RuleCheck; readonly count: RuleCount; readonly values: CountedValue[] };

/** The same counts, with the segments of those rules that failed, or why there are none. */
export async function explainFailures(scope: SegmentScope, counts: readonly RuleCount[]): Promise<readonly RuleCount[]> {
  const { columns, rules } = scope;
  const failed = counts
    .filter(({ checked, failed: some }) => some > 0 && some < checked)
    .toSorted((one, other) => other.failed - one.failed)
    .slice(0, RULES_MAX)
    .flatMap((count): Failed[] => {
      const check = rules.find(({ monitorId }) => monitorId === count.monitor_id);
      return check === undefined ? [] : [{ check, count, values: [] }];
    });
  if (failed.length === 0 || columns.length === 0) return counts;
  try {
    await countValues(scope, failed);
  } catch (error) {
    // A statement that hits a limit costs the explanation and not the scan: what was counted stands.
    const unexplained = reasonOf(error);
    return counts.map((count) => (failed.some((one) => one.count === count) ? { ...count, unexplained } : count));
  }
  const explained = new Map<RuleCount, readonly FailingSegment[]>();
  for (const [index, one] of failed.entries()) explained.set(one.count, await segmentsOf(scope, one, index < COMBINED_MAX));
  return counts.map((count) => {
    const segments = explained.get(count) ?? [];
    return segments.length === 0 ? count : { ...count, segments };
  });
}

async function countValues({ engine, columns, timeoutMs }: SegmentScope, failed: readonly Failed[]): Promise<void> {
  const grouped = columns.slice(0, COLUMNS_MAX);
  const groups = valueGroups(grouped, engine.dialect);
  const checks = failed.map(({ check }) => check);
  const inner = [...groups.inner, ...checks.map((check, index) => `${validityOf(check.validSql, check.appliesSql)} AS met_${index}`)];
  const failing = checks.map((_, index) => `count(*) FILTER (WHERE NOT met_${index})`);
  const aggregates = failing.flatMap((fails, index) => [`count(met_${index})`, fails]);
  const statement =
    `SELECT ${[...groups.key, ...aggregates].join(', ')} FROM (SELECT ${inner.join(', ')} FROM ${windowedRelation(engine, checks)}) AS r ` +
    `${groups.groupBy} ORDER BY ${engine.dialect.greatest(failing)} DESC, ${groups.order} LIMIT ${VALUES_MAX}`;
  for (const [position, value = null, ...numbers] of await engine.query(statement, limitOf({ timeoutMs }, checks.length))) {
    const column = grouped[Number(position)];
    failed.forEach(({ check, values }, index) => {
      const checked = Number(numbers[2 * index]);
      // That the column of the rule holds what the rule refuses explains nothing.
      if (column === undefined || checked === 0 || check.attributes.includes(column.name)) return;
      values.push({ column, value: value === null ? null : String(value), checked, failed: Number(numbers[2 * index + 1]) });
    });
  }
}

/** Combinations, and the values that explain what no combination does. */
async function segmentsOf(scope: SegmentScope, { check, count, values }: Failed, isCombined: boolean): Promise<readonly FailingSegment[]> {
  const { engine, timeoutMs, omissions } = scope;
  const isChance = chanceAmong(values.length);
  const limit = limitOf({ timeoutMs }, 1);
  const search = () => failingCombinations({ engine, check, count, values, failedMin: FAILED_MIN, isChance, limit });
  const what = `Which combinations of values the rows that monitor ${check.monitorId} found have in common could not be computed`;
  const found = isCombined ? await orOmitted(what, omissions, search) : undefined;
  const shown = ({ column, value }: Pick<CountedValue, 'column' | 'value'>) => ({
    attribute: column.name,
    value: value === null ? null : maskPii(shownText(column, engine.dialect)(value)),
  });
  const liftOf = (size: number, fails: number): number => fails / ((size * count.failed) / count.checked);
  const whole = { size: count.checked, effect: count.failed };
  const singles = values.flatMap((one): FailingSegment[] => {
    const [size, effect] = [one.checked, one.failed];
    const lift = liftOf(size, effect);
    if (effect < FAILED_MIN || lift < LIFT_MIN || isChance({ size, effect }, whole, 1) || isExplained(one, found)) return [];
    return [{ ...shown(one), checked: size, failed: effect, lift }];
  });
  const combined = (found?.combinations ?? []).flatMap(({ parts, size, effect }): FailingSegment[] => {
    const [first, ...also] = parts.flatMap(({ attribute, position }) => {
      const axis = found?.axes[attribute];
      return axis === undefined ? [] : [shown({ column: axis.column, value: axis.values[position - 1] ?? null })];
    });
    return first === undefined ? [] : [{ ...first, also, checked: size, failed: effect, lift: liftOf(size, effect) }];
  });
  return strongest([...combined, ...singles]);
}

/** Whether the rows with a value fail for no more than the combinations that they have. */
function isExplained({ column, value }: CountedValue, found: FailingCombinations | undefined): boolean {
  const attribute = found?.axes.findIndex((axis) => axis.column === column) ?? -1;
  const position = 1 + (found?.axes[attribute]?.values.indexOf(value) ?? -1);
  return found !== undefined && position > 0 && found.explains([{ attribute, position }]);
}

/** By how many failures a value has beyond its share of the rows; of columns that say the same, the value with the fewer rows. */
function strongest(segments: readonly FailingSegment[]): readonly FailingSegment[] {
  const beyond = ({ failed, lift }: FailingSegment): number => failed * (1 - 1 / lift);
  return segments
    .toSorted((one, other) => beyond(other) - beyond(one) || one.checked - other.checked || (one.attribute < other.attribute ? -1 : 1))
    .slice(0, SEGMENTS_MAX);
}
