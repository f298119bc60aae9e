/** What the screens of collections ask of the vector service. Keys begin with `vector`, so that another credential forgets them all. */
import type { CollectionInfo, VectorClient } from '@sextant/sdk';
import { queryOptions } from '@tanstack/react-query';

/** While vectors are being indexed. */
const BUSY_MS = 1_000;
const CALM_MS = 15_000;

export function collectionNames(vector: VectorClient) {
  return queryOptions({
    queryKey: ['vector', 'collections'],
    queryFn: async ({ signal }) => [...(await vector.listCollections({ signal }))].sort((a, b) => a.localeCompare(b)),
    refetchInterval: CALM_MS,
  });
}

export function collectionInfo(vector: VectorClient, name: string) {
  return queryOptions({
    queryKey: ['vector', 'collection', name],
    queryFn: ({ signal }) => vector.getCollection(name, { signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'green' ? CALM_MS : BUSY_MS),
  });
}

/** One vector of a collection's points; the name of the only one may be empty. */
export type VectorField = {
  readonly name: string;
  readonly size: number;
  readonly distance: string;
  /** One vector of numbers for each point, one with few of them, or several. */
  readonly kind: 'dense' | 'sparse' | 'multi';
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

function memberOf(value: unknown, name: string): unknown {
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
