/** Columns that came, went or changed their type since the scan before. */
import type { Monitor, SchemaChange } from '@sextant/contracts-observability';
import type { Band } from '../bands/band.ts';
import type { EvaluationRequest, Violation } from './evaluation.ts';
import { violationName } from './violation-name.ts';

const INVERSE = { ADDED: 'REMOVED', REMOVED: 'ADDED', RETYPED: 'RETYPED' } as const;

/** Changes that do not undo those of the scan before: a column that returns is the end of the fault, not another one. */
export function newSchemaChanges(
  { schemaChanges, previousSchemaChanges = [] }: EvaluationRequest,
  wanted: ReadonlySet<string>,
): readonly SchemaChange[] {
  const undoing = new Set(
    previousSchemaChanges.map(({ kind, attribute, before, after }) =>
      changeId({ kind: INVERSE[kind], attribute, before: after, after: before }),
    ),
  );
  return schemaChanges.filter((change) => !undoing.has(changeId(change)) && (wanted.size === 0 || wanted.has(change.attribute)));
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
