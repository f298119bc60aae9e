// SPDX-License-Identifier: Apache-2.0
/** How many rows meet each rule, and some of those that do not. */
import type { RowSample } from '@sextant/contracts-observability';
import type { RuleCheck } from '../checks.ts';
import { percentage } from '../column-counts.ts';
import { type Cell, type Engine, RECORD_NUMBER, type StatementLimit } from '../engine/engine.ts';
import { maskPii } from '../pii/mask.ts';
import { type Failure, failuresOf, orOmitted } from '../plan/failure.ts';
import { orderOfRows } from '../plan/sampling.ts';
import type { SegmentDimension } from '../plan/segments.ts';
import { shownText } from '../plan/shown-value.ts';
import type { PointCollector } from '../points.ts';
import type { RuleCount } from '../scan.ts';
import { type AggregateGroup, runPass } from './pass.ts';

/** The published API reports at most so many failed records of a monitor. */
const SAMPLES_PER_RULE = 100;
const SHOWN_CHARACTERS = 256;
/** Columns of a failed row that are shown. */
const SHOWN_COLUMNS = 50;

/** Of the whole, by monitor. */
type RuleCounts = Map<string, RuleCount>;

export type RuleResults = {
  readonly counts: readonly RuleCount[];
  readonly samples: readonly RowSample[];
  readonly failures: readonly Failure[];
  /** Of which rules the rows that fail could not be kept, in sentences. */
  readonly omissions: readonly string[];
};

export type RuleScope = {
  readonly engine: Engine;
  readonly dimensions: readonly SegmentDimension[];
  readonly points: PointCollector;
  readonly idAttributes: readonly string[];
  /** Whether rows that fail a rule are kept. */
  readonly keepsSamples: boolean;
  /** Which of many rows are kept. */
  readonly seed: string;
  /** That a rule may take. */
  readonly timeoutMs: number;
};

/**
 * Measures the rules in the same pass as `beside`. Where that pass fails or takes as long as all rules may, it runs again without them and each rule
 * runs alone, so that one that the engine cannot compute costs nothing but itself.
 */
export async function measureRules(
  scope: RuleScope,
  { rules, beside }: { readonly rules: readonly RuleCheck[]; readonly beside: readonly AggregateGroup[] },
): Promise<RuleResults> {
  const { engine, dimensions, points } = scope;
  const counts: RuleCounts = new Map();
  const run = (checked: readonly RuleCheck[], others: readonly AggregateGroup[]): Promise<void> =>
    runPass(engine, {
      groups: [...others, ...ruleAggregates(checked, points, counts)],
      dimensions,
      relation: windowedRelation(engine, checked),
      limit: checked.length === 0 ? undefined : limitOf(scope, checked.length + Math.sign(others.length)),
    });
  const failures: Failure[] = [];
  try {
    await run(rules, beside);
  } catch (error) {
    if (rules.length === 0) throw error;
    await run([], beside);
    for (const rule of rules) failures.push(...(await failuresOf(rule.monitorId, () => run([rule], []))));
  }
  const samples: RowSample[] = [];
  const omissions: string[] = [];
  for (const rule of rules) {
    if (!scope.keepsSamples || (counts.get(rule.monitorId)?.failed ?? 0) === 0) continue;
    const what = `The rows that monitor ${rule.monitorId} found could not be kept`;
    samples.push(...((await orOmitted(what, omissions, () => sampleFailedRows(scope, rule))) ?? []));
  }
  return { counts: [...counts.values()], samples, failures, omissions };
}

/** Of a statement about so many of them. */
export function limitOf({ timeoutMs }: Pick<RuleScope, 'timeoutMs'>, rules: number): StatementLimit {
  return { timeoutMs: timeoutMs * rules, subject: 'The rule' };
}

/** The relation with the windows of the rules beside its columns; as it is where none needs one. */
export function windowedRelation(engine: Pick<Engine, 'dialect' | 'relation'>, rules: readonly RuleCheck[]): string {
  const windows = new Map(rules.flatMap((rule) => rule.windows).map(({ name, sql }) => [name, sql]));
  if (windows.size === 0) return engine.relation;
  const columns = [...windows].map(([name, sql]) => `${sql} AS ${engine.dialect.identifier(name)}`);
  return `(SELECT *, ${columns.join(', ')} FROM ${engine.relation}) AS windowed`;
}

function ruleAggregates(rules: readonly RuleCheck[], points: PointCollector, counts: RuleCounts): readonly AggregateGroup[] {
  return [...rules.map((rule, index) => oneRule(rule, index, points, counts)), ...attributeGroups(rules, points)];
}

function oneRule(
  { monitorId, validSql, appliesSql, attributes }: RuleCheck,
  index: number,
  points: PointCollector,
  counts: RuleCounts,
): AggregateGroup {
  const attribute = attributes[0] ?? null;
  const met = `met_${index}`;
  let valid = 0;
  return {
    inner: [`${validityOf(validSql, appliesSql)} AS ${met}`],
    aggregates: [
      {
        sql: `count(*) FILTER (WHERE ${met})`,
        receive: (value) => {
          valid = Number(value);
        },
      },
      {
        sql: `count(${met})`,
        receive: (value, segment) => {
          const applicable = Number(value);
          points.add('CORRECTNESS', 'ratio', { attribute, segment, value: percentage(valid, applicable), monitorId });
          if (segment === null) counts.set(monitorId, { monitor_id: monitorId, checked: applicable, failed: applicable - valid });
        },
      },
    ],
  };
}

/** An attribute is correct where it meets all its rules. */
function attributeGroups(rules: readonly RuleCheck[], points: PointCollector): readonly AggregateGroup[] {
  const byAttribute = Map.groupBy(
    rules.filter(({ attributes }) => attributes.length > 0),
    ({ attributes: [first = ''] }) => first,
  );
  return [...byAttribute].map(([attribute, own], index): AggregateGroup => {
    const met = own.map(({ validSql, appliesSql }) => `coalesce(${validityOf(validSql, appliesSql)}, true)`).join(' AND ');
    return {
      inner: [`${met} AS all_met_${index}`],
      aggregates: [
        {
          sql: `count(*) FILTER (WHERE all_met_${index})`,
          receive: (value, segment) => points.countsOf(segment).setCorrect(attribute, Number(value)),
        },
      ],
    };
  });
}

/** True, false, or null for rows that the rule does not speak of. */
export function validityOf(validSql: string, appliesSql: string | undefined): string {
  const valid = `coalesce(${validSql}, false)`;
  return appliesSql === undefined ? valid : `CASE WHEN ${appliesSql} THEN ${valid} END`;
}

/**
 * Rows that a rule failed: their id or number, the attributes it read first, then the others, personal data masked. Which ones, where there are many, is
 * chosen by a hash of the row, as on every engine; in a file they stand in its order.
 */
async function sampleFailedRows({ engine, idAttributes, seed, timeoutMs }: RuleScope, rule: RuleCheck): Promise<readonly RowSample[]> {
  const { dialect } = engine;
  const first = [...idAttributes, ...rule.attributes];
  const columns = [...new Set([...first, ...engine.columns.map(({ name }) => name)])]
    .flatMap((name) => engine.columns.filter((column) => column.name === name))
    .slice(0, Math.max(SHOWN_COLUMNS, first.length));
  const shown = columns.map(
    (column, index) => `left(${dialect.text(dialect.identifier(column.name), column)}, ${SHOWN_CHARACTERS}) AS shown_${index}`,
  );
  const { numberedRelation } = engine;
  const number = numberedRelation === undefined ? undefined : dialect.identifier(RECORD_NUMBER);
  const relation = windowedRelation({ dialect, relation: numberedRelation ?? engine.relation }, [rule]);
  const statement =
    `SELECT ${[number ?? 'NULL', ...shown].join(', ')} FROM ${relation} WHERE NOT ${validityOf(rule.validSql, rule.appliesSql)} ` +
    `ORDER BY ${orderOfRows({ columns, dialect, seed }).join(', ')} LIMIT ${SAMPLES_PER_RULE}`;
  const rows = await engine.query(statement, limitOf({ timeoutMs }, 1));
  const samples = rows.map(([place, ...values]): RowSample => {
    const row = Object.fromEntries(columns.map((column, index) => [column.name, shownValue(values[index], shownText(column, dialect))]));
    const id = idAttributes.map((name) => row[name] ?? '').join(', ');
    const named = { monitor_id: rule.monitorId, reason: rule.reason, record_id: idAttributes.length === 0 ? null : id };
    return number === undefined ? { ...named, row } : { ...named, record_number: Number(place), row };
  });
  return samples.toSorted((one, other) => (one.record_number ?? 0) - (other.record_number ?? 0));
}

function shownValue(value: Cell | undefined, shown: (text: string) => string): string | null {
  return value === null || value === undefined ? null : maskPii(shown(String(value)));
}
