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
  const [[serialized] = []] = await readRows(connection, `SELECT CAST(json_serialize_sql(${duckdbDialect.literal(sql)}) AS VARCHAR)`);
  const tree: unknown = JSON.parse(String(serialized));
  if (!isNode(tree) || tree.error === true) {
    const reason =
      isNode(tree) && tree.error_type !== 'not implemented' ? String(tree.error_message) : 'only SELECT statements are allowed';
    throw new ScanError(`The SQL cannot be run: ${reason}`);
  }
  if (!Array.isArray(tree.statements) || tree.statements.length !== 1) throw new ScanError('The SQL must be one SELECT statement');
  const tables = new Set([ASSET_RELATION, ...commonTables(tree)]);
  visit(tree, (node) => refuse(node, tables));
  return `SELECT CAST(to_json(m) AS VARCHAR) FROM (\n${sql.replace(/;\s*$/, '')}\n) AS m LIMIT ${rowLimit}`;
}

type Node = { readonly [member: string]: unknown };

function refuse(node: Node, tables: ReadonlySet<string>): void {
  if (node.type === 'BASE_TABLE') {
    const name = String(node.table_name);
    if (!tables.has(name.toLowerCase()) || node.schema_name !== '' || node.catalog_name !== '')
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

/** Names that WITH gives, wherever it stands: a table of the catalogue cannot hide behind one, since only `asset` is in it. */
function commonTables(tree: Node): readonly string[] {
  const names: string[] = [];
  visit(tree, (node) => {
    if (!isNode(node.cte_map) || !Array.isArray(node.cte_map.map)) return;
    for (const entry of node.cte_map.map) if (isNode(entry) && typeof entry.key === 'string') names.push(entry.key.toLowerCase());
  });
  return names;
}

function visit(node: unknown, enter: (node: Node) => void): void {
  if (Array.isArray(node)) {
    for (const item of node) visit(item, enter);
    return;
  }
  if (!isNode(node)) return;
  enter(node);
  for (const member of Object.values(node)) visit(member, enter);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
