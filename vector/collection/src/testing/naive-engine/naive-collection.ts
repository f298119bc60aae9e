// SPDX-License-Identifier: Apache-2.0
/** One collection of the naive engine: what it holds, and how its points are picked. For tests. */
import { type FieldSchema, type Filter, type Payload, type PointId, type PointSelector, ServiceError } from '@sextant/contracts-vector';
import { compileFilter } from '../../filter/compile.ts';
import { naiveMatches } from '../../filter/naive-filter.ts';
import type { CollectionConfig } from '../../model/collection-config.ts';
import { type StoredVectors, type VectorSchemas, vectorSchemasOf } from '../../model/vectors.ts';

export type KeptPoint = {
  readonly id: PointId;
  readonly version: number;
  readonly payload: Payload;
  readonly vectors: StoredVectors;
};

export class KeptCollection {
  readonly name: string;
  config: CollectionConfig;
  /** The number of the last write. */
  sequence = 0;
  /** By the text of their ids; no number reads like a UUID. */
  readonly points = new Map<string, KeptPoint>();
  readonly fields = new Map<string, FieldSchema>();

  constructor(name: string, config: CollectionConfig) {
    this.name = name;
    this.config = config;
  }

  get schemas(): VectorSchemas {
    return vectorSchemasOf(this.config);
  }

  get(id: PointId): KeptPoint {
    const point = this.points.get(String(id));
    if (point === undefined) throw new ServiceError('point_not_found', { id });
    return point;
  }

  put(point: KeptPoint): void {
    this.points.set(String(point.id), point);
  }

  /** By ascending id, numbers before UUIDs. */
  inOrder(): readonly KeptPoint[] {
    return [...this.points.values()].sort((a, b) => compareIds(a.id, b.id));
  }

  matching(filter: Filter | null | undefined): readonly KeptPoint[] {
    const matches = this.matcher(filter);
    return this.inOrder().filter(matches);
  }

  matcher(filter: Filter | null | undefined): (point: KeptPoint) => boolean {
    if (filter == null) return () => true;
    // What it compiles to is not used: it refuses what is no filter.
    compileFilter(filter, (field) => this.fields.get(field));
    return (point) => naiveMatches(filter, { id: point.id, payload: point.payload, vectors: this.#namesOf(point) });
  }

  /** The points that a selector names, each once; one that there is not is refused. */
  selected(selector: PointSelector): readonly KeptPoint[] {
    return 'points' in selector ? [...new Set(selector.points.map((id) => this.get(id)))] : this.matching(selector.filter);
  }

  #namesOf({ vectors }: KeptPoint): readonly string[] {
    const { spaces, multi, sparse } = this.schemas;
    return [
      ...[...spaces, ...multi].filter(({ ordinal }) => vectors.dense.has(ordinal)),
      ...sparse.filter(({ ordinal }) => vectors.sparse.has(ordinal)),
    ].map(({ name }) => name);
  }
}

export function compareIds(a: PointId, b: PointId): number {
  if (typeof a !== 'string' && typeof b !== 'string') return Number(a > b) - Number(a < b);
  if (typeof a === 'string' && typeof b === 'string') return Number(a > b) - Number(a < b);
  return typeof a === 'string' ? 1 : -1;
}
