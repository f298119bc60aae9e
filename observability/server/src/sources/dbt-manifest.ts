// SPDX-License-Identifier: Apache-2.0
/**
 * A manifest of dbt as this service sees it: which asset a model is, and which assets it is made of. A model is the table of a PostgreSQL connection
 * with its database, schema and name, or the asset with the tag `dbt:<id>`; ephemeral models are no tables, so what they are made of counts for them.
 */
import type { Asset, Connection, DbtManifest, DbtNode } from '@sextant/contracts-observability';

const TAG = 'dbt:';
/** Kinds of nodes that are tables. */
const TABLES: readonly string[] = ['model', 'seed', 'snapshot'];

type Table = { readonly schema: string; readonly table: string };

export type DbtModel = {
  readonly assetId: string;
  /** Assets that it is made of. */
  readonly parents: readonly string[];
  /** By the tables of its SQL: their assets; undefined for one that no asset stands for, and for two of one name in different databases. */
  readonly tables: ReadonlyMap<string, string | undefined>;
  /** Undefined where the manifest has none. */
  readonly sql: string | undefined;
};

export type DbtModels = { readonly models: readonly DbtModel[]; readonly unknown: readonly string[] };

/** How a table is named in `tables`. */
export function tableKey({ schema, table }: Table): string {
  return JSON.stringify([schema, table]);
}

export function dbtModels(manifest: DbtManifest, assets: readonly Asset[], connections: readonly Connection[]): DbtModels {
  const assetOf = assetsByTable(assets, connections);
  const unknown = new Set<string>();
  const found = (id: string) => {
    const place = placeOf(manifest, id);
    if (place === undefined) return undefined;
    const assetId = assetOf(id, place);
    if (assetId === undefined) unknown.add(id);
    return { key: tableKey(place), assetId };
  };
  const models: DbtModel[] = [];
  for (const [id, node] of Object.entries(manifest.nodes)) {
    if (!TABLES.includes(node.resource_type) || isEphemeral(node)) continue;
    const own = found(id);
    if (own?.assetId === undefined) continue;
    const { assetId } = own;
    const tables = new Map<string, string | undefined>();
    const parents = new Set<string>();
    for (const dependency of dependenciesOf(manifest, node).map(found)) {
      if (dependency === undefined) continue;
      const { key, assetId: parent } = dependency;
      tables.set(key, tables.has(key) || parent === assetId ? undefined : parent);
      if (parent !== undefined && parent !== assetId) parents.add(parent);
    }
    models.push({ assetId, parents: [...parents], tables, sql: node.compiled_code ?? undefined });
  }
  return { models, unknown: [...unknown] };
}

function isEphemeral({ config }: DbtNode): boolean {
  return config?.materialized === 'ephemeral';
}

/** Through ephemeral models, each once. */
function dependenciesOf(manifest: DbtManifest, node: DbtNode): readonly string[] {
  const seen = new Set<string>();
  const open = [...(node.depends_on?.nodes ?? [])];
  const tables: string[] = [];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const dependency = manifest.nodes[id];
    if (dependency !== undefined && isEphemeral(dependency)) open.push(...(dependency.depends_on?.nodes ?? []));
    else tables.push(id);
  }
  return tables;
}

type Place = Table & { readonly database: string };

/** Undefined for what is no table. */
function placeOf(manifest: DbtManifest, id: string): Place | undefined {
  const node = manifest.nodes[id];
  if (node !== undefined && TABLES.includes(node.resource_type)) return placeNamed(node, node.alias);
  const source = manifest.sources?.[id];
  return source && placeNamed(source, source.identifier);
}

function placeNamed(
  { database, schema, name }: { readonly database?: string | null; readonly schema?: string | null; readonly name: string },
  table: string | null | undefined,
): Place {
  return { database: database ?? '', schema: schema ?? '', table: table ?? name };
}

/** The asset of a table; undefined where none or more than one has its name. */
function assetsByTable(assets: readonly Asset[], connections: readonly Connection[]): (id: string, place: Place) => string | undefined {
  const databases = new Map(
    connections.flatMap(({ id, type, payload: { database } }) =>
      type === 'POSTGRESQL' && typeof database === 'string' ? [[id, database]] : [],
    ),
  );
  const named = new Map<string, string | undefined>();
  const add = (key: string, id: string) => named.set(key, named.has(key) ? undefined : id);
  for (const { id, connection_id, payload, tags } of assets) {
    for (const tag of new Set(tags)) if (tag.startsWith(TAG)) add(tag.slice(TAG.length).trim(), id);
    const database = connection_id === null ? undefined : databases.get(connection_id);
    const { schema = 'public', table, query } = payload;
    if (database === undefined || typeof schema !== 'string' || typeof table !== 'string' || (query ?? null) !== null) continue;
    add(JSON.stringify([database, schema, table]), id);
  }
  return (id, { database, schema, table }) => named.get(id) ?? named.get(JSON.stringify([database, schema, table]));
}
