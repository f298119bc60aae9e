// SPDX-License-Identifier: Apache-2.0
/** The examples of docs/reference/rule-language.md that are executed, on the table that the page shows. */
import { monitorDefinitionSchema, validate } from '@sextant/contracts-observability';
import { beforeAll, describe, expect, test } from 'vitest';
import { compileMetric } from '../expressions/metric-compiler.ts';
import { columnResolver, compileScalar } from '../expressions/scalar-compiler.ts';
import { parseExpression } from '../expressions/scalar-parser.ts';
import { NOW_MS, type SqlEngine } from '../expressions/sql-engines.conformance.ts';
import { tokenReader } from '../expressions/token-reader.ts';
import { asText } from '../expressions/typed-sql.ts';
import type { RuleDefinition } from './rule-compiler.ts';
import { attributes, contextOf, EXAMPLES, exampleOf, expectedOf, PAGE, rowNumbers, rowsUnder } from './rule-language-tables.conformance.ts';
import { definition, type Verdict, verdictsOf } from './verdicts.conformance.ts';

export function languagePageSuite(engine: SqlEngine): void {
  const { dialect, query } = engine;

  /** The numbers of the rows with each verdict. */
  async function rowsBy(rule: RuleDefinition): Promise<{ readonly [verdict in Verdict]: readonly number[] }> {
    const verdicts = await verdictsOf(engine, rule, contextOf(dialect));
    const rows = (wanted: Verdict) => verdicts.flatMap((verdict, index) => (verdict === wanted ? [index + 1] : []));
    return { valid: rows('valid'), invalid: rows('invalid'), ignored: rows('ignored') };
  }

  describe('examples of the rule language', () => {
    beforeAll(() => fillExamples(engine));

    describe('rules', () => {
      const { variables } = shownDefinition();
      const rules = rowsUnder('Rule | Rows that break it').map(([rule, broken]) => [exampleOf(rule), rowNumbers(broken)] as const);

      test.each(rules)('%s', async (rule, broken) => {
        expect((await rowsBy(definition(rule, { variables }))).invalid).toEqual(broken);
      });
    });

    describe('options', () => {
      const examples = rowsUnder('Rule | Options | Rows that break it | Rows left out | Correctness');

      test.each(
        examples.map(([rule, options, ...expected]) => [exampleOf(rule), exampleOf(options), ...expected.map(({ text }) => text)] as const),
      )('%s with %s', async (rule, options, broken, leftOut, correctness) => {
        const parsed: unknown = JSON.parse(options);
        validate(monitorDefinitionSchema('RULE'), { expression: rule, options: parsed }, 'the monitor of the page');
        // The schema has just let them through.
        const { valid, invalid, ignored } = await rowsBy(definition(rule, parsed as Partial<RuleDefinition['options']>));
        const percentage = (valid.length / (valid.length + invalid.length)) * 100;
        const written = (rows: readonly number[]) => (rows.length === 0 ? 'none' : rows.join(', '));
        expect([written(invalid), written(ignored), `${percentage} %`]).toEqual([broken, leftOut, correctness]);
      });
    });

    describe('expressions', () => {
      const examples = rowsUnder('Expression | Value in row 1').flatMap(([expressions, value]) =>
        value === undefined ? [] : [[exampleOf(expressions), expectedOf(value)] as const],
      );

      test.each(examples)('%s', async (source, expected) => {
        const reader = tokenReader(source);
        const expression = parseExpression(reader);
        reader.expectEnd('the end');
        const columnOf = columnResolver(dialect, contextOf(dialect).columns);
        const resolve = (name: string) => columnOf(name)?.value ?? { sql: dialect.identifier(name), type: 'text' as const };
        const value = asText(dialect, compileScalar(expression, { dialect, nowMs: NOW_MS, resolve }));
        expect(await query(`SELECT ${value} FROM "rows" WHERE row_number = 0`)).toEqual([[expected]]);
      });
    });

    describe('metrics', () => {
      const withOptions = [
        ...rowsUnder('Metric | Value').map(([metric, value]) => [exampleOf(metric), '{}', Number(exampleOf(value))] as const),
        ...rowsUnder('Metric | Options | Value').map(
          ([metric, options, value]) => [exampleOf(metric), exampleOf(options), Number(exampleOf(value))] as const,
        ),
      ];
      test.each(withOptions)('%s with %s', async (expression, options, expected) => {
        expect(await measured(expression, options)).toEqual([[expected]]);
      });

      const segmented = rowsUnder('Metric | Value of each segment').map(
        ([metric, values]) => [exampleOf(metric), values?.text ?? ''] as const,
      );
      test.each(segmented)('%s', async (expression, expected) => {
        const segments = (await measured(expression, '{}')).map(([value, ...names]) => `${names.map(String).join(' ')}: ${value}`);
        expect(new Set(segments)).toEqual(new Set(expected.split(', ')));
      });

      async function measured(expression: string, options: string): Promise<readonly (readonly unknown[])[]> {
        const parsed: unknown = JSON.parse(options);
        validate(monitorDefinitionSchema('METRIC'), { expression, options: parsed }, 'the monitor of the page');
        // The schema has just let them through.
        const metric = { expression, options: { ignore_nulls: false, ...(parsed as { ignore_nulls?: boolean }) }, raw_sql: false };
        const compiled = compileMetric('3', metric, contextOf(dialect));
        if (compiled.kind === 'refused') throw new Error(compiled.reason);
        const { check } = compiled;
        return query(check.kind === 'aggregate' ? `SELECT ${check.sql} FROM "rows"` : check.sql);
      }
    });
  });
}

async function fillExamples({ dialect, query }: SqlEngine): Promise<void> {
  const columns = attributes.map(({ name, sql }) => `${dialect.identifier(name)} ${sql}`);
  await query('DROP TABLE IF EXISTS "rows"');
  await query(`CREATE TABLE "rows" (row_number INTEGER, ${columns.join(', ')})`);
  for (const [index, cells] of (EXAMPLES?.rows ?? []).entries()) {
    const values = cells.map(({ text, code: [code] }) => (text === '*null*' ? 'NULL' : dialect.literal(code ?? text)));
    await query(`INSERT INTO "rows" VALUES (${[index, ...values].join(', ')})`);
  }
}

/** The definition of a monitor that the page shows, as the interface accepts it. */
function shownDefinition(): RuleDefinition {
  const [, json = ''] = /```json\n([\s\S]*?)```/.exec(PAGE) ?? [];
  const shown: unknown = JSON.parse(json);
  validate(monitorDefinitionSchema('RULE'), shown, 'the monitor of the page');
  // The schema has just let it through.
  return shown as RuleDefinition;
}
