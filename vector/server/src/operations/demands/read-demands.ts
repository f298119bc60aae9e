// SPDX-License-Identifier: Apache-2.0
/** What each read demands of a collection. */
import type { BodyOf, Filter, OperationId, RawGroupedQuery, RawPrefetch, RawQuery, SearchParams } from '@sextant/contracts-vector';
import { MATRIX_DEFAULTS } from '@sextant/contracts-vector/schemas';
import type { Demand, DemandPart } from '@sextant/vector-collection';
import type { Input } from '../operation.ts';
import { isVector, type RawVector } from '../points/vector-input.ts';
import { queriesOf } from '../search/query-request.ts';

type Demands<Id extends OperationId> = { readonly [each in Id]: (input: Input<each>) => Demand };

/** The published defaults. */
const LIMIT = 10;
const GROUP_SIZE = 3;

export const readDemands = {
  get_point: () => one({ charge: 1 }),
  retrieve_points: ({ body }) => one({ charge: body.ids.length }),
  scroll_points: ({ body }) => one({ limit: body?.limit ?? LIMIT, filter: body?.filter, charge: 1 }),
  count_points: ({ body }) => one({ filter: body?.filter, exact: body?.exact ?? true, charge: 1 }),
  facet: ({ body }) => one({ limit: body.limit ?? LIMIT, filter: body.filter, exact: body.exact ?? false, charge: 1 }),
  search_points: ({ body }) => one(searchPart(body)),
  search_batch: ({ body }) => batch(body.searches, (search) => [searchPart(search)]),
  search_groups: ({ body }) => grouped(body, [searchPart(body)]),
  search_matrix_pairs: ({ body }) => one(matrixPart(body)),
  search_matrix_offsets: ({ body }) => one(matrixPart(body)),
  query_points: ({ body }) => read([...queryParts(body ?? {})]),
  query_batch: ({ body }) => batch(queriesOf(body), (query) => [...queryParts(query)]),
  query_groups: ({ body }) => grouped(body, queryParts(body)),
  recommend_points: ({ body }) => one(examplesPart(body, recommendCharge(body))),
  recommend_batch: ({ body }) => batch(body.searches, (search) => [examplesPart(search, recommendCharge(search))]),
  recommend_groups: ({ body }) => grouped(body, [examplesPart(body, recommendCharge(body))]),
  discover_points: ({ body }) => one(examplesPart(body, discoverCharge(body))),
  discover_batch: ({ body }) => batch(body.searches, (search) => [examplesPart(search, discoverCharge(search))]),
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

function searching({ filter, params, limit }: Searching): Omit<DemandPart, 'charge'> {
  return { filter, params, limit: limit ?? LIMIT };
}

function searchPart(search: Omit<BodyOf<'search_points'>, 'top'> & { readonly top?: number | null }): DemandPart {
  const { vector, top, limit } = search;
  return { ...searching({ ...search, limit: limit ?? top ?? null }), searched: 'name' in vector ? vector.name : '', charge: 1 };
}

function examplesPart(search: Searching & { readonly using?: string | null }, charge: number): DemandPart {
  return { ...searching(search), searched: search.using ?? '', charge };
}

function matrixPart(body: BodyOf<'search_matrix_pairs'>): DemandPart {
  const { sample, limit, filter } = body ?? {};
  const points = sample ?? MATRIX_DEFAULTS.sample;
  // Each point of the sample is searched with, once the sample has been read.
  return { filter, limit: points * (limit ?? MATRIX_DEFAULTS.limit), charge: points + 1 };
}

/** Each group has its hits, and the values of its key have to be known. */
function grouped(
  { group_by: groupBy, group_size: size }: Pick<RawGroupedQuery, 'group_by' | 'group_size'>,
  [whole, ...prefetches]: QueryParts,
): Demand {
  return read([{ ...whole, groupBy, limit: (whole.limit ?? LIMIT) * (size ?? GROUP_SIZE) }, ...prefetches]);
}

/** The query itself, then its prefetches. */
type QueryParts = readonly [DemandPart, ...DemandPart[]];

/** What only ranks the points of its prefetches again searches no space and takes no tokens; its filter is evaluated by the prefetches. */
function queryParts(node: RawPrefetch, filtersAround: readonly Filter[] = []): QueryParts {
  const { query, using, prefetch, filter } = node;
  const prefetches: readonly RawPrefetch[] = prefetch == null ? [] : isList(prefetch) ? prefetch : [prefetch];
  const isLeaf = prefetches.length === 0;
  const isSearch = query != null && isLeaf && seeksVectors(query);
  const own: DemandPart = {
    ...searching(node),
    ...(isSearch ? { searched: using ?? '' } : {}),
    ...(isFormula(query) ? { expression: query.formula } : {}),
    filtersAround,
    charge: isLeaf ? vectorsIn(query) : 0,
  };
  const around = filter == null ? filtersAround : [...filtersAround, filter];
  return [own, ...prefetches.flatMap((inner) => queryParts(inner, around))];
}

/** How many vectors a query compares each point with; without any, it reads points as a scroll does. */
function vectorsIn(query: RawQuery | null | undefined): number {
  if (query == null || typeof query !== 'object') return 1;
  if (isVector(query)) return lengthOf(query);
  if ('nearest' in query) return typeof query.nearest === 'object' && isVector(query.nearest) ? lengthOf(query.nearest) : 1;
  if ('recommend' in query) return recommendCharge(query.recommend);
  if ('discover' in query) return discoverCharge(query.discover);
  if ('context' in query) return Math.max(1, 2 * pairsIn(query.context));
  return 1;
}

/** A multivector counts for each of its vectors. */
function lengthOf(vector: RawVector): number {
  return Array.isArray(vector) && typeof vector[0] === 'object' ? vector.length : 1;
}

type Recommending = {
  readonly positive?: readonly unknown[] | null;
  readonly negative?: readonly unknown[] | null;
  readonly strategy?: string | null;
};

/** The average of the examples is one vector; other strategies compare with each. */
function recommendCharge({ positive, negative, strategy }: Recommending): number {
  if ((strategy ?? 'average_vector') === 'average_vector') return 1;
  return Math.max(1, (positive?.length ?? 0) + (negative?.length ?? 0));
}

type Discovering = { readonly target?: unknown; readonly context?: unknown };

function discoverCharge({ target, context }: Discovering): number {
  return Math.max(1, (target == null ? 0 : 1) + 2 * pairsIn(context));
}

function pairsIn(context: unknown): number {
  if (context == null) return 0;
  return Array.isArray(context) ? context.length : 1;
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
