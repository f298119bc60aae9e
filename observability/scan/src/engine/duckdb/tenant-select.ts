// SPDX-License-Identifier: Apache-2.0
/**
 * Lets through what a tenant may run: one SELECT that names the asset, its own common table expressions and harmless functions. The engine
 * is locked anyway; this keeps its settings, its catalogue and the files behind the asset out of sight as well. DuckDB's own parser says what a
 * statement is made of.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import { duckdbDialect } from '../../dialect/duckdb.ts';
import { ASSET_RELATION, ScanError } from '../engine.ts';
import { readRows } from './database.ts';

const TABLE_FUNCTIONS = new Set(['unnest', 'range', 'generate_series', 'json_each', 'json_tree']);
const FORBIDDEN_FUNCTIONS =
  /^(current_setting|getenv|getvariable|current_database|current_schemas?|current_query|version|pg_\w+|read_\w+|parse_path|query|query_table|txid_current|nextval|currval|set_config|has_\w+_privilege|in_search_path|write_log|sleep_ms)$/;

/** The statement to run; throws a `ScanError` that says what is not allowed. */
export async function tenantSelect(connection: DuckDBConnection, sql: string, rowLimit: number): Promise<string> {
  return `SELECT CAST(to_json(m) AS VARCHAR) FROM (\n${await allowedSelect(connection, sql)}\n) AS m LIMIT ${rowLimit}`;
}

/** The statement that says which columns the tenant's would have: it is planned, and not run. Throws a `ScanError` as well. */
export async function tenantColumns(connection: DuckDBConnection, sql: string): Promise<string> {
  return `SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM (\n${await allowedSelect(connection, sql)}\n) AS m)`;
}

/** The tree of DuckDB's parser, as JSON; one that says so where it cannot be parsed. */
export async function parsedSelect(connection: DuckDBConnection, sql: string): Promise<string> {
  const [[serialized] = []] = await readRows(connection, `SELECT CAST(json_serialize_sql(${duckdbDialect.literal(sql)}) AS VARCHAR)`);
  return String(serialized);
}

async function allowedSelect(connection: DuckDBConnection, sql: string): Promise<string> {
  const tree: unknown = JSON.parse(await parsedSelect(connection, sql));
  if (!isNode(tree) || tree.error === true) {
    const reason =
      isNode(tree) && tree.error_type !== 'not implemented' ? String(tree.error_message) : 'only SELECT statements are allowed';
    throw new ScanError(`The SQL cannot be run: ${reason}`);
  }
  if (!Array.isArray(tree.statements) || tree.statements.length !== 1) throw new ScanError('The SQL must be one SELECT statement');
  visit(tree, new Set([ASSET_RELATION]));
  return sql.replace(/;\s*$/, '');
}

type Node = { readonly [member: string]: unknown };

function refuse(node: Node, visible: ReadonlySet<string>): void {
  if (node.type === 'BASE_TABLE') {
    const name = String(node.table_name);
    if (!visible.has(folded(name)) || node.schema_name !== '' || node.catalog_name !== '')
      throw new ScanError(`The SQL may only read the table ${ASSET_RELATION}; it names ${name}`);
  }
  if (node.type === 'SHOW_REF') throw new ScanError('The SQL must be one SELECT statement');
  if (node.type === 'TABLE_FUNCTION' && isNode(node.function)) {
    const name = String(node.function.function_name).toLowerCase();
    if (!TABLE_FUNCTIONS.has(name)) throw new ScanError(`The SQL may not use the table function ${name}`);
  }
  if (typeof node.function_name === 'string' && FORBIDDEN_FUNCTIONS.test(node.function_name.toLowerCase()))
    throw new ScanError(`The SQL may not use the function ${node.function_name}`);
}

/**
 * Looks at every node with the relations that it may name: the asset and those common table expressions that its scope shows. An expression shows
 * those before it in its WITH, and itself only in the part of a recursive one that repeats; elsewhere its name means a relation of the catalogue.
 */
function visit(node: unknown, visible: ReadonlySet<string>): void {
  if (Array.isArray(node)) {
    for (const item of node) visit(item, visible);
    return;
  }
  if (!isNode(node)) return;
  refuse(node, visible);
  const { cte_map: expressions, ...members } = node;
  const scope = new Set(visible);
  for (const { key, value } of commonTableExpressions(expressions)) {
    visit(value, scope);
    scope.add(folded(String(key)));
  }
  const { right, ...others } = members;
  visit(right, node.type === 'RECURSIVE_CTE_NODE' ? new Set([...scope, folded(String(node.cte_name))]) : scope);
  visit(Object.values(others), scope);
}

function commonTableExpressions(expressions: unknown): readonly Node[] {
  return isNode(expressions) && Array.isArray(expressions.map) ? expressions.map.filter(isNode) : [];
}

/** DuckDB takes letters of ASCII alone for the same in both cases: for it, the sign of Kelvin is no k. */
function folded(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
