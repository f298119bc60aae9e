/** The filter language: what a caller may ask of a point's payload, id and vectors. */
import type { PointId } from './points.ts';

export type MatchValue = string | number | bigint | boolean;

export type Match =
  | { readonly value: MatchValue }
  | { readonly text: string }
  | { readonly text_any: string }
  | { readonly phrase: string }
  | { readonly prefix: string }
  | { readonly any: readonly string[] | readonly (number | bigint)[] }
  | { readonly except: readonly string[] | readonly (number | bigint)[] };

/** Bounds are all numbers or all RFC 3339 date strings; null means no bound. */
export type Range = {
  readonly lt?: number | bigint | string | null;
  readonly gt?: number | bigint | string | null;
  readonly lte?: number | bigint | string | null;
  readonly gte?: number | bigint | string | null;
};

export type GeoPoint = { readonly lon: number; readonly lat: number };
export type GeoBoundingBox = { readonly top_left: GeoPoint; readonly bottom_right: GeoPoint };
/** `radius` in metres. */
export type GeoRadius = { readonly center: GeoPoint; readonly radius: number };
export type GeoLineString = { readonly points: readonly GeoPoint[] };
export type GeoPolygon = { readonly exterior: GeoLineString; readonly interiors?: readonly GeoLineString[] | null };

export type ValuesCount = {
  readonly lt?: number | null;
  readonly gt?: number | null;
  readonly lte?: number | null;
  readonly gte?: number | null;
};

/** One key and at least one test of its values; several tests must all hold. */
export type FieldCondition = {
  readonly key: string;
  readonly match?: Match | null;
  readonly range?: Range | null;
  readonly geo_bounding_box?: GeoBoundingBox | null;
  readonly geo_radius?: GeoRadius | null;
  readonly geo_polygon?: GeoPolygon | null;
  readonly values_count?: ValuesCount | null;
  readonly is_empty?: boolean | null;
  readonly is_null?: boolean | null;
};

export type Condition =
  | FieldCondition
  | { readonly is_empty: { readonly key: string } }
  | { readonly is_null: { readonly key: string } }
  | { readonly has_id: readonly PointId[] }
  | { readonly has_vector: string }
  | { readonly slice: { readonly total: number; readonly index: number } }
  | { readonly nested: { readonly key: string; readonly filter: Filter } }
  | Filter;

export type Filter = {
  readonly must?: Condition | readonly Condition[] | null;
  readonly should?: Condition | readonly Condition[] | null;
  readonly must_not?: Condition | readonly Condition[] | null;
  readonly min_should?: { readonly conditions: readonly Condition[]; readonly min_count: number } | null;
};
