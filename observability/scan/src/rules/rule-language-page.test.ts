// SPDX-License-Identifier: Apache-2.0
/**
 * The examples of docs/reference/rule-language.md. The header of a table says what its rows are; a table with an unknown header fails, so that no
 * example is passed over.
 */
import { describe, expect, test } from 'vitest';
import { duckdbDialect } from '../dialect/duckdb.ts';
import { FUNCTION_NAMES } from '../expressions/functions.ts';
import { NOW_MS, onDuckdb } from '../expressions/sql-engines.conformance.ts';
import { AGGREGATES } from '../expressions/syntax-tree.ts';
import { compileRule } from './rule-compiler.ts';
import { languagePageSuite } from './rule-language-page.conformance.ts';
import { contextOf, EXAMPLES, exampleOf, PAGE, PROSE, rowsUnder, TABLES } from './rule-language-tables.conformance.ts';
import { CONTEXTS, TESTS } from './rule-tree.ts';
import { definition } from './verdicts.conformance.ts';

onDuckdb(languagePageSuite);

describe('the example table', () => {
  test('has the rows that the examples number', () => {
    expect(EXAMPLES?.rows.map(([id]) => Number(id?.text))).toEqual([1, 2, 3, 4, 5, 6]);
    expect(PAGE).toContain(new Date(NOW_MS).toISOString().slice(0, 10));
  });
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
