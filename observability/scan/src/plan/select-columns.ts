// SPDX-License-Identifier: Apache-2.0
/**
 * Which columns of tables each column of a SELECT is made of, read from the tree that DuckDB's parser makes of it (its grammar is that of
 * PostgreSQL). What filters, joins, groups or orders rows is no source. Whatever this does not know for certain is unknown: a subquery within an
 * expression, a column that could be of several tables, `*` of a table whose columns nobody has named, a function of the number of rows.
 */

export type TableColumn = { readonly schema: string; readonly table: string; readonly column: string };

/** Undefined where it is unknown. */
export type Sources = readonly TableColumn[] | undefined;

export type Output = { readonly name: string; readonly sources: Sources };
/** The names of the columns of a table in their order; undefined where nobody knows them. */
export type ColumnsOfTable = (table: Omit<TableColumn, 'column'>) => readonly string[] | undefined;
type Node = { readonly [member: string]: unknown };
type Relation = {
  readonly alias: string;
  readonly sourcesOf: (column: string) => Sources;
  /** What `*` stands for. */
  readonly outputs: readonly Output[] | undefined;
};
/** Common table expressions that can be seen, by name, and the columns of tables. */
type Visible = { readonly expressions: ReadonlyMap<string, readonly Output[] | undefined>; readonly columnsOfTable: ColumnsOfTable };

const TRANSPARENT: ReadonlySet<unknown> = new Set([
  'BETWEEN',
  'CASE',
  'CAST',
  'COLLATE',
  'COMPARISON',
  'CONJUNCTION',
  'CONSTANT',
  'FUNCTION',
  'OPERATOR',
]);
/** Of one SELECT. Stars of stars could double them at each step. */
const COLUMNS_MAX = 2000;
/** Their value is that of the rows, not of a column. */
const OF_ROWS: ReadonlySet<unknown> = new Set(['count_star', 'count']);

/** In the order of the columns; undefined where not even their number is known. */
export function selectColumns(tree: unknown, columnsOfTable: ColumnsOfTable = () => undefined): readonly Output[] | undefined {
  if (!isNode(tree) || tree.error === true || !Array.isArray(tree.statements) || tree.statements.length !== 1) return undefined;
  const [statement] = tree.statements;
  return outputsOf(member(statement, 'node'), { expressions: new Map(), columnsOfTable });
}

function outputsOf(node: unknown, outer: Visible): readonly Output[] | undefined {
  if (!isNode(node)) return undefined;
  const expressions = new Map(outer.expressions);
  const visible = { ...outer, expressions };
  for (const { key, value } of listOf(member(node.cte_map, 'map')).filter(isNode)) {
    const isPlain = listOf(member(value, 'aliases')).length === 0;
    expressions.set(String(key), isPlain ? outputsOf(member(member(value, 'query'), 'node'), visible) : undefined);
  }
  if (node.type === 'SET_OPERATION_NODE') return bothOf(node, visible);
  if (node.type !== 'SELECT_NODE') return undefined;
  const relations = relationsOf(node.from_table, visible);
  const outputs: Output[] = [];
  for (const each of listOf(node.select_list)) {
    if (!isNode(each)) return undefined;
    if (each.class === 'STAR') {
      const all = isMerged(node.from_table) ? undefined : starOutputs(each, relations);
      if (all === undefined) return undefined;
      outputs.push(...all);
      if (outputs.length > COLUMNS_MAX) return undefined;
    } else outputs.push({ name: nameOf(each), sources: sourcesOf(each, relations) });
  }
  return outputs;
}

/** Whether a join makes one column of two, as USING and NATURAL do. */
function isMerged(from: unknown): boolean {
  if (!isNode(from) || from.type !== 'JOIN') return false;
  return listOf(from.using_columns).length > 0 || from.ref_type === 'NATURAL' || isMerged(from.left) || isMerged(from.right);
}

/** Of `*` and `t.*` as they are: what is left out of them, replaced or renamed is not followed. */
function starOutputs(star: Node, relations: readonly Relation[]): readonly Output[] | undefined {
  const changes = [star.exclude_list, star.qualified_exclude_list, star.replace_list, star.rename_list];
  if (star.columns === true || isNode(star.expr) || changes.some((list) => listOf(list).length > 0)) return undefined;
  const named = textOf(star.relation_name);
  const meant = named === '' ? relations : relations.filter(({ alias }) => alias === named);
  const outputs = meant.map((relation) => relation.outputs).filter((each) => each !== undefined);
  const length = outputs.reduce((sum, each) => sum + each.length, 0);
  return meant.length === 0 || outputs.length < meant.length || length > COLUMNS_MAX ? undefined : outputs.flat();
}

/** Of `UNION`, `INTERSECT` and `EXCEPT`, with the names of the first. */
function bothOf({ left, right }: Node, visible: Visible): readonly Output[] | undefined {
  const [first, second] = [outputsOf(left, visible), outputsOf(right, visible)];
  if (first === undefined || second === undefined || first.length !== second.length) return undefined;
  return first.map(({ name, sources }, index) => ({ name, sources: joined([sources, second[index]?.sources]) }));
}

/** What stands behind FROM; one of which nothing is known is there as well, so that a name could be its. */
function relationsOf(from: unknown, visible: Visible): readonly Relation[] {
  if (!isNode(from)) return [];
  const alias = textOf(from.alias);
  const unknown = [{ alias, sourcesOf: () => undefined, outputs: undefined }];
  // New names for the columns of a relation would have to be told apart by their places.
  if (listOf(from.column_name_alias).length > 0) return unknown;
  switch (from.type) {
    case 'EMPTY':
      return [];
    case 'JOIN':
      return [...relationsOf(from.left, visible), ...relationsOf(from.right, visible)];
    case 'SUBQUERY':
      return [derived(alias, outputsOf(member(from.subquery, 'node'), visible))];
    case 'BASE_TABLE': {
      const [schema, table] = [textOf(from.schema_name), textOf(from.table_name)];
      const name = alias === '' ? table : alias;
      if (schema === '' && visible.expressions.has(table)) return [derived(name, visible.expressions.get(table))];
      // Without its schema, it depends on the session which table it is.
      if (schema === '') return [{ alias: name, sourcesOf: () => undefined, outputs: undefined }];
      const columns = visible.columnsOfTable({ schema, table });
      const outputs = columns?.map((column) => ({ name: column, sources: [{ schema, table, column }] }));
      return [{ alias: name, sourcesOf: (column) => [{ schema, table, column }], outputs }];
    }
    default:
      return unknown;
  }
}

function derived(alias: string, outputs: readonly Output[] | undefined): Relation {
  const sourcesOf = (column: string) => {
    const named = outputs?.filter(({ name }) => name === column);
    return named?.length === 1 ? named[0]?.sources : undefined;
  };
  return { alias, sourcesOf, outputs };
}

function sourcesOf(expression: Node, relations: readonly Relation[]): Sources {
  if (expression.class === 'COLUMN_REF') return columnSources(listOf(expression.column_names).map(String), relations);
  if (!TRANSPARENT.has(expression.class) || OF_ROWS.has(expression.function_name)) return undefined;
  const parts = Object.entries(expression).flatMap(([name, value]) => (name === 'value' ? [] : expressionsIn(value)));
  return joined(parts.map((part) => sourcesOf(part, relations)));
}

function columnSources(names: readonly string[], relations: readonly Relation[]): Sources {
  const column = names.at(-1);
  if (column === undefined || names.length > 2) return undefined;
  const meant = names.length === 1 ? relations : relations.filter(({ alias }) => alias === names[0]);
  return meant.length === 1 ? meant[0]?.sourcesOf(column) : undefined;
}

/** The expressions directly below a member, which may lie in lists and in objects that are none. */
function expressionsIn(value: unknown): readonly Node[] {
  if (Array.isArray(value)) return value.flatMap(expressionsIn);
  if (!isNode(value)) return [];
  return typeof value.class === 'string' ? [value] : Object.values(value).flatMap(expressionsIn);
}

function joined(parts: readonly Sources[]): Sources {
  const known = parts.filter((part) => part !== undefined);
  if (known.length < parts.length) return undefined;
  const distinct = new Map(known.flat().map((source) => [JSON.stringify([source.schema, source.table, source.column]), source]));
  return [...distinct.values()];
}

function nameOf(expression: Node): string {
  const alias = textOf(expression.alias);
  return alias === '' ? textOf(listOf(expression.column_names).at(-1)) : alias;
}

function member(node: unknown, name: string): unknown {
  return isNode(node) ? node[name] : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
