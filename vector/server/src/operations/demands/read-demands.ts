/** What each read demands of a collection. */
import type { BodyOf, Filter, OperationId, RawGroupedQuery, RawPrefetch, RawQuery, SearchParams } from '@sextant/contracts-vector';
import { MATRIX_DEFAULTS } from '@sextant/contracts-vector/schemas';
import type { Demand, DemandPart } from '@sextant/vector-collection';
import type { Input } from '../operation.ts';
import { isVector } from '../points/vector-input.ts';

type Demands<Id extends OperationId> = { readonly [each in Id]: (input: Input<each>) => Demand };

/** The published defaults. */
const LIMIT = 10;
const GROUP_SIZE = 3;

export const readDemands = {
  get_point: () => one({}),
  retrieve_points: () => one({}),
  scroll_points: ({ body }) => one({ limit: body?.limit ?? LIMIT, filter: body?.filter }),
  count_points: ({ body }) => one({ filter: body?.filter, exact: body?.exact ?? true }),
  facet: ({ body }) => one({ limit: body.limit ?? LIMIT, filter: body.filter, exact: body.exact ?? false }),
  search_points: ({ body }) => one(searchPart(body)),
  search_batch: ({ body }) => batch(body.searches, (search) => [searchPart(search)]),
  search_groups: ({ body }) => grouped(body, [searchPart(body)]),
  search_matrix_pairs: ({ body }) => one(matrixPart(body)),
  search_matrix_offsets: ({ body }) => one(matrixPart(body)),
  query_points: ({ body }) => read([...queryParts(body ?? {})]),
  query_batch: ({ body }) => batch(body.searches, (query) => [...queryParts(query)]),
  query_groups: ({ body }) => grouped(body, [...queryParts(body)]),
  recommend_points: ({ body }) => one(examplesPart(body)),
  recommend_batch: ({ body }) => batch(body.searches, (search) => [examplesPart(search)]),
  recommend_groups: ({ body }) => grouped(body, [examplesPart(body)]),
  discover_points: ({ body }) => one(examplesPart(body)),
  discover_batch: ({ body }) => batch(body.searches, (search) => [examplesPart(search)]),
} satisfies Partial<Demands<OperationId>>;

function read(parts: readonly DemandPart[]): Demand {
  return { kind: 'read', parts };
}

function one(part: DemandPart): Demand {
  return read([part]);
}

function batch<Search>(searches: readonly Search[], partsOf: (search: Search) => readonly DemandPart[]): Demand {
  return { kind: 'read', batchOf: searches.length, parts: searches.flatMap(partsOf) };
}

type Searching = { readonly filter?: Filter | null; readonly params?: SearchParams | null; readonly limit?: number | null };

function searching({ filter, params, limit }: Searching): DemandPart {
  return { filter, params, limit: limit ?? LIMIT };
}

function searchPart(search: Omit<BodyOf<'search_points'>, 'top'> & { readonly top?: number | null }): DemandPart {
  const { vector, top, limit } = search;
  return { ...searching({ ...search, limit: limit ?? top ?? null }), searched: 'name' in vector ? vector.name : '' };
}

function examplesPart(search: Searching & { readonly using?: string | null }): DemandPart {
  return { ...searching(search), searched: search.using ?? '' };
}

function matrixPart(body: BodyOf<'search_matrix_pairs'>): DemandPart {
  const { sample, limit, filter } = body ?? {};
  return { filter, limit: (sample ?? MATRIX_DEFAULTS.sample) * (limit ?? MATRIX_DEFAULTS.limit) };
}

/** Each group has its hits, and the values of its key have to be known. */
function grouped(
  { group_by: groupBy, group_size: size }: Pick<RawGroupedQuery, 'group_by' | 'group_size'>,
  parts: readonly DemandPart[],
): Demand {
  const [whole = {}, ...prefetches] = parts;
  return read([{ ...whole, groupBy, limit: (whole.limit ?? LIMIT) * (size ?? GROUP_SIZE) }, ...prefetches]);
}

/** A query and all of its prefetches. What only ranks the points of its prefetches again searches no space. */
function* queryParts(node: RawPrefetch): Generator<DemandPart> {
  const { query, using, prefetch } = node;
  const prefetches: readonly RawPrefetch[] = prefetch == null ? [] : isList(prefetch) ? prefetch : [prefetch];
  const isSearch = query != null && prefetches.length === 0 && seeksVectors(query);
  yield {
    ...searching(node),
    ...(isSearch ? { searched: using ?? '' } : {}),
    ...(isFormula(query) ? { expression: query.formula } : {}),
  };
  for (const inner of prefetches) yield* queryParts(inner);
}

function seeksVectors(query: RawQuery): boolean {
  return typeof query !== 'object' || isVector(query) || ['nearest', 'recommend', 'discover', 'context'].some((kind) => kind in query);
}

function isFormula(query: RawQuery | null | undefined): query is Extract<RawQuery, { readonly formula: unknown }> {
  return typeof query === 'object' && query !== null && 'formula' in query;
}

/** `Array.isArray` does not narrow readonly arrays. */
function isList(prefetch: RawPrefetch | readonly RawPrefetch[]): prefetch is readonly RawPrefetch[] {
  return Array.isArray(prefetch);
}
