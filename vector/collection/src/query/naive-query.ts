// SPDX-License-Identifier: Apache-2.0
/** The query language over a few points in memory, read off its definitions: every point is scored, nothing is searched. For tests. */
import type { Expression, Payload, PointId, Prefetch, QueryVector } from '@sextant/contracts-vector';
import { type NaivePoint, naiveMatches } from '../filter/naive-filter.ts';
import type { NaiveSpace, NaiveVector } from './naive-space.ts';

export type NaiveVectorPoint = NaivePoint & {
  readonly id: PointId;
  readonly payload: Payload /** Absent where the point has none. */;
  readonly vector?: NaiveVector;
};

export type NaiveHit = { readonly id: PointId; readonly score: number };

export class NaiveCollection {
  readonly #points: readonly NaiveVectorPoint[];
  readonly #space: NaiveSpace;

  /** @param points by ascending id; vectors as they are stored, normalised for Cosine */
  constructor(points: readonly NaiveVectorPoint[], space: NaiveSpace) {
    this.#points = points;
    this.#space = space;
  }

  query(node: Prefetch, candidates: readonly NaiveVectorPoint[] = this.#points): readonly NaiveHit[] {
    const passing = candidates.filter((point) => node.filter == null || naiveMatches(node.filter, point));
    const lists = node.prefetch.map((inner) => this.query(inner, passing));
    const found = new Set(lists.flat().map(({ id }) => id));
    const left = node.prefetch.length === 0 ? passing : passing.filter(({ id }) => found.has(id));
    const hits = this.#ask(node, left, lists);
    const threshold = node.score_threshold;
    const near = threshold == null ? hits : hits.filter(({ score }) => (this.#isDistance(node) ? score < threshold : score > threshold));
    return near.slice(0, node.limit);
  }

  #ask(node: Prefetch, points: readonly NaiveVectorPoint[], lists: readonly (readonly NaiveHit[])[]): readonly NaiveHit[] {
    const { query } = node;
    switch (query?.kind) {
      case undefined:
        return points.map(({ id }) => ({ id, score: 1 }));
      case 'nearest':
        return this.#nearest(this.#vectorOf(query.to), without(points, [query.to]));
      case 'recommend': {
        const [positive, negative] = [query.positive.map((v) => this.#vectorOf(v)), query.negative.map((v) => this.#vectorOf(v))];
        const others = without(points, [...query.positive, ...query.negative]);
        if (query.strategy === 'average_vector') {
          const [toward, away] = [query.positive.map((v) => this.#averaged(v)), query.negative.map((v) => this.#averaged(v))];
          return this.#nearest(this.#space.average(toward, away), others);
        }
        return best(withVector(others), ({ vector }) => {
          const [near, far] = [positive.map((v) => this.#similarity(v, vector)), negative.map((v) => this.#similarity(v, vector))];
          if (query.strategy === 'sum_scores') return sum(near) - sum(far);
          const [top, bottom] = [Math.max(...near), Math.max(...far)];
          return top > bottom ? squeezed(top) : -squeezed(bottom);
        });
      }
      case 'discover': {
        const examples = [query.target, ...query.context.flatMap(({ positive, negative }) => [positive, negative])];
        const target = this.#vectorOf(query.target);
        return best(withVector(without(points, examples)), ({ vector }) => {
          const sides = query.context.map(({ positive, negative }) => this.#side(positive, negative, vector));
          return sum(sides.map(Math.sign)) + squeezed(this.#similarity(target, vector));
        });
      }
      case 'context': {
        const examples = query.context.flatMap(({ positive, negative }) => [positive, negative]);
        return best(withVector(without(points, examples)), ({ vector }) =>
          sum(
            query.context.map(({ positive, negative }) => {
              const loss = Math.min(this.#side(positive, negative, vector) - 2 ** -23, 0);
              return loss / (1 + Math.abs(loss));
            }),
          ),
        );
      }
      case 'relevance_feedback': {
        const judged = query.feedback.map(({ example, score }) => ({ vector: this.#vectorOf(example), score }));
        const target = this.#vectorOf(query.target);
        const others = without(points, [query.target, ...query.feedback.map(({ example }) => example)]);
        const { a, b, c } = query.naive;
        return best(withVector(others), ({ vector }) => {
          const pairs = judged.flatMap((better) =>
            judged.filter(({ score }) => score < better.score).map((worse) => [better, worse] as const),
          );
          const deltas = pairs.map(([better, worse]) => {
            const delta = this.#similarity(better.vector, vector) - this.#similarity(worse.vector, vector);
            return c * (better.score - worse.score) ** b * delta;
          });
          return a * this.#similarity(target, vector) + sum(deltas);
        });
      }
      case 'rrf': {
        const place = (list: readonly NaiveHit[], id: PointId) => list.findIndex((hit) => hit.id === id);
        return best(firstMet(lists), ({ id }) =>
          sum(lists.map((list, at) => (place(list, id) < 0 ? 0 : 1 / ((place(list, id) + 1) / (query.weights?.[at] ?? 1) + query.k - 1)))),
        );
      }
      case 'dbsf':
        return best(firstMet(lists), ({ id }) => sum(lists.map((list, at) => this.#spread(list, id, node.prefetch[at]))));
      case 'formula':
        return best(firstMet(lists), (hit) => {
          const point = this.#points.find(({ id }) => id === hit.id);
          const scores = lists.map((list) => list.find(({ id }) => id === hit.id)?.score);
          return point === undefined ? 0 : value(query.expression, point, scores);
        });
      default:
        throw new Error(`the naive reading has no ${query?.kind}`);
    }
  }

  #nearest(query: NaiveVector, points: readonly NaiveVectorPoint[]): readonly NaiveHit[] {
    const met = withVector(points).filter(({ vector }) => this.#space.meets(query, vector));
    const scored = best(met, ({ vector }) => this.#similarity(query, vector));
    return scored.map(({ id, score }) => ({ id, score: this.#space.shown(score) }));
  }

  #isDistance({ query }: Prefetch): boolean {
    const isDistance = query?.kind === 'nearest' || (query?.kind === 'recommend' && query.strategy === 'average_vector');
    return isDistance && this.#space.isDistance;
  }

  #spread(list: readonly NaiveHit[], id: PointId, node: Prefetch | undefined): number {
    const hit = list.find((each) => each.id === id);
    if (hit === undefined) return 0;
    const middle = sum(list.map(({ score }) => score)) / list.length;
    const deviation = Math.sqrt(sum(list.map(({ score }) => (score - middle) ** 2)) / (list.length - 1));
    const spread = deviation > 0 ? (hit.score - middle + 3 * deviation) / (6 * deviation) : 0.5;
    return node !== undefined && this.#isDistance(node) ? 1 - spread : spread;
  }

  #side(positive: QueryVector, negative: QueryVector, vector: NaiveVector): number {
    return this.#similarity(this.#vectorOf(positive), vector) - this.#similarity(this.#vectorOf(negative), vector);
  }

  /** Of a query's vector, which is weighted, and a point's. */
  #similarity(query: NaiveVector, vector: NaiveVector): number {
    return this.#space.similarity(this.#space.weighted(query), vector);
  }

  #averaged(example: QueryVector): NaiveVector {
    return 'id' in example ? this.#vectorOf(example) : this.#space.averaged(example);
  }

  #vectorOf(example: QueryVector): NaiveVector {
    if (!('id' in example)) return this.#space.stored(example);
    const vector = this.#points.find(({ id }) => id === example.id)?.vector;
    if (vector === undefined) throw new Error(`no point ${example.id} with a vector`);
    return vector;
  }
}

/** A formula without conditions and payload of other kinds than numbers. */
function value(expression: Expression, point: NaiveVectorPoint, scores: readonly (number | undefined)[]): number {
  if (typeof expression === 'number') return expression;
  if (typeof expression === 'string') {
    const score = /^\$score(?:\[(\d)\])?$/.exec(expression);
    return score === null ? Number(point.payload[expression]) : (scores[Number(score[1] ?? 0)] ?? 0);
  }
  if ('sum' in expression) return sum(expression.sum.map((term) => value(term, point, scores)));
  if ('mult' in expression) return expression.mult.reduce<number>((product, term) => product * value(term, point, scores), 1);
  if ('neg' in expression) return -value(expression.neg, point, scores);
  if ('abs' in expression) return Math.abs(value(expression.abs, point, scores));
  return naiveMatches({ must: [expression as never] }, point) ? 1 : 0;
}

/** The best first; among equals, the one that came first. */
function best<Point extends { readonly id: PointId }>(points: readonly Point[], score: (point: Point) => number): readonly NaiveHit[] {
  return points.map((point) => ({ id: point.id, score: score(point) })).toSorted((a, b) => b.score - a.score);
}

function firstMet(lists: readonly (readonly NaiveHit[])[]): readonly NaiveHit[] {
  return [...new Map(lists.flat().map((hit) => [hit.id, hit])).values()];
}

function without(points: readonly NaiveVectorPoint[], examples: readonly QueryVector[]): readonly NaiveVectorPoint[] {
  const ids = examples.flatMap((example) => ('id' in example ? [example.id] : []));
  return points.filter(({ id }) => !ids.includes(id));
}

function withVector(points: readonly NaiveVectorPoint[]) {
  return points.flatMap(({ id, vector }) => (vector === undefined ? [] : [{ id, vector }]));
}

function squeezed(x: number): number {
  return x === Number.NEGATIVE_INFINITY ? 0 : 0.5 * (x / (1 + Math.abs(x)) + 1);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, each) => total + each, 0);
}
