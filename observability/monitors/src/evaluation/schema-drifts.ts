/** Columns that came, went or changed their type since the scan before. */
import type { Monitor, SchemaChange } from '@sextant/contracts-observability';
import type { Band } from '../bands/band.ts';
import type { EvaluationRequest, Violation } from './evaluation.ts';
import { violationName } from './violation-name.ts';

const INVERSE = { ADDED: 'REMOVED', REMOVED: 'ADDED', RETYPED: 'RETYPED' } as const;

/** Kinds of data by the names that engines and sources give to their types; others are kinds of their own. */
const KINDS = {
  number: /int|decimal|numeric|number|double|float|real/i,
  time: /date|time/i,
  text: /char|text|string/i,
} as const;

/**
 * Changes that matter. What undoes a change of the scan before does not: a column that returns is the end of the fault, not another one.
 * Nor does a type that holds no other kind of data than before: types of text files follow from their values, and a whole number more or
 * less is chance.
 */
export function newSchemaChanges(
  { schemaChanges, previousSchemaChanges = [] }: EvaluationRequest,
  wanted: ReadonlySet<string>,
): readonly SchemaChange[] {
  const undoing = new Set(
    previousSchemaChanges.map(({ kind, attribute, before, after }) =>
      changeId({ kind: INVERSE[kind], attribute, before: after, after: before }),
    ),
  );
  return schemaChanges.filter(
    (change) => !undoing.has(changeId(change)) && isOfOtherKind(change) && (wanted.size === 0 || wanted.has(change.attribute)),
  );
}

function isOfOtherKind({ kind, before, after }: SchemaChange): boolean {
  if (kind !== 'RETYPED') return true;
  const known = kindsOf(before);
  return [...kindsOf(after)].some((other) => !known.has(other));
}

/** A member of payloads may have several types, such as `integer|null|string`. */
function kindsOf(type: string | null): ReadonlySet<string> {
  const parts = (type ?? '').split('|').filter((part) => part !== 'null');
  return new Set(parts.map((part) => Object.entries(KINDS).find(([, names]) => names.test(part))?.[0] ?? part));
}

function changeId({ kind, attribute, before, after }: SchemaChange): string {
  return JSON.stringify([kind, attribute, before, after]);
}

export function schemaViolation(
  monitor: Monitor,
  change: SchemaChange,
  { count, band }: { readonly count: number; readonly band: Band },
): Violation {
  const { kind, attribute, before, after } = change;
  return {
    monitor_id: monitor.id,
    violation_name: violationName(monitor.id, { attribute, segment: null, ruleId: null, parentId: null }),
    type: 'SCHEMA_CHANGE',
    metric_name: 'SCHEMA',
    metric_aggregation: 'count',
    attribute,
    segment: null,
    series: null,
    rule: null,
    value: count,
    band,
    priority: 'HIGH',
    sentence: sentenceOf(change),
    facts: { kind, before, after },
  };
}

function sentenceOf({ kind, attribute, before, after }: SchemaChange): string {
  switch (kind) {
    case 'ADDED':
      return `column \`${attribute}\` of type ${after} is new`;
    case 'REMOVED':
      return `column \`${attribute}\` of type ${before} is gone`;
    case 'RETYPED':
      return `column \`${attribute}\` changed its type from ${before} to ${after}`;
  }
}
