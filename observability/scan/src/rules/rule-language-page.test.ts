// SPDX-License-Identifier: Apache-2.0
/**
 * Executes the examples of docs/reference/rule-language.md on both engines, on the table that the page shows. The header of a table says
 * what its rows are; a table with an unknown header fails, so that no example is passed over.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { monitorDefinitionSchema, validate } from '@sextant/contracts-observability';
import type { Column } from '@sextant/observability-connectors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CompileContext } from '../checks.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { duckdbDialect } from '../dialect/duckdb.ts';
import { FUNCTION_NAMES } from '../expressions/functions.ts';
import { compileMetric } from '../expressions/metric-compiler.ts';
import { columnResolver, compileScalar } from '../expressions/scalar-compiler.ts';
import { parseExpression } from '../expressions/scalar-parser.ts';
import { NOW_MS, openTestEngines, type SqlEngine } from '../expressions/sql-engines.conformance.ts';
import { AGGREGATES } from '../expressions/syntax-tree.ts';
import { tokenReader } from '../expressions/token-reader.ts';
import { asText } from '../expressions/typed-sql.ts';
import { compileRule, type RuleDefinition } from './rule-compiler.ts';
import { CONTEXTS, TESTS } from './rule-tree.ts';
import { definition, type Verdict, verdictsOf } from './verdicts.conformance.ts';

const PAGE = readFileSync(fileURLToPath(new URL('../../../../docs/reference/rule-language.md', import.meta.url)), 'utf8');

/** A cell's code spans, and its text without their backticks. */
type Cell = { readonly text: string; readonly code: readonly string[] };
type Table = { readonly header: string; readonly rows: readonly (readonly Cell[])[] };

/** Tables that describe and execute nothing, by their headers. */
const PROSE = [
  'Context | Compares',
  'Written | Holds if the value',
  'Test | Holds if the value',
  'Type | Its `value` | Stands',
  'Operators | Meaning',
  'What | At most',
];
const TABLES = tablesOf(PAGE);

/** The rows of all tables with this header. */
function rowsUnder(header: string): readonly (readonly Cell[])[] {
  return TABLES.filter((table) => table.header === header).flatMap(({ rows }) => rows);
}

function tablesOf(page: string): readonly Table[] {
  return [...page.matchAll(/(?:^\|.*\|\n)+/gm)].map(([block]) => {
    const [header = '', , ...rows] = block.trimEnd().split('\n');
    return { header: header.slice(1, -1).trim(), rows: rows.map(cellsOf) };
  });
}

function cellsOf(line: string): readonly Cell[] {
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.slice(1, -1).replaceAll('\\|', '|'))
    .map((text) => ({ text, code: [...text.matchAll(/(`+)(.+?)\1(?!`)/g)].map(([, , code = '']) => code) }));
}

/** The only code span of a cell, or null for `*null*`. */
function expectedOf({ text, code }: Cell): string | null {
  const [only] = code;
  if (only === undefined && text !== '*null*') throw new Error(`${text} is neither a code span nor *null*`);
  return only ?? null;
}

function exampleOf(cell: Cell | undefined): string {
  const [example] = cell?.code ?? [];
  if (example === undefined) throw new Error(`${cell?.text} has no code span`);
  return example;
}

function rowNumbers(cell: Cell | undefined): readonly number[] {
  return cell?.text === 'none' ? [] : (cell?.text ?? '').split(', ').map(Number);
}

const SQL_TYPES = {
  'number (whole)': { data_type: 'INTEGER', sql: 'BIGINT', duckdb: 'BIGINT', postgresql: 'bigint', spark: 'bigint' },
  number: { data_type: 'DECIMAL', sql: 'FLOAT8', duckdb: 'DOUBLE', postgresql: 'double precision', spark: 'double' },
  text: { data_type: 'STRING', sql: 'TEXT', duckdb: 'VARCHAR', postgresql: 'text', spark: 'string' },
  'true/false': { data_type: 'BOOLEAN', sql: 'BOOLEAN', duckdb: 'BOOLEAN', postgresql: 'boolean', spark: 'boolean' },
  date: { data_type: 'DATE', sql: 'DATE', duckdb: 'DATE', postgresql: 'date', spark: 'date' },
  'date-time': {
    data_type: 'TIMESTAMP',
    sql: 'TIMESTAMP',
    duckdb: 'TIMESTAMP',
    postgresql: 'timestamp without time zone',
    spark: 'timestamp',
  },
} as const;

const attributeTypes = new Map(
  rowsUnder('Attribute | Type').flatMap(([names, type]) =>
    (names?.code ?? []).map((name) => [name, SQL_TYPES[(type?.text ?? '') as keyof typeof SQL_TYPES]] as const),
  ),
);
const EXAMPLES = TABLES.find(({ header }) => header.startsWith('id |'));
const attributes = (EXAMPLES?.header ?? '').split(' | ').map((name) => {
  const type = attributeTypes.get(name);
  if (type === undefined) throw new Error(`the page gives no type for ${name}`);
  return { name, ...type };
});

function contextOf(dialect: Dialect): CompileContext {
  const columns: readonly Column[] = attributes.map((attribute) => ({
    name: attribute.name,
    data_type: attribute.data_type,
    source_type: attribute[dialect.name],
  }));
  return { dialect, columns, relation: '"rows"', nowMs: NOW_MS };
}

async function fillExamples({ dialect, query }: SqlEngine): Promise<void> {
  const columns = attributes.map(({ name, sql }) => `${dialect.identifier(name)} ${sql}`);
  await query(`CREATE TABLE "rows" (row_number INTEGER, ${columns.join(', ')})`);
  for (const [index, cells] of (EXAMPLES?.rows ?? []).entries()) {
    const values = cells.map(({ text, code: [code] }) => (text === '*null*' ? 'NULL' : dialect.literal(code ?? text)));
    await query(`INSERT INTO "rows" VALUES (${[index, ...values].join(', ')})`);
  }
}

let opened: Awaited<ReturnType<typeof openTestEngines>>;
beforeAll(async () => {
  opened = await openTestEngines();
  for (const engine of opened.engines) await fillExamples(engine);
});
afterAll(() => opened[Symbol.asyncDispose]());

/** The numbers of the rows with each verdict. */
async function rowsBy(engine: SqlEngine, rule: RuleDefinition): Promise<{ readonly [verdict in Verdict]: readonly number[] }> {
  const verdicts = await verdictsOf(engine, rule, contextOf(engine.dialect));
  const rows = (wanted: Verdict) => verdicts.flatMap((verdict, index) => (verdict === wanted ? [index + 1] : []));
  return { valid: rows('valid'), invalid: rows('invalid'), ignored: rows('ignored') };
}

/** The definition of a monitor that the page shows, as the interface accepts it. */
function shownDefinition(): RuleDefinition {
  const [, json = ''] = /```json\n([\s\S]*?)```/.exec(PAGE) ?? [];
  const shown: unknown = JSON.parse(json);
  validate(monitorDefinitionSchema('RULE'), shown, 'the monitor of the page');
  // The schema has just let it through.
  return shown as RuleDefinition;
}

describe('the example table', () => {
  test('has the rows that the examples number', () => {
    expect(EXAMPLES?.rows.map(([id]) => Number(id?.text))).toEqual([1, 2, 3, 4, 5, 6]);
    expect(PAGE).toContain(new Date(NOW_MS).toISOString().slice(0, 10));
  });
});

describe('rules', () => {
  const { variables } = shownDefinition();
  const rules = rowsUnder('Rule | Rows that break it').map(([rule, broken]) => [exampleOf(rule), rowNumbers(broken)] as const);

  test.each(rules)('%s', async (rule, broken) => {
    for (const engine of opened.engines) {
      expect((await rowsBy(engine, definition(rule, { variables }))).invalid).toEqual(broken);
    }
  });
});

describe('options', () => {
  const examples = rowsUnder('Rule | Options | Rows that break it | Rows left out | Correctness');

  test.each(
    examples.map(([rule, options, ...expected]) => [exampleOf(rule), exampleOf(options), ...expected.map(({ text }) => text)] as const),
  )('%s with %s', async (rule, options, broken, leftOut, correctness) => {
    const parsed: unknown = JSON.parse(options);
    validate(monitorDefinitionSchema('RULE'), { expression: rule, options: parsed }, 'the monitor of the page');
    for (const engine of opened.engines) {
      // The schema has just let them through.
      const { valid, invalid, ignored } = await rowsBy(engine, definition(rule, parsed as Partial<RuleDefinition['options']>));
      const percentage = (valid.length / (valid.length + invalid.length)) * 100;
      const written = (rows: readonly number[]) => (rows.length === 0 ? 'none' : rows.join(', '));
      expect([written(invalid), written(ignored), `${percentage} %`]).toEqual([broken, leftOut, correctness]);
    }
  });
});

describe('expressions', () => {
  const examples = rowsUnder('Expression | Value in row 1').flatMap(([expressions, value]) =>
    value === undefined ? [] : [[exampleOf(expressions), expectedOf(value)] as const],
  );

  test.each(examples)('%s', async (source, expected) => {
    for (const { dialect, query } of opened.engines) {
      const reader = tokenReader(source);
      const expression = parseExpression(reader);
      reader.expectEnd('the end');
      const columnOf = columnResolver(dialect, contextOf(dialect).columns);
      const resolve = (name: string) => columnOf(name)?.value ?? { sql: dialect.identifier(name), type: 'text' as const };
      const value = asText(dialect, compileScalar(expression, { dialect, nowMs: NOW_MS, resolve }));
      expect(await query(`SELECT ${value} FROM "rows" WHERE row_number = 0`)).toEqual([[expected]]);
    }
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
    for (const engine of opened.engines) expect(await measured(engine, expression, options)).toEqual([[expected]]);
  });

  const segmented = rowsUnder('Metric | Value of each segment').map(([metric, values]) => [exampleOf(metric), values?.text ?? ''] as const);
  test.each(segmented)('%s', async (expression, expected) => {
    for (const engine of opened.engines) {
      const segments = (await measured(engine, expression, '{}')).map(([value, ...names]) => `${names.map(String).join(' ')}: ${value}`);
      expect(new Set(segments)).toEqual(new Set(expected.split(', ')));
    }
  });

  async function measured({ dialect, query }: SqlEngine, expression: string, options: string): Promise<readonly (readonly unknown[])[]> {
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

describe('messages', () => {
  const examples = rowsUnder('Rule | Message').map(([rule, message]) => [exampleOf(rule), message?.text ?? ''] as const);

  test.each(examples)('%s', (rule, reason) => {
    expect(compileRule('7', definition(rule), contextOf(duckdbDialect))).toMatchObject({ kind: 'refused', reason });
  });
});

describe('the page is whole', () => {
  const executed = TABLES.filter(({ header }) => !PROSE.includes(header));

  test('no table has a header that the test does not know', () => {
    const known = [
      'Attribute | Type',
      'Expression | Value in row 1',
      'Metric | Value',
      'Metric | Options | Value',
      'Metric | Value of each segment',
      EXAMPLES?.header,
    ];
    const others = executed.map(({ header }) => header).filter((header) => !known.includes(header) && !header.startsWith('Rule | '));
    expect(others).toEqual([]);
    const kinds = ['Rows that break it', 'Options | Rows that break it | Rows left out | Correctness', 'Message'];
    const rules = TABLES.filter(({ header }) => header.startsWith('Rule | ')).map(({ header }) => header.slice('Rule | '.length));
    expect(new Set(rules)).toEqual(new Set(kinds));
  });

  test.each([
    ['function', [...FUNCTION_NAMES]],
    ['aggregate', AGGREGATES],
    ['context', CONTEXTS],
    ['test', TESTS],
  ])('every %s is in an example or beside one', (_, names) => {
    const examples = executed.flatMap(({ rows }) => rows.flatMap((cells) => cells.flatMap(({ code }) => code)));
    const shown = new Set(examples.flatMap((example) => example.match(/\w+/g) ?? []));
    expect(names.filter((name) => !shown.has(name))).toEqual([]);
  });
});
