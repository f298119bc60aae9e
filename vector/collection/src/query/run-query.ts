// SPDX-License-Identifier: Apache-2.0
/**
 * Runs a query with its prefetches, from the leaves to the root. It stands on the other reads of the engine alone, so each step sees the
 * collection as it is at that moment; a point that is deleted between two steps drops out.
 */
import {
  type Condition,
  type Filter,
  type MultiVector,
  type NamedVectorOutput,
  type Prefetch,
  type QueryRequest,
  ServiceError,
} from '@sextant/contracts-vector';
import type { Hit, PayloadForm, PointReads } from '../model/requests.ts';
import { byExamples, nearAverage } from './by-examples.ts';
import { checkQuery } from './check-query.ts';
import { vectorNamed } from './examples.ts';
import { conditionsOf, evaluate } from './formula.ts';
import { distributionBasedFusion, type Ranked, reciprocalRankFusion } from './fusion.ts';
import type { Ranking } from './hit-groups.ts';
import { chooseDiverse } from './mmr.ts';
import {
  allOf,
  among,
  distinctIds,
  examplesOf,
  type KindOf,
  keyOf,
  nearestTo,
  passing,
  type Run,
  type Scored,
  type Step,
  unscored,
} from './scored.ts';

const DIVERSITY = 0.5;
/** Of components of multivectors, for a choice of diverse points: about half a second. */
const CHOICE_PRODUCTS_MAX = 2e9;

export async function runQuery(reads: PointReads, collection: string, request: QueryRequest & PayloadForm): Promise<readonly Hit[]> {
  checkQuery(request);
  const direct = directNearest(request);
  if (direct !== undefined) return reads.nearest(collection, direct);
  const run = { reads, collection };
  const { offset } = request;
  const scored = await evaluateNode(run, { ...request, prefetch: pastOffset(request.prefetch, offset) }, [], offset + request.limit);
  return complete(run, scored.slice(offset), request);
}

/** What the answer passes over comes on top of each limit: a second page has as many points as the first. */
function pastOffset(prefetch: readonly Prefetch[], offset: number): readonly Prefetch[] {
  return offset === 0
    ? prefetch
    : prefetch.map((node) => ({ ...node, limit: node.limit + offset, prefetch: pastOffset(node.prefetch, offset) }));
}

/** The most frequent query by far is one search, which gives its hits whole. */
function directNearest(request: QueryRequest & PayloadForm) {
  const { query, prefetch, lookup_from: lookup, using, ...rest } = request;
  if (query?.kind !== 'nearest' || query.mmr !== undefined || prefetch.length > 0 || lookup !== undefined) return undefined;
  return { ...rest, vector: query.to, ...(using === undefined ? {} : { using }) };
}

/** The best `count` points of a node; its filter and those around it hold for all that it finds. */
async function evaluateNode(
  run: Run,
  node: Prefetch,
  outer: readonly (Filter | null | undefined)[],
  count: number,
): Promise<readonly Scored[]> {
  const filters = [...outer, node.filter];
  const { prefetch, query } = node;
  if (prefetch.length === 0) return evaluateStep(run, { node, filter: allOf(filters), count, exact: node.params?.exact === true });
  const lists: (readonly Scored[])[] = [];
  for (const inner of prefetch) lists.push(await evaluateNode(run, inner, filters, inner.limit));
  switch (query?.kind) {
    case 'rrf':
      return passing(node, reciprocalRankFusion(lists.map(ranked), query).map(merged)).slice(0, count);
    case 'dbsf': {
      const descending = await Promise.all(prefetch.map((inner) => isDescending(run, inner)));
      return passing(node, distributionBasedFusion(lists.map(ranked), descending).map(merged)).slice(0, count);
    }
    case 'formula':
      return passing(node, await rescoreByFormula(run, query, lists)).slice(0, count);
    default:
      // Few enough to look at each.
      return evaluateStep(run, { node, filter: allOf([...filters, among(distinctIds(lists))]), count, exact: true });
  }
}

async function evaluateStep(run: Run, step: Step): Promise<readonly Scored[]> {
  const { reads, collection } = run;
  const { node, filter, count } = step;
  const { query } = node;
  switch (query?.kind) {
    case undefined:
      // A page may be longer, where keys have points of one id.
      return (await reads.scroll(collection, { filter, limit: count, with_payload: false })).points.slice(0, count).map(unscored);
    case 'order_by':
      return (await reads.scroll(collection, { filter, limit: count, with_payload: false, order_by: query.orderBy })).points.map(unscored);
    case 'sample':
      return (await reads.sample(collection, { filter, limit: count })).map(unscored);
    case 'nearest':
      return query.mmr === undefined ? nearest(run, step, query) : diverse(run, step, query, query.mmr);
    case 'recommend':
      return query.strategy === 'average_vector' ? nearAverage(run, step, query) : byExamples(run, step, query);
    case 'discover':
    case 'context':
    case 'relevance_feedback':
      return byExamples(run, step, query);
    case 'rrf':
    case 'dbsf':
    case 'formula':
      throw new Error(`${query.kind} has prefetches: the check has let it through`);
  }
}

async function nearest(run: Run, step: Step, { to }: KindOf<'nearest'>): Promise<readonly Scored[]> {
  const examples = await examplesOf(run, step.node);
  return nearestTo(run, step, await examples.vectorOf(to), examples.idsIn([to]));
}

async function diverse(
  run: Run,
  step: Step,
  { to }: KindOf<'nearest'>,
  mmr: NonNullable<KindOf<'nearest'>['mmr']>,
): Promise<readonly Scored[]> {
  const examples = await examplesOf(run, step.node);
  const query = await examples.vectorOf(to);
  const candidates = await nearestTo(run, { ...step, count: Math.max(step.count, mmr.candidates_limit ?? 0) }, query, examples.idsIn([to]));
  const name = step.node.using ?? '';
  const points = await run.reads.retrieve(run.collection, {
    ids: candidates.map(({ id }) => id),
    with_payload: false,
    with_vector: [name],
  });
  const vectors = new Map(points.map(({ id, vector }) => [keyOf(id), vectorNamed(vector, name)]));
  const there = candidates.flatMap((candidate) => {
    const vector = vectors.get(keyOf(candidate.id));
    return vector === undefined ? [] : [{ candidate, vector }];
  });
  refuseLongChoice(
    step.count,
    there.map(({ vector }) => vector),
  );
  const chosen = chooseDiverse(
    await examples.weighted(query),
    there.map(({ vector }) => vector),
    { similarity: examples.similarity, diversity: mmr.diversity ?? DIVERSITY, limit: step.count },
  );
  return chosen.flatMap((position) => there[position]?.candidate ?? []);
}

/** What is compared is known only now; it runs in one piece. */
function refuseLongChoice(limit: number, vectors: readonly NamedVectorOutput[]): void {
  const several = vectors.filter((vector) => !('indices' in vector) && typeof vector[0] === 'object') as readonly MultiVector[];
  const components = several.reduce((sum, vector) => sum + vector.length * (vector[0]?.length ?? 0), 0);
  const products = limit * Math.max(0, ...several.map(({ length }) => length)) * components;
  if (products <= CHOICE_PRODUCTS_MAX) return;
  throw new ServiceError('invalid_request', {
    reason: 'query.mmr: comparing so many multivectors would take too long; ask for fewer points or a smaller candidates_limit',
  });
}

async function rescoreByFormula(
  { reads, collection }: Run,
  { expression, defaults }: KindOf<'formula'>,
  lists: readonly (readonly Scored[])[],
) {
  const ids = distinctIds(lists);
  const points = await reads.retrieve(collection, { ids, with_payload: true });
  const scores = lists.map((list) => new Map(list.map(({ id, score }) => [keyOf(id), score])));
  const versions = new Map(lists.flat().map(({ id, version }) => [keyOf(id), version]));
  const holding = new Map<Condition, ReadonlySet<string>>();
  for (const condition of conditionsOf(expression)) {
    const filter = { must: [condition, { has_id: ids }] };
    const found = ids.length === 0 ? [] : (await reads.scroll(collection, { filter, limit: ids.length, with_payload: false })).points;
    holding.set(condition, new Set(found.map(({ id }) => keyOf(id))));
  }
  const rescored = points.map(({ id, payload }): Scored => {
    const key = keyOf(id);
    const candidate = {
      scores: scores.map((list) => list.get(key)),
      payload: payload ?? {},
      holds: (condition: Condition) => holding.get(condition)?.has(key) === true,
    };
    return { id, score: Math.fround(evaluate(expression, candidate, defaults)), version: versions.get(key) ?? 0 };
  });
  return rescored.toSorted((a, b) => b.score - a.score);
}

/** Payloads and vectors of the points that are answered. */
async function complete({ reads, collection }: Run, scored: readonly Scored[], shape: QueryRequest): Promise<readonly Hit[]> {
  const { with_payload, with_vector } = shape;
  if (with_payload === false && with_vector === false) return scored;
  const ids = distinctIds([scored]);
  const records = new Map((await reads.retrieve(collection, { ids, with_payload, with_vector })).map((point) => [keyOf(point.id), point]));
  return scored.flatMap((point) => {
    const record = records.get(keyOf(point.id));
    return record === undefined ? [] : [{ ...record, ...point }];
  });
}

/** How the hits of a query without prefetches are ranked. */
export async function rankingOf(reads: PointReads, collection: string, node: Prefetch): Promise<Ranking> {
  const { query } = node;
  if (query === undefined || query.kind === 'order_by' || query.kind === 'sample') return 'as they come';
  if (query.kind === 'nearest' && query.mmr !== undefined) return 'as they come';
  return (await isDescending({ reads, collection }, node)) ? 'largest first' : 'smallest first';
}

/** Distances are better the smaller they are; every other score the larger. */
async function isDescending(run: Run, node: Prefetch): Promise<boolean> {
  const { query } = node;
  const isDistance = query?.kind === 'nearest' || (query?.kind === 'recommend' && query.strategy === 'average_vector');
  if (!isDistance) return true;
  return (await examplesOf(run, node)).isDescending;
}

function ranked(list: readonly Scored[]): readonly Ranked<Scored>[] {
  return list.map((item) => ({ key: keyOf(item.id), score: item.score, item }));
}

function merged({ item, score }: Ranked<Scored>): Scored {
  return { ...item, score: Math.fround(score) };
}
