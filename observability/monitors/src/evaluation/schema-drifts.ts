// SPDX-License-Identifier: Apache-2.0
/** Columns that came, went or changed their type since the scan before. */
import type { Monitor, SchemaChange } from '@sextant/contracts-observability';
import type { Band } from '../bands/band.ts';
import { REPORTED_SCANS } from './acceptance.ts';
import type { EvaluationRequest, Violation } from './evaluation.ts';
import { violationName } from './violation-name.ts';

/** Scans that are looked back on for what was usual. */
export const SCHEMA_SCANS = 20;

/** Kinds of data by the names that engines and sources give to their types; others are kinds of their own. */
const KINDS = {
  number: /int|decimal|numeric|number|double|float|real/i,
  time: /date|time/i,
  text: /char|text|string/i,
} as const;

/**
 * How the schema differs from what was usual: from what the attributes were before the earliest change that is known, or have been since
 * for longer than changes are reported. So a change lasts until it is undone or accepted, and a column that returns is the end of the fault, not
 * another one. A type that holds no other kind of data than before is no change: types of text files follow from their values, and a whole
 * number more or less is chance.
 */
export function standingSchemaChanges(
  { schemaChanges, recentSchemaChanges = [] }: EvaluationRequest,
  wanted: ReadonlySet<string>,
): readonly SchemaChange[] {
  const scans = [schemaChanges, ...recentSchemaChanges.slice(0, SCHEMA_SCANS)];
  const dated = scans.flatMap((changes, scansAgo) => changes.map((change) => ({ ...change, scansAgo })));
  const ofAttributes = Map.groupBy(dated, ({ attribute }) => attribute);
  return [...ofAttributes].flatMap(([attribute, changes]) =>
    wanted.size === 0 || wanted.has(attribute) ? (standingChange(attribute, typesOf(changes)) ?? []) : [],
  );
}

/** What an attribute was; null where it was not there. */
type TypeOfScans = { readonly type: string | null; readonly scans: number };

/** Newest first, of one attribute. */
function typesOf(changes: readonly (SchemaChange & { readonly scansAgo: number })[]): readonly TypeOfScans[] {
  const types: TypeOfScans[] = [];
  const add = (type: string | null, scans: number): void => {
    const later = types.at(-1);
    if (later === undefined || isOfOtherKind(later.type, type) || isOfOtherKind(type, later.type)) types.push({ type, scans });
    else types.splice(-1, 1, { type: later.type, scans: later.scans + scans });
  };
  let counted = 0;
  for (const { after, scansAgo } of changes) {
    add(after, scansAgo + 1 - counted);
    counted = scansAgo + 1;
  }
  add(changes.at(-1)?.before ?? null, Number.POSITIVE_INFINITY);
  return types;
}

function standingChange(attribute: string, [now, ...earlier]: readonly TypeOfScans[]): SchemaChange | undefined {
  if (now === undefined || now.scans > REPORTED_SCANS) return undefined;
  const usual = earlier.filter(({ scans }) => scans > REPORTED_SCANS);
  const [latest] = usual;
  if (latest === undefined || usual.some(({ type }) => !isOfOtherKind(type, now.type))) return undefined;
  const kind = latest.type === null ? 'ADDED' : now.type === null ? 'REMOVED' : 'RETYPED';
  return { kind, attribute, before: latest.type, after: now.type };
}

/** Whether values of the one type may be what those of the other cannot. */
export function isOfOtherKind(before: string | null, after: string | null): boolean {
  if (before === null || after === null) return before !== after;
  const known = kindsOf(before);
  return [...kindsOf(after)].some((other) => !known.has(other));
}

/** A member of payloads may have several types, such as `integer|null|string`. */
function kindsOf(type: string): ReadonlySet<string> {
  const parts = type.split('|').filter((part) => part !== 'null');
  return new Set(parts.map((part) => Object.entries(KINDS).find(([, names]) => names.test(part))?.[0] ?? part));
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
