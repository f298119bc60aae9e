// SPDX-License-Identifier: Apache-2.0
import type { CompileContext } from '../checks.ts';
import { fillRows, type SqlEngine, type TestRow, testContext } from '../expressions/sql-engines.conformance.ts';
import { compileRule, type RuleDefinition } from './rule-compiler.ts';

export type Verdict = 'valid' | 'invalid' | 'ignored';

export function definition(expression: string, more: Partial<RuleDefinition> & Partial<RuleDefinition['options']> = {}): RuleDefinition {
  const { ignore_nulls = false, empty_values = [], variables = [] } = more;
  return { expression, options: { ignore_nulls, empty_values }, variables };
}

/** What an engine says of each row, the rule placed as a plan places it: windows beside the row, the rest above. */
export async function verdictsOf(
  engine: SqlEngine,
  rule: RuleDefinition,
  context: CompileContext = testContext(engine.dialect),
): Promise<readonly Verdict[]> {
  const { dialect } = engine;
  const compiled = compileRule('7', rule, context);
  if (compiled.kind === 'refused') throw new Error(`${rule.expression}: ${compiled.reason}`);
  const { windows, appliesSql = 'TRUE', validSql } = compiled.check;
  const columns = ['*', ...windows.map(({ name, sql }) => `${sql} AS ${dialect.identifier(name)}`)];
  const rows = await engine.query(
    `SELECT CASE WHEN NOT ${appliesSql} THEN 'ignored' WHEN ${validSql} THEN 'valid' ELSE 'invalid' END ` +
      `FROM (SELECT ${columns.join(', ')} FROM "rows") AS checked ORDER BY row_number`,
  );
  // The statement above says nothing else.
  return rows.map(([verdict]) => verdict as Verdict);
}

export async function verdictsOver(engine: SqlEngine, rows: readonly TestRow[], rule: RuleDefinition): Promise<readonly Verdict[]> {
  await fillRows(engine, rows);
  return verdictsOf(engine, rule);
}
