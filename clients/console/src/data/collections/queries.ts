// SPDX-License-Identifier: Apache-2.0
/** What is read of collections: their names, their configuration and state, their aliases and snapshots. */
import type { CollectionInfo, VectorClient } from '@sextant/sdk';
import { queryOptions } from '@tanstack/react-query';
import { queryClient, refreshing } from '../services/query-client.ts';

/** While vectors are being indexed. */
const BUSY_MS = 1_000;
const CALM_MS = 15_000;

const NAMES_KEY = ['vector', 'collections'];
const ALIASES_KEY = ['vector', 'aliases'];
const infoKey = (name: string) => ['vector', 'collection', name];
const snapshotsKey = (name: string) => ['vector', 'snapshots', name];

export function collectionNames(vector: VectorClient) {
  return queryOptions({
    queryKey: NAMES_KEY,
    queryFn: async ({ signal }) => [...(await vector.listCollections({ signal }))].sort((a, b) => a.localeCompare(b)),
    refetchInterval: CALM_MS,
  });
}

export function collectionInfo(vector: VectorClient, name: string) {
  return queryOptions({
    queryKey: infoKey(name),
    queryFn: ({ signal }) => vector.getCollection(name, { signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'green' ? CALM_MS : BUSY_MS),
  });
}

/** Memory, storage and graphs of a collection. Operators switch the endpoint on; without it there is less to show. */
export function collectionStatus(vector: VectorClient, name: string, isServed: boolean | undefined) {
  return queryOptions({
    queryKey: ['vector', 'status', name],
    queryFn: ({ signal }) => vector.call('collection_status', { params: { collection_name: name } }, { signal }),
    enabled: isServed === true,
    refetchInterval: ({ state }) => (state.data?.status === 'yellow' ? BUSY_MS : CALM_MS),
  });
}

export function collectionAliases(vector: VectorClient, name: string) {
  return queryOptions({ queryKey: [...ALIASES_KEY, name], queryFn: ({ signal }) => vector.collection(name).aliases({ signal }) });
}

export function collectionSnapshots(vector: VectorClient, name: string) {
  return queryOptions({ queryKey: snapshotsKey(name), queryFn: ({ signal }) => vector.collection(name).snapshots.list({ signal }) });
}

export const refreshCollections = refreshing(NAMES_KEY);

export function refreshCollection(name: string): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: infoKey(name) });
}

export const refreshAliases = refreshing(ALIASES_KEY);

export function refreshSnapshots(name: string): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: snapshotsKey(name) });
}

/** After it was deleted. */
export async function forgetCollection(name: string): Promise<void> {
  queryClient.removeQueries({ queryKey: infoKey(name) });
  await refreshCollections();
}

/** One vector of a collection's points; the name of the only one may be empty. */
export type VectorField = {
  readonly name: string;
  readonly size: number;
  readonly distance: string;
  /** One vector of numbers for each point, one with few of them, or several. */
  readonly kind: 'dense' | 'sparse' | 'multi';
};

/** What every part of a collection's screen is about. */
export type CollectionFacts = {
  readonly name: string;
  readonly info: CollectionInfo;
  readonly fields: readonly VectorField[];
};

type DenseConfig = { readonly size: number; readonly distance: string };

/** The configuration is echoed as it was given, so it is looked at with care. */
export function vectorFields({ config }: CollectionInfo): readonly VectorField[] {
  const params = memberOf(config, 'params');
  const vectors = memberOf(params, 'vectors');
  const dense = isDense(vectors) ? [['', vectors] as const] : entriesOf(vectors).filter(([, each]) => isDense(each));
  const sparse = entriesOf(memberOf(params, 'sparse_vectors'));
  return [
    ...dense.map(([name, each]) => {
      const { size, distance } = each as DenseConfig;
      const isMulti = (memberOf(each, 'multivector_config') ?? null) !== null;
      return { name, size, distance, kind: isMulti ? ('multi' as const) : ('dense' as const) };
    }),
    ...sparse.map(([name]) => ({ name, size: 0, distance: 'Dot', kind: 'sparse' as const })),
  ];
}

/** Of what may be no object. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

function isDense(value: unknown): value is DenseConfig {
  return typeof memberOf(value, 'size') === 'number' && typeof memberOf(value, 'distance') === 'string';
}

export function vectorText({ name, size, distance, kind }: VectorField): string {
  const what = kind === 'sparse' ? 'sparse' : `${size} · ${distance}${kind === 'multi' ? ' · several' : ''}`;
  return name === '' ? what : `${name}: ${what}`;
}
