/**
 * The filter language by its definition, one point at a time and without an index: what the engine must agree with.
 * Left out, because a model of writes does not need them: polygons, `slice` and the options of text indexes.
 */
import type { Condition, FieldCondition, Filter, Match, PointId, Range } from '@sextant/contracts-vector';

export type NaivePoint = { readonly id: PointId; readonly payload: object; readonly vectorNames: readonly string[] };

export function naiveMatch(filter: Filter, point: NaivePoint, root: unknown = point.payload): boolean {
  const holds = (condition: Condition) => holdsFor(condition, point, root);
  const { min_should: minShould } = filter;
  const should = listed(filter.should);
  return (
    listed(filter.must).every(holds) &&
    (should.length === 0 || should.some(holds)) &&
    !listed(filter.must_not).some(holds) &&
    (!minShould || minShould.conditions.filter(holds).length >= minShould.min_count)
  );
}

function listed(clause: Condition | readonly Condition[] | null | undefined): readonly Condition[] {
  if (clause === undefined || clause === null) return [];
  // A condition is never an array.
  return Array.isArray(clause) ? clause : [clause as Condition];
}

function holdsFor(condition: Condition, point: NaivePoint, root: unknown): boolean {
  if ('key' in condition) return holdsForField(condition, valuesAt(condition.key, root));
  if ('is_empty' in condition) return valuesAt(condition.is_empty.key, root).every(isEmpty);
  if ('is_null' in condition) return valuesAt(condition.is_null.key, root).some((value) => value === null);
  if ('has_id' in condition) return condition.has_id.some((id) => id === point.id);
  if ('has_vector' in condition) return point.vectorNames.includes(condition.has_vector);
  if ('nested' in condition) {
    const { key, filter } = condition.nested;
    return valuesAt(key, root)
      .flat()
      .some((element) => isObject(element) && naiveMatch(filter, point, element));
  }
  if ('slice' in condition) throw new Error('the model knows no slices');
  return naiveMatch(condition, point, root);
}

function holdsForField(condition: FieldCondition, values: readonly unknown[]): boolean {
  const {
    match,
    range,
    values_count: valuesCount,
    is_empty: empty,
    is_null: isNull,
    geo_radius: radius,
    geo_bounding_box: box,
  } = condition;
  if (condition.geo_polygon || radius || box) throw new Error('the model knows no geography');
  const elements = values.flatMap((value) => (Array.isArray(value) ? value : [value]));
  if (match && !elements.some((value) => matches(match, value))) return false;
  if (range && !elements.some((value) => isWithin(range, value))) return false;
  const counts = values.length === 0 ? [0] : values.map(countOf);
  if (valuesCount && !counts.some((count) => isWithin(valuesCount, count))) return false;
  if (typeof empty === 'boolean' && values.every(isEmpty) !== empty) return false;
  return typeof isNull !== 'boolean' || values.some((value) => value === null || (Array.isArray(value) && value.includes(null))) === isNull;
}

function matches(match: Match, value: unknown): boolean {
  if ('value' in match) return value === match.value;
  if ('any' in match) return (match.any as readonly unknown[]).includes(value);
  if ('except' in match) return value !== null && !(match.except as readonly unknown[]).includes(value);
  if (typeof value !== 'string') return false;
  if ('text' in match) return value.includes(match.text);
  if ('phrase' in match) return value.includes(match.phrase);
  if ('prefix' in match) return value.startsWith(match.prefix);
  return match.text_any.split(/\s+/).some((word) => word !== '' && value.includes(word));
}

function isWithin(range: Range, value: unknown): boolean {
  const of = (bound: unknown) => (typeof bound === 'string' ? Date.parse(bound) : bound) as number;
  const bounds = [range.gt, range.gte, range.lt, range.lte].filter((bound) => bound !== null && bound !== undefined);
  if (bounds.some((bound) => (typeof bound === 'string') !== (typeof value === 'string'))) return false;
  const number = of(value);
  if (typeof number !== 'number' && typeof number !== 'bigint') return false;
  return (
    (range.gt === undefined || range.gt === null || number > of(range.gt)) &&
    (range.gte === undefined || range.gte === null || number >= of(range.gte)) &&
    (range.lt === undefined || range.lt === null || number < of(range.lt)) &&
    (range.lte === undefined || range.lte === null || number <= of(range.lte))
  );
}

function countOf(value: unknown): number {
  if (value === null || value === undefined) return 0;
  return Array.isArray(value) ? value.length : 1;
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The values at a path of plain keys, `[]` (every element) and `[n]`; a key never enters an array. */
export function valuesAt(path: string, root: unknown): readonly unknown[] {
  let values: readonly unknown[] = [root];
  for (const [, index, key] of path.matchAll(/\[(\d*)\]|([^.[\]]+)/g)) {
    values = values.flatMap((value): readonly unknown[] => {
      if (key !== undefined) return isObject(value) && Object.hasOwn(value, key) ? [value[key]] : [];
      if (!Array.isArray(value)) return [];
      return index === '' ? value : value.slice(Number(index), Number(index) + 1);
    });
  }
  return values;
}
