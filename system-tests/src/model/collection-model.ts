// SPDX-License-Identifier: Apache-2.0
/** What a collection is, with nothing clever: a map of points, and a loop for every question. */
import type {
  Distance,
  FieldType,
  Filter,
  Payload,
  PointId,
  PointInput,
  PointSelector,
  PointVectors,
  VectorInput,
} from '@sextant/contracts-vector';
import type { JsonValue } from '@sextant/foundation-std';
import { matches } from './filter-oracle.ts';
import { compareIds, idKey } from './point-order.ts';

export type ModelPoint = {
  readonly id: PointId;
  /** By name; the unnamed vector has the empty name. Values are 32-bit floats. */
  readonly vectors: ReadonlyMap<string, readonly number[]>;
  readonly payload: Payload;
};

export type VectorShape = { readonly size: number; readonly distance: Distance };

export class CollectionModel {
  /** By name; only the empty name when the collection has one unnamed vector. */
  readonly shapes: ReadonlyMap<string, VectorShape>;
  readonly indexes = new Map<string, FieldType>();
  readonly #points = new Map<string, ModelPoint>();

  constructor(shapes: ReadonlyMap<string, VectorShape>) {
    this.shapes = shapes;
  }

  /** The points that a filter lets through, in the order of a scroll. */
  select(filter: Filter = {}): readonly ModelPoint[] {
    return [...this.#points.values()]
      .filter(({ id, payload, vectors }) => matches(filter, { id, payload, vectorNames: [...vectors.keys()] }))
      .toSorted((a, b) => compareIds(a.id, b.id));
  }

  get(id: PointId): ModelPoint | undefined {
    return this.#points.get(idKey(id));
  }

  /** The nearest points that have the vector, nearest first. */
  nearest({ name, vector, filter, limit }: NearestQuestion): readonly { readonly point: ModelPoint; readonly score: number }[] {
    return this.select(filter)
      .flatMap((point) => {
        const score = this.score(name, point, vector);
        return score === undefined ? [] : [{ point, score }];
      })
      .toSorted((a, b) => (this.descending(name) ? b.score - a.score : a.score - b.score))
      .slice(0, limit);
  }

  /** The score of one point; undefined when it lacks the vector. */
  score(name: string, point: ModelPoint, query: readonly number[]): number | undefined {
    const stored = point.vectors.get(name);
    return stored === undefined ? undefined : score(this.#shape(name).distance, stored, query);
  }

  /** Whether a greater score is nearer. */
  descending(name: string): boolean {
    return ['Dot', 'Cosine'].includes(this.#shape(name).distance);
  }

  upsert(points: readonly PointInput[]): void {
    for (const { id, vector, payload } of points) this.#put({ id, vectors: this.#store(vector), payload: payload ?? {} });
  }

  delete(selector: PointSelector): void {
    for (const { id } of this.#selected(selector)) this.#points.delete(idKey(id));
  }

  updateVectors(points: readonly PointVectors[]): void {
    for (const { id, vector } of points) {
      const point = this.get(id);
      if (point !== undefined) this.#put({ ...point, vectors: new Map([...point.vectors, ...this.#store(vector)]) });
    }
  }

  deleteVectors(selector: PointSelector, names: readonly string[]): void {
    for (const point of this.#selected(selector)) {
      this.#put({ ...point, vectors: new Map([...point.vectors].filter(([name]) => !names.includes(name))) });
    }
  }

  /** Members replace those of the same name, null takes them away; with a key this happens to the object under that key. */
  setPayload(selector: PointSelector, change: Payload, key?: string): void {
    this.#mapPayload(selector, (payload) =>
      key === undefined ? merge(payload, change) : { ...payload, [key]: merge(payload[key], change) },
    );
  }

  overwritePayload(selector: PointSelector, payload: Payload): void {
    this.#mapPayload(selector, () => payload);
  }

  deletePayload(selector: PointSelector, paths: readonly string[]): void {
    this.#mapPayload(selector, (payload) => paths.reduce((rest, path) => without(rest, path.split('.')), payload));
  }

  #mapPayload(selector: PointSelector, change: (payload: Payload) => Payload): void {
    for (const point of this.#selected(selector)) this.#put({ ...point, payload: change(point.payload) });
  }

  #selected(selector: PointSelector): readonly ModelPoint[] {
    if ('filter' in selector) return this.select(selector.filter);
    return selector.points.flatMap((id) => this.get(id) ?? []);
  }

  #put(point: ModelPoint): void {
    this.#points.set(idKey(point.id), point);
  }

  #store(vector: VectorInput): ReadonlyMap<string, readonly number[]> {
    const named = isUnnamed(vector) ? [['', vector] as const] : Object.entries(vector);
    return new Map(
      named.map(([name, values]) => [name, this.#shape(name).distance === 'Cosine' ? normalized(values) : values.map(Math.fround)]),
    );
  }

  #shape(name: string): VectorShape {
    const shape = this.shapes.get(name);
    if (shape === undefined) throw new Error(`the model has no vector "${name}"`);
    return shape;
  }
}

export type NearestQuestion = {
  readonly name: string;
  readonly vector: readonly number[];
  readonly filter?: Filter;
  readonly limit: number;
};

function isUnnamed(vector: VectorInput): vector is readonly number[] {
  return Array.isArray(vector);
}

function normalized(values: readonly number[]): readonly number[] {
  const length = Math.hypot(...values);
  return values.map((value) => Math.fround(value / length));
}

function score(distance: Distance, stored: readonly number[], query: readonly number[]): number {
  const pairs = stored.map((value, index) => [value, query[index] ?? Number.NaN] as const);
  const sum = (term: (a: number, b: number) => number) => pairs.reduce((total, [a, b]) => total + term(a, b), 0);
  switch (distance) {
    case 'Dot':
      return sum((a, b) => a * b);
    case 'Cosine':
      return sum((a, b) => a * b) / Math.hypot(...query);
    case 'Euclid':
      return Math.sqrt(sum((a, b) => (a - b) ** 2));
    case 'Manhattan':
      return sum((a, b) => Math.abs(a - b));
  }
}

function isObject(value: JsonValue | undefined): value is Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function merge(target: JsonValue | undefined, change: Payload): Payload {
  const members = Object.entries({ ...(isObject(target) ? target : {}), ...change });
  return Object.fromEntries(members.filter(([key]) => change[key] !== null));
}

function without(target: Payload, [key = '', ...rest]: readonly string[]): Payload {
  const member = target[key];
  if (rest.length > 0) return isObject(member) ? { ...target, [key]: without(member, rest) } : target;
  return Object.fromEntries(Object.entries(target).filter(([name]) => name !== key));
}
