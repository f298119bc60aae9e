// SPDX-License-Identifier: Apache-2.0
/** How often each value occurs, exactly: distinct values, values that occur once, and the most frequent ones. */
import { assert } from '@sextant/foundation-std';
import type { CountedValue } from '../dialect/frequencies.ts';
import type { Cell, Engine } from '../engine/engine.ts';
import { inOrder, type SegmentDimension, segmentOf } from '../plan/segments.ts';

/** A value beyond this many characters is shown cut. */
const SHOWN_CHARACTERS = 256;
/** In longer tables a value that occurs once is not a frequent one, and sorting millions of them would choose some at random. */
const ROWS_OF_SINGLE_VALUES = 10_000;

/** What is counted: rows by the value of an expression, of which null is none. */
export type Counted = CountedValue & {
  /** The value as it is shown, by its text; as it is where it is left out. */
  readonly shown?: (text: string) => string;
  readonly receive: (found: Frequencies, segment: string | null) => void;
};

export type Frequencies = {
  readonly distinct: number;
  readonly unique: number;
  /** Most frequent first, equals in their order. */
  readonly top: readonly { readonly value: string; readonly count: number }[];
};

export type FrequencyOptions = {
  readonly counted: readonly Counted[];
  readonly dimensions: readonly SegmentDimension[];
  readonly records: number;
  readonly topLimit: number;
  readonly onCounted?: (index: number) => void;
};

export async function countFrequencies(engine: Engine, options: FrequencyOptions): Promise<void> {
  const { together, statement } = engine.dialect.frequencies;
  const { dimensions, records, topLimit } = options;
  for (let start = 0; start < options.counted.length; start += together) {
    const counted = options.counted.slice(start, start + together);
    const sql = statement({
      relation: engine.relation,
      counted,
      positions: dimensions.map(({ position }) => position),
      topLimit,
      shownCharacters: SHOWN_CHARACTERS,
      listsSingles: records <= ROWS_OF_SINGLE_VALUES,
    });
    for (const [index, dimension, position, distinct, unique, ranked] of inOrder(await engine.query(sql), 3)) {
      const segment = segmentOf(dimensions, dimension, position);
      const column = counted[Number(index)];
      if (segment === undefined || column === undefined) continue;
      const top = rankedValues(ranked).map(({ value, count }) => ({ value: column.shown?.(value) ?? value, count }));
      column.receive({ distinct: Number(distinct), unique: Number(unique), top }, segment);
    }
    options.onCounted?.(start + counted.length);
  }
}

/** Whether nothing of a value was cut before it was shown. */
export function isWhole(value: string): boolean {
  return value.length < SHOWN_CHARACTERS;
}

/** Values and counts of a JSON array of `{"v": value, "n": count}`; null is an empty list. */
export function rankedValues(json: Cell | undefined): Frequencies['top'] {
  if (json === null || json === undefined) return [];
  const items: unknown = JSON.parse(String(json));
  assertRanked(items);
  return items.map(({ v, n }) => ({ value: v, count: Number(n) }));
}

/** Our own statements build arrays of this form. */
function assertRanked(items: unknown): asserts items is readonly { readonly v: string; readonly n: number }[] {
  assert(Array.isArray(items), 'ranked values are a list');
}
