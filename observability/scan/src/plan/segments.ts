// SPDX-License-Identifier: Apache-2.0
/** The whole and its segments. A segment is one value of one attribute; rows of no listed value belong to the whole alone. */
import type { AssetOptions } from '@sextant/contracts-observability';
import type { Column } from '@sextant/observability-connectors';
import type { Dialect } from '../dialect/dialect.ts';
import type { Cell, Row } from '../engine/engine.ts';
import { hasValue } from './shown-value.ts';

/** How the published API writes the segment of rows without a value. */
export const NULL_SEGMENT = '__null__';

/** One attribute that rows are grouped by. */
export type SegmentDimension = {
  /** SQL: the position of the row's value in the list, -1 for a value that is not in it. */
  readonly position: string;
  /** `attribute=value` by position. */
  readonly names: readonly string[];
};

export function segmentDimensions(columns: readonly Column[], options: AssetOptions, dialect: Dialect): readonly SegmentDimension[] {
  return Object.entries(options.segments ?? {}).flatMap(([attribute, values]) => {
    const column = columns.find(({ name }) => name === attribute);
    if (column === undefined || values.length === 0) return [];
    const cases = values.map((value, position) => {
      const condition = value === NULL_SEGMENT ? `${dialect.identifier(attribute)} IS NULL` : hasValue(column, [value], dialect);
      return `WHEN ${condition} THEN ${position}`;
    });
    return [{ position: `CASE ${cases.join(' ')} ELSE -1 END`, names: values.map((value) => `${attribute}=${value}`) }];
  });
}

/**
 * The whole and all dimensions in one statement. With segments, the first result column is the index of the dimension (-1 for the whole) and the
 * second the position of the value in it.
 */
export type Grouping = {
  /** Added to the columns of the inner SELECT. */
  readonly inner: readonly string[];
  readonly key: readonly string[];
  /** `keys` are grouped by besides the segment. */
  readonly groupBy: (keys: readonly string[]) => string;
};

export function grouping(dimensions: readonly SegmentDimension[], withoutWhole = false): Grouping {
  const names = dimensions.map((_, index) => `segment_${index}`);
  if (names.length === 0)
    return { inner: [], key: ['-1', '-1'], groupBy: (keys) => (keys.length === 0 ? '' : ` GROUP BY ${keys.join(', ')}`) };
  return {
    inner: dimensions.map(({ position }, index) => `${position} AS ${names[index]}`),
    key: [
      `CASE ${names.map((name, index) => `WHEN GROUPING(${name}) = 0 THEN ${index}`).join(' ')} ELSE -1 END`,
      `coalesce(${names.join(', ')}, -1)`,
    ],
    groupBy: (keys) =>
      ` GROUP BY GROUPING SETS (${[...(withoutWhole ? [] : [[]]), ...names.map((name) => [name])].map((set) => `(${[...keys, ...set].join(', ')})`).join(', ')})`,
  };
}

/** Result rows by the whole numbers with which they begin, so that what is found of them does not depend on the order in which an engine gives them. */
export function inOrder(rows: readonly Row[], numbers: number): readonly Row[] {
  const orderOf = (one: Row, other: Row): number => {
    const index = Array.from({ length: numbers }, (_, column) => column).find((column) => Number(one[column]) !== Number(other[column]));
    return index === undefined ? 0 : Number(one[index]) - Number(other[index]);
  };
  return rows.toSorted(orderOf);
}

/** The segment that a result row is about: null for the whole, undefined for values that nobody asked for. */
export function segmentOf(
  dimensions: readonly SegmentDimension[],
  dimension: Cell | undefined,
  position: Cell | undefined,
): string | null | undefined {
  return Number(dimension) === -1 ? null : dimensions[Number(dimension)]?.names[Number(position)];
}
