// SPDX-License-Identifier: Apache-2.0
/**
 * Builds filters:
 *
 * ```ts
 * filter.all(filter.field('city').is('Kyiv'), filter.field('price').between(10, 20), filter.not(filter.field('sold').is(true)))
 * ```
 *
 * The functions return the plain objects of the API and accept them as well.
 */
import type {
  Condition,
  FieldCondition,
  Filter,
  GeoBoundingBox,
  GeoPoint,
  GeoPolygon,
  PointId,
  ValuesCount,
} from '../contract/vector-types.ts';

/** A number or an RFC 3339 date. */
export type Bound = number | bigint | string | Date;

export type Bounds = {
  readonly lt?: Bound | undefined;
  readonly lte?: Bound | undefined;
  readonly gt?: Bound | undefined;
  readonly gte?: Bound | undefined;
};

type Values = readonly string[] | readonly (number | bigint)[];

/** Conditions on one payload key. A list matches if one of its values does. */
export class Field {
  readonly key: string;

  constructor(key: string) {
    this.key = key;
  }

  /** Equal to the value. */
  is(value: string | number | bigint | boolean): FieldCondition {
    return { key: this.key, match: { value } };
  }

  /** Equal to one of the values. */
  isOneOf(values: Values): FieldCondition {
    return { key: this.key, match: { any: values } };
  }

  /** Has a value other than these. */
  isNoneOf(values: Values): FieldCondition {
    return { key: this.key, match: { except: values } };
  }

  /** Text that contains all of these words. */
  hasWords(words: string): FieldCondition {
    return { key: this.key, match: { text: words } };
  }

  /** Text that contains at least one of these words. */
  hasAnyWord(words: string): FieldCondition {
    return { key: this.key, match: { text_any: words } };
  }

  /** Text that contains these words in this order, next to each other. */
  hasPhrase(phrase: string): FieldCondition {
    return { key: this.key, match: { phrase } };
  }

  startsWith(prefix: string): FieldCondition {
    return { key: this.key, match: { prefix } };
  }

  /** Within the bounds: numbers, or dates. */
  range(bounds: Bounds): FieldCondition {
    const written = Object.entries(bounds).map(([name, bound]) => [name, bound instanceof Date ? bound.toISOString() : bound]);
    // The types of the wire keep numbers and dates apart; the service says which bound does not fit.
    return { key: this.key, range: Object.fromEntries(written) as NonNullable<FieldCondition['range']> };
  }

  lessThan(bound: Bound): FieldCondition {
    return this.range({ lt: bound });
  }

  atMost(bound: Bound): FieldCondition {
    return this.range({ lte: bound });
  }

  greaterThan(bound: Bound): FieldCondition {
    return this.range({ gt: bound });
  }

  atLeast(bound: Bound): FieldCondition {
    return this.range({ gte: bound });
  }

  /** Includes both bounds. */
  between(first: Bound, last: Bound): FieldCondition {
    return this.range({ gte: first, lte: last });
  }

  /** At most `metres` from the point. */
  within(metres: number, center: GeoPoint): FieldCondition {
    return { key: this.key, geo_radius: { center, radius: metres } };
  }

  inBox(box: GeoBoundingBox): FieldCondition {
    return { key: this.key, geo_bounding_box: box };
  }

  inPolygon(polygon: GeoPolygon): FieldCondition {
    return { key: this.key, geo_polygon: polygon };
  }

  /** The number of values. */
  count(bounds: ValuesCount): FieldCondition {
    return { key: this.key, values_count: bounds };
  }

  /** Missing, null or an empty list. */
  isEmpty(): Condition {
    return { is_empty: { key: this.key } };
  }

  isNull(): Condition {
    return { is_null: { key: this.key } };
  }

  /** One element of a list of objects matches the whole filter, whose keys are relative to the element. */
  hasElement(...conditions: readonly Condition[]): Condition {
    return { nested: { key: this.key, filter: all(...conditions) } };
  }
}

function all(...conditions: readonly Condition[]): Filter {
  return { must: conditions };
}

/** Builds filters. A filter is a condition too, so filters nest. */
export const filter: FilterBuilder = {
  field: (key) => new Field(key),
  all,
  any: (...conditions) => ({ should: conditions }),
  not: (...conditions) => ({ must_not: conditions }),
  atLeast: (count, ...conditions) => ({ min_should: { conditions, min_count: count } }),
  hasId: (...ids) => ({ has_id: ids }),
  hasVector: (name) => ({ has_vector: name }),
};

export type FilterBuilder = {
  /** A payload key: `city`, `address.city`, `orders[].price`. */
  readonly field: (key: string) => Field;
  /** All conditions match. */
  readonly all: (...conditions: readonly Condition[]) => Filter;
  /** At least one condition matches. */
  readonly any: (...conditions: readonly Condition[]) => Filter;
  /** No condition matches. */
  readonly not: (...conditions: readonly Condition[]) => Filter;
  /** At least `count` of the conditions match. */
  readonly atLeast: (count: number, ...conditions: readonly Condition[]) => Filter;
  /** The point is one of these. */
  readonly hasId: (...ids: readonly PointId[]) => Condition;
  /** Points that have a vector of this name; the empty name is the unnamed one. */
  readonly hasVector: (name: string) => Condition;
};
