// SPDX-License-Identifier: Apache-2.0
/**
 * Filters in words:
 *
 * ```ts
 * filter.all(filter.field('city').is('Kyiv'), filter.field('price').between(10, 20), filter.not(filter.field('sold').is(true)))
 * ```
 *
 * Everything here makes the plain objects of the wire, and takes them too.
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

/** Conditions on one payload key. A list fits if one of its values does. */
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

  /** Has a value that is none of these. */
  isNoneOf(values: Values): FieldCondition {
    return { key: this.key, match: { except: values } };
  }

  /** Text that has all these words. */
  hasWords(words: string): FieldCondition {
    return { key: this.key, match: { text: words } };
  }

  /** Text that has one of these words. */
  hasAnyWord(words: string): FieldCondition {
    return { key: this.key, match: { text_any: words } };
  }

  /** Text that has these words one after another. */
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

  /** Both ends included. */
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

  /** How many values there are. */
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

  /** One element of a list of objects fits the whole filter; keys in it are those of the element. */
  hasElement(...conditions: readonly Condition[]): Condition {
    return { nested: { key: this.key, filter: all(...conditions) } };
  }
}

function all(...conditions: readonly Condition[]): Filter {
  return { must: conditions };
}

/** Makes filters; each is a condition too, so they nest. */
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
  /** Every condition holds. */
  readonly all: (...conditions: readonly Condition[]) => Filter;
  /** One condition holds. */
  readonly any: (...conditions: readonly Condition[]) => Filter;
  /** None of the conditions holds. */
  readonly not: (...conditions: readonly Condition[]) => Filter;
  /** `count` of the conditions hold. */
  readonly atLeast: (count: number, ...conditions: readonly Condition[]) => Filter;
  /** One of these points. */
  readonly hasId: (...ids: readonly PointId[]) => Condition;
  /** Points that have a vector of this name; the empty name is the unnamed one. */
  readonly hasVector: (name: string) => Condition;
};
