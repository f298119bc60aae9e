// SPDX-License-Identifier: Apache-2.0
/** Rules of the rule language that the rows follow almost always, with the rows that do and those that do not. */
import type { CellTable } from './cell-table.ts';
import type { ColumnValues } from './column-values.ts';
import type { Dependency } from './dependencies.ts';
import { dominantFormat } from './formats.ts';
import { isNumber } from './patterns.ts';
import { type Relation, sentenceOf } from './relations.ts';

export type SuggestedRule = {
  /** In the rule language, ready for a monitor of type RULE. */
  readonly expression: string;
  /** In words. */
  readonly description: string;
  /** Rows that follow the rule, and rows that break it. */
  readonly support: number;
  readonly exceptions: number;
};

/** A rule that more rows break is no rule. */
const HOLDS = 0.95;
/** A mapping longer than this is no sentence any more; the language takes 10,000 characters. */
const EXPRESSION_MAX = 8_000;
const LISTED_MAX = 30;

export async function suggestRules(
  table: CellTable,
  columns: readonly ColumnValues[],
  { dependencies, relations }: { readonly dependencies: readonly Dependency[]; readonly relations: readonly Relation[] },
): Promise<readonly SuggestedRule[]> {
  const ofColumns = columns.flatMap((column) => {
    // What the type of a column says is no rule.
    const written = table.numbers.has(column.index) ? [] : format(column);
    return [...presence(column), ...written, ...domain(column)];
  });
  const ofRelations = relations.map((relation) => relationRule(relation, columns));
  const mappings: SuggestedRule[] = [];
  for (const dependency of dependencies.filter(({ left }) => left.length === 1))
    mappings.push(...(await mapping(table, columns, dependency)));
  const all = [...ofColumns, ...ofRelations, ...mappings];
  return all.filter(({ support, exceptions }) => support > 0 && support >= HOLDS * (support + exceptions));
}

function presence({ name, rows, present }: ColumnValues): readonly SuggestedRule[] {
  return [
    {
      expression: `VALIDATE ${identifier(name)} EXPECT NOT IS_NULL`,
      description: `${name} is never empty`,
      support: present,
      exceptions: rows - present,
    },
  ];
}

function format(column: ColumnValues): readonly SuggestedRule[] {
  const { name, values, present } = column;
  const numeric = countOf(values, isNumber);
  if (numeric >= HOLDS * present) {
    return [
      {
        expression: `VALIDATE ${identifier(name)} EXPECT IS_NULL OR IS_NUMBER`,
        description: `${name} is a number`,
        support: numeric,
        exceptions: present - numeric,
      },
    ];
  }
  const usual = dominantFormat(column);
  if (usual === undefined) return [];
  const support = countOf(values, (value) => usual.test(value));
  return [
    {
      expression: `VALIDATE ${identifier(name)} EXPECT IS_NULL OR REGEX(${text(usual.source)})`,
      description: `${name} is written like "${values.find(({ value }) => usual.test(value))?.value ?? ''}"`,
      support,
      exceptions: present - support,
    },
  ];
}

/** The values that occur again and again, where they are few and nearly all. */
function domain({ name, values, present, isWhole }: ColumnValues): readonly SuggestedRule[] {
  const listed = values.filter(({ count }) => count >= Math.max(3, 0.002 * present));
  if (!isWhole || listed.length < 2 || listed.length > LISTED_MAX || listed.every(({ value }) => isNumber(value))) return [];
  const support = listed.reduce((sum, { count }) => sum + count, 0);
  const expression = `VALIDATE ${identifier(name)} EXPECT IS_NULL OR VALUE IN (${listed.map(({ value }) => text(value)).join(', ')})`;
  if (expression.length > EXPRESSION_MAX) return [];
  return [{ expression, description: `${name} is one of ${listed.length} values`, support, exceptions: present - support }];
}

function relationRule(relation: Relation, columns: readonly ColumnValues[]): SuggestedRule {
  const [first = '', second = '', third = ''] = relation.columns.map((index) => identifier(columns[index]?.name ?? ''));
  const isDate = relation.kind === 'order' && !(columns[relation.columns[0] ?? 0]?.values ?? []).some(({ value }) => isNumber(value));
  const cast = (name: string): string => `CAST(${name} AS ${isDate ? 'TIMESTAMP' : 'NUMBER'})`;
  const sign = relation.kind === 'sum' ? '+' : '*';
  const body =
    relation.kind === 'order'
      ? `VALIDATE ${cast(first)} <= ${cast(second)} EXPECT IS_NULL OR IS_TRUE`
      : `VALIDATE abs(${cast(third)} - ${cast(first)} ${sign} ${cast(second)}) EXPECT IS_NULL OR VALUE <= 0.011`;
  const expression = relation.kind === 'sum' ? body.replace(` ${sign} `, ' - ') : body;
  const { support, exceptions } = relation;
  return { expression, description: sentenceOf(relation, columns), support, exceptions };
}

/** `zip determines city`, as the values themselves. */
async function mapping(table: CellTable, columns: readonly ColumnValues[], { left, right }: Dependency): Promise<readonly SuggestedRule[]> {
  const [from = 0] = left;
  const names = [from, right].map((index) => columns[index]?.name ?? '');
  const [source = '', target = ''] = names;
  if ((columns[from]?.values.filter(({ count }) => count >= 3).length ?? 0) > EXPRESSION_MAX / 24) return [];
  const rows = await table.query(
    `WITH pairs AS (SELECT c${from} AS x, c${right} AS y, count(*) AS n FROM ${table.relation} WHERE x IS NOT NULL AND y IS NOT NULL GROUP BY ALL) ` +
      'SELECT x, max_by(y, n), CAST(max(n) AS DOUBLE), CAST(sum(n) AS DOUBLE) FROM pairs GROUP BY x HAVING sum(n) >= 3 AND max(n) * 2 > sum(n) ORDER BY sum(n) DESC, x',
  );
  const cases = rows.map(([x, y]) => `WHEN ${text(String(x))} THEN ${text(String(y))}`).join(' ');
  const expression = `VALIDATE ${identifier(target)} = CASE ${identifier(source)} ${cases} END EXPECT IS_NULL OR IS_TRUE`;
  if (rows.length < 2 || expression.length > EXPRESSION_MAX) return [];
  const support = rows.reduce((sum, [, , most]) => sum + Number(most), 0);
  const all = rows.reduce((sum, [, , , size]) => sum + Number(size), 0);
  return [{ expression, description: `${source} determines ${target}`, support, exceptions: all - support }];
}

function countOf(values: ColumnValues['values'], test: (value: string) => boolean): number {
  return values.reduce((sum, { value, count }) => sum + (test(value) ? count : 0), 0);
}

function identifier(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}

function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
