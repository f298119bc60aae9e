// SPDX-License-Identifier: Apache-2.0
/**
 * A second reading of the filter language for the tests: slow, plain, and sharing no code with the first.
 * It knows only the paths, dates and texts of `filter-arbitraries.ts`, and paths of a single key.
 */
import type { Filter, PointId } from '@sextant/contracts-vector';
import { DATES, PATHS } from './filter-arbitraries.ts';

// The oracle reads filters and payloads as loose JSON, as a caller who knows no types would.
type Loose = { readonly [name: string]: unknown };
export type NaivePoint = { readonly id: PointId; readonly payload: unknown; readonly vectors: readonly string[] };

export function naiveMatches(filter: Filter, point: NaivePoint): boolean {
  return holdsFilter(filter, point, point.payload);
}

/** What a path leads to in a payload; of arrays at its end, their elements. */
export function naiveElements(payload: unknown, path: string): readonly unknown[] {
  return leads(payload, stepsOf(path)).flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : [value]));
}

function holdsFilter(filter: Filter, point: NaivePoint, payload: unknown): boolean {
  const holds = (condition: unknown) => holdsCondition(condition as Loose, point, payload);
  const should = listOf(filter.should);
  const minShould = filter.min_should;
  if (!listOf(filter.must).every(holds)) return false;
  if (should.length > 0 && !should.some(holds)) return false;
  if (listOf(filter.must_not).some(holds)) return false;
  if (minShould != null && minShould.conditions.length > 0) {
    return minShould.conditions.filter(holds).length >= minShould.min_count;
  }
  return true;
}

function listOf(value: unknown): readonly unknown[] {
  if (value == null) return [];
  return Array.isArray(value) ? value : [value];
}

function holdsCondition(condition: Loose, point: NaivePoint, payload: unknown): boolean {
  if (typeof condition.key === 'string') return holdsField(condition, leads(payload, stepsOf(condition.key)));
  const { is_empty: empty, is_null: isNull, has_id: ids, has_vector: vector, nested } = condition;
  if (empty !== undefined)
    return leads(payload, stepsOf((empty as { key: string }).key)).filter((value) => !emptyValue(value)).length === 0;
  if (isNull !== undefined) return holdsNull(leads(payload, stepsOf((isNull as { key: string }).key)));
  if (ids !== undefined) return (ids as PointId[]).some((id) => String(id) === String(point.id));
  if (vector !== undefined) return point.vectors.includes(vector as string);
  if (nested !== undefined) {
    const { key, filter } = nested as { key: string; filter: Filter };
    const steps = stepsOf(key);
    const elements = leads(payload, steps.at(-1) === '[]' ? steps : [...steps, '[]']);
    return elements.some(
      (element) => typeof element === 'object' && element !== null && !Array.isArray(element) && holdsFilter(filter, point, element),
    );
  }
  return holdsFilter(condition, point, payload);
}

function stepsOf(path: string): readonly (string | number)[] {
  return PATHS[path] ?? [path];
}

function leads(value: unknown, [step, ...rest]: readonly (string | number)[]): readonly unknown[] {
  if (step === undefined) return [value];
  if (Array.isArray(value)) {
    if (step === '[]') return value.flatMap((element) => leads(element, rest));
    return typeof step === 'number' && step < value.length ? leads(value[step], rest) : [];
  }
  if (typeof value !== 'object' || value === null || typeof step === 'number' || step === '[]') return [];
  const found = Object.entries(value).find(([key]) => key === step);
  return found === undefined ? [] : leads(found[1], rest);
}

function emptyValue(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

function holdsNull(values: readonly unknown[]): boolean {
  return values.some((value) => value === null || (Array.isArray(value) && value.some((element) => element === null)));
}

function holdsField(condition: Loose, values: readonly unknown[]): boolean {
  const elements = values.flatMap((value) => (Array.isArray(value) ? value : [value])) as unknown[];
  const { match, range, geo_bounding_box: box, geo_radius: radius, geo_polygon: polygon, values_count: count } = condition;
  const answers: boolean[] = [];
  if (match != null) answers.push(elements.some((element) => holdsMatch(match as Loose, element)));
  if (range != null) answers.push(elements.some((element) => holdsRange(range as Loose, element)));
  if (box != null) answers.push(elements.some((element) => inBox(box as never, element)));
  if (radius != null) answers.push(elements.some((element) => inCircle(radius as never, element)));
  if (polygon != null) answers.push(elements.some((element) => inPolygon(polygon as never, element)));
  if (count != null) {
    const counts = values.length === 0 ? [0] : values.map((value) => (Array.isArray(value) ? value.length : value === null ? 0 : 1));
    answers.push(counts.some((one) => bounded(one, count as Loose)));
  }
  if (typeof condition.is_empty === 'boolean') {
    const wanted = condition.is_empty;
    answers.push(values.length === 0 ? wanted : values.some((value) => emptyValue(value) === wanted));
  }
  if (typeof condition.is_null === 'boolean') {
    answers.push(holdsNull(values) === condition.is_null);
  }
  return answers.every(Boolean);
}

function holdsMatch(match: Loose, element: unknown): boolean {
  const { value, any, except, text, text_any: textAny, phrase, prefix } = match as { readonly [name: string]: never };
  if (value !== undefined) return same(value, element);
  if (any !== undefined) return (any as unknown[]).some((one) => same(one, element));
  if (except !== undefined) return element !== null && !(except as unknown[]).some((one) => same(one, element));
  if (typeof element !== 'string') return false;
  if (prefix !== undefined) return element.slice(0, (prefix as string).length) === prefix;
  const words = tokens(element);
  if (text !== undefined) return tokens(text).length > 0 && tokens(text).every((token) => words.includes(token));
  if (textAny !== undefined) return tokens(textAny).some((token) => words.includes(token));
  return tokens(phrase).length > 0 && ` ${words.join(' ')} `.includes(` ${tokens(phrase).join(' ')} `);
}

function tokens(text: unknown): readonly string[] {
  return String(text)
    .toLowerCase()
    .split(/[^a-z0-9à-ÿ]/)
    .filter((token) => token !== '');
}

/** Decimal text is the one spelling that numbers and bigints share; no generated fraction needs an exponent. */
function same(a: unknown, b: unknown): boolean {
  const isNumber = (value: unknown) => typeof value === 'number' || typeof value === 'bigint';
  if (isNumber(a) && isNumber(b)) return decimal(a) === decimal(b);
  return typeof a === typeof b && a === b;
}

function decimal(value: number | bigint): string {
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value).toString() : String(value);
}

function holdsRange(range: Loose, element: unknown): boolean {
  const bounds = Object.values(range).filter((bound) => bound != null);
  if (bounds.some((bound) => typeof bound === 'string')) {
    const micros = typeof element === 'string' ? DATES[element] : undefined;
    const inMicros = Object.fromEntries(
      Object.entries(range).map(([name, bound]) => [name, bound == null ? null : DATES[bound as string]]),
    );
    return micros !== undefined && bounded(micros, inMicros);
  }
  return (typeof element === 'number' || typeof element === 'bigint') && bounded(element, range);
}

function bounded(value: number | bigint, { lt, gt, lte, gte }: Loose): boolean {
  const compare = (bound: unknown) => Number(value > (bound as number)) - Number(value < (bound as number));
  if (lt != null && compare(lt) >= 0) return false;
  if (gt != null && compare(gt) <= 0) return false;
  if (lte != null && compare(lte) > 0) return false;
  return gte == null || compare(gte) >= 0;
}

type Place = { readonly lon: number; readonly lat: number };

function place(element: unknown): Place | undefined {
  if (typeof element !== 'object' || element === null || Array.isArray(element)) return undefined;
  const { lon, lat } = element as { lon?: unknown; lat?: unknown };
  if (typeof lon !== 'number' || typeof lat !== 'number') return undefined;
  return Math.abs(lon) <= 180 && Math.abs(lat) <= 90 ? { lon, lat } : undefined;
}

function inBox({ top_left: a, bottom_right: b }: { top_left: Place; bottom_right: Place }, element: unknown): boolean {
  const at = place(element);
  if (at === undefined || !(b.lat < at.lat && at.lat < a.lat)) return false;
  // Beyond the antimeridian degrees go on being counted, so that east is always more.
  const right = a.lon <= b.lon ? b.lon : b.lon + 360;
  return [at.lon, at.lon + 360].some((lon) => a.lon < lon && lon < right);
}

/** The angle between two directions in space, instead of the haversine formula. */
function inCircle({ center, radius }: { center: Place; radius: number }, element: unknown): boolean {
  const at = place(element);
  if (at === undefined) return false;
  const [u, v] = [direction(center), direction(at)];
  const cross = Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
  return Math.atan2(cross, u[0] * v[0] + u[1] * v[1] + u[2] * v[2]) * 6371008.8 < radius;
}

function direction({ lon, lat }: Place): readonly [number, number, number] {
  const [l, p] = [(lon / 180) * Math.PI, (lat / 180) * Math.PI];
  return [Math.cos(p) * Math.cos(l), Math.cos(p) * Math.sin(l), Math.sin(p)];
}

type Corners = { readonly points: readonly Place[] };

/** Generated polygons are rectangles along the axes, so bounds decide: neither border belongs to the polygon. */
function inPolygon({ exterior, interiors }: { exterior: Corners; interiors?: readonly Corners[] | null }, element: unknown): boolean {
  const at = place(element);
  if (at === undefined) return false;
  const edges = ({ points }: Corners) => {
    const [lons, lats] = [points.map(({ lon }) => lon), points.map(({ lat }) => lat)];
    return { west: Math.min(...lons), east: Math.max(...lons), south: Math.min(...lats), north: Math.max(...lats) };
  };
  const outer = edges(exterior);
  const holes = (interiors ?? []).map(edges);
  if (at.lon <= outer.west || at.lon >= outer.east || at.lat <= outer.south || at.lat >= outer.north) return false;
  return !holes.some(({ west, east, south, north }) => at.lon >= west && at.lon <= east && at.lat >= south && at.lat <= north);
}
