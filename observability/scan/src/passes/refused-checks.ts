// SPDX-License-Identifier: Apache-2.0
/** One value that shows why a rule or metric no longer fits a column whose type is another than the asset knows. */
import type { Column } from '@sextant/observability-connectors';
import type { Dialect } from '../dialect/dialect.ts';
import { ExpressionError } from '../expressions/expression-error.ts';
import type { Suspect } from '../expressions/suspects.ts';
import { tokenize } from '../expressions/tokens.ts';
import { asNumber, asTimestamp, typedColumn } from '../expressions/typed-sql.ts';
import { type Failure, orUnexplained } from '../plan/failure.ts';
import type { ScanRequest } from '../scan.ts';
import { firstAtFault, type RecordScope } from './named-record.ts';

/** Checks that are asked; more at once are about the same columns. */
const ASKED_MAX = 20;
const NOWHERE = { line: 1, column: 1, offset: 0 };

/** The same failures, each with the first value that does not fit, where its expression reads a column of another type. */
export async function explainRefusals(
  scope: RecordScope,
  { monitors, attributes, failures }: Pick<ScanRequest, 'monitors' | 'attributes'> & { readonly failures: readonly Failure[] },
): Promise<readonly Failure[]> {
  const { engine } = scope;
  const retyped = new Map(
    engine.columns.flatMap((column) => {
      const known = attributes.find(({ name }) => name === column.name);
      const suspect = known === undefined ? undefined : misfit(known.data_type, column, engine.dialect);
      return suspect === undefined ? [] : [[column.name, suspect] as const];
    }),
  );
  if (retyped.size === 0) return failures;
  const explained: Failure[] = [];
  for (const [index, failure] of failures.entries()) {
    const monitor = monitors.find(({ id }) => id === failure.monitor_id);
    const suspects = monitor === undefined ? [] : namesIn(monitor.monitor).flatMap((name) => retyped.get(name) ?? []);
    const found = index < ASKED_MAX ? await orUnexplained(() => firstAtFault(scope, suspects)) : undefined;
    explained.push(found === undefined ? failure : { ...failure, reason: `${failure.reason}; ${found}` });
  }
  return explained;
}

/** What is no value of the type that a column had; undefined where its values still fit. */
function misfit(before: ScanRequest['attributes'][number]['data_type'], column: Column, dialect: Dialect): Suspect | undefined {
  const value = typedColumn(dialect, column);
  const isText = value.type === 'text';
  const present = `${dialect.identifier(column.name)} IS NOT NULL`;
  const suspect = (not: string, unread?: string): Suspect => {
    const sql = unread === undefined ? present : `(${present} AND ${unread} IS NULL)`;
    return { kind: 'no value', sql, says: column.name, text: { sql: dialect.text(dialect.identifier(column.name), column), not } };
  };
  switch (before) {
    case 'INTEGER':
    case 'DECIMAL':
      if (value.type === 'number') return undefined;
      return suspect('no number', isText ? asNumber(dialect, value, NOWHERE) : undefined);
    case 'DATE':
    case 'TIMESTAMP':
      if (value.type === 'date' || value.type === 'timestamp') return undefined;
      return suspect('no date', isText ? asTimestamp(dialect, value, NOWHERE) : undefined);
    case 'BOOLEAN':
      if (value.type === 'boolean') return undefined;
      return suspect('neither true nor false', isText ? `CASE WHEN lower(${value.sql}) IN ('true', 'false') THEN TRUE END` : undefined);
    case 'STRING':
    case 'OTHER':
      return undefined;
  }
}

function namesIn(monitor: ScanRequest['monitors'][number]['monitor']): readonly string[] {
  if (!('expression' in monitor) || ('raw_sql' in monitor && monitor.raw_sql)) return [];
  const referred = 'variables' in monitor ? monitor.variables.flatMap(({ value }) => value.map(String)) : [];
  try {
    return [...new Set([...tokenize(monitor.expression).map(({ value }) => value), ...referred])];
  } catch (error) {
    if (error instanceof ExpressionError) return [];
    throw error;
  }
}
