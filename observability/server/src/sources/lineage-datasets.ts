// SPDX-License-Identifier: Apache-2.0
/** Which asset a dataset of OpenLineage is: a table of PostgreSQL by its address, any other by a tag that a person gave it. */
import type { Asset, Connection } from '@sextant/contracts-observability';

type Dataset = { readonly namespace: string; readonly name: string };

const TAG = 'openlineage:';
const PORT = 5432;

/** The asset of a dataset; undefined where none or more than one has its name. */
export function assetsByDataset(assets: readonly Asset[], connections: readonly Connection[]): (dataset: Dataset) => Asset | undefined {
  const byId = new Map(connections.map((connection) => [connection.id, connection]));
  const named = new Map<string, Asset | undefined>();
  for (const asset of assets) {
    for (const key of new Set(keysOf(asset, byId))) named.set(key, named.has(key) ? undefined : asset);
  }
  return ({ namespace, name }) => named.get(`${namespace} ${name}`);
}

function keysOf({ connection_id, payload, tags }: Asset, connections: ReadonlyMap<number, Connection>): readonly string[] {
  const tagged = tags.filter((tag) => tag.startsWith(TAG)).map((tag) => tag.slice(TAG.length).trim());
  const connection = connection_id === null ? undefined : connections.get(connection_id);
  if (connection?.type !== 'POSTGRESQL') return tagged;
  const { host, port, database } = connection.payload;
  const { schema, table } = payload;
  if (typeof host !== 'string' || typeof database !== 'string' || typeof schema !== 'string' || typeof table !== 'string') return tagged;
  // Names: https://openlineage.io/docs/spec/naming
  return [...tagged, `postgres://${host}:${typeof port === 'number' ? port : PORT} ${database}.${schema}.${table}`];
}
