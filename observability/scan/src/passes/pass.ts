// SPDX-License-Identifier: Apache-2.0
/** One pass over the rows: many aggregates, for the whole and per segment, in as few statements as the engine takes. */
import { assert } from '@sextant/foundation-std';
import type { Cell, Engine, StatementLimit } from '../engine/engine.ts';
import { grouping, inOrder, type SegmentDimension, segmentOf } from '../plan/segments.ts';

/** One aggregate and what becomes of its value. */
export type Aggregate = {
  /** Over the columns of the inner SELECT, among them `segment_<index>`, the position in each dimension. */
  readonly sql: string;
  readonly receive: (value: Cell, segment: string | null) => void;
};

/** Aggregates that belong together, with the columns of the inner SELECT that they read. */
export type AggregateGroup = {
  readonly inner: readonly string[];
  readonly aggregates: readonly Aggregate[];
};

export async function runPass(engine: Engine, options: PassOptions): Promise<void> {
  const { groups, dimensions, relation = engine.relation, withoutWhole = false, limit } = options;
  for (const chunk of chunksOf(groups, engine.dialect.selectLimit)) {
    const { inner, key, groupBy } = grouping(dimensions, withoutWhole);
    const aggregates = chunk.flatMap((group) => group.aggregates);
    if (aggregates.length === 0) continue;
    const columns = [...new Set([...chunk.flatMap((group) => group.inner), ...inner])];
    const rows = await engine.query(
      `SELECT ${[...key, ...aggregates.map(({ sql }) => sql)].join(', ')} FROM (SELECT ${columns.length === 0 ? '1 AS one' : columns.join(', ')} FROM ${relation}${engine.dialect.computedOnce}) AS r${groupBy([])}`,
      limit,
    );
    for (const [dimension, position, ...values] of inOrder(rows, 2)) {
      const segment = segmentOf(dimensions, dimension, position);
      if (segment === undefined) continue;
      aggregates.forEach(({ receive }, index) => {
        receive(values[index] ?? null, segment);
      });
    }
  }
}

export type PassOptions = {
  readonly groups: readonly AggregateGroup[];
  readonly dimensions: readonly SegmentDimension[];
  readonly relation?: string;
  /** Whether the segments alone are measured. */
  readonly withoutWhole?: boolean;
  readonly limit?: StatementLimit | undefined;
};

/** What a JSON array of numbers holds; null is an empty one. */
export function numbersOf(json: Cell): readonly number[] {
  const items: unknown = json === null ? [] : JSON.parse(String(json));
  assertNumbers(items);
  return items;
}

/** Our own statements build arrays of this form. */
function assertNumbers(items: unknown): asserts items is readonly number[] {
  assert(Array.isArray(items) && items.every((item) => typeof item === 'number'), 'a list holds numbers');
}

/** Cuts between groups; a group never exceeds the limit by itself. */
function chunksOf(groups: readonly AggregateGroup[], limit: number): readonly (readonly AggregateGroup[])[] {
  const chunks: AggregateGroup[][] = [];
  let width = Number.POSITIVE_INFINITY;
  for (const group of groups) {
    if (width + group.aggregates.length > limit) {
      chunks.push([]);
      width = 0;
    }
    chunks.at(-1)?.push(group);
    width += group.aggregates.length;
  }
  return chunks;
}
