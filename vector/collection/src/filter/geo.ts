// SPDX-License-Identifier: Apache-2.0
/**
 * Places on the earth: a box, a circle, a polygon. Longitudes and latitudes in degrees (WGS 84). As in the published API, a border is no part of
 * its shape, so a box of no height, a circle of no radius and a polygon without an inside hold no point.
 */
import type { GeoPoint } from '@sextant/contracts-vector';
import type { JsonValue } from '@sextant/foundation-std';
import { isJsonObject } from '../payload/json-path.ts';

export type Ring = readonly GeoPoint[];
/** Closed rings; a point in a hole or on its border is outside. Edges are straight in degrees and do not cross the antimeridian. */
export type Polygon = { readonly exterior: Ring; readonly interiors: readonly Ring[] };

/** Mean radius of the earth in metres, R1 of the IUGG (Moritz 2000, Geodetic Reference System 1980). */
const EARTH_RADIUS_M = 6_371_008.8;
const RADIANS = Math.PI / 180;

/** A payload value as a point: an object with `lon` in -180..180 and `lat` in -90..90; undefined for anything else. */
export function geoPointOf(value: JsonValue): GeoPoint | undefined {
  if (!isJsonObject(value)) return undefined;
  const { lon, lat } = value;
  return typeof lon === 'number' && typeof lat === 'number' && isOnEarth(lon, lat) ? { lon, lat } : undefined;
}

export function isOnEarth(lon: number, lat: number): boolean {
  return lon >= -180 && lon <= 180 && lat >= -90 && lat <= 90;
}

/** A box whose left edge is east of its right edge crosses the antimeridian; one whose top is below its bottom holds no point. */
export function inBox({ lon, lat }: GeoPoint, topLeft: GeoPoint, bottomRight: GeoPoint): boolean {
  if (lat >= topLeft.lat || lat <= bottomRight.lat) return false;
  return topLeft.lon <= bottomRight.lon ? lon > topLeft.lon && lon < bottomRight.lon : lon > topLeft.lon || lon < bottomRight.lon;
}

/** Great-circle distance in metres by the haversine formula (Sinnott 1984, "Virtues of the Haversine"). */
export function haversine(a: GeoPoint, b: GeoPoint): number {
  const latHalf = Math.sin(((b.lat - a.lat) * RADIANS) / 2);
  const lonHalf = Math.sin(((b.lon - a.lon) * RADIANS) / 2);
  const h = latHalf * latHalf + Math.cos(a.lat * RADIANS) * Math.cos(b.lat * RADIANS) * lonHalf * lonHalf;
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(h)));
}

export function inPolygon(point: GeoPoint, { exterior, interiors }: Polygon): boolean {
  return placeIn(exterior, point) === 'inside' && interiors.every((hole) => placeIn(hole, point) === 'outside');
}

/** The corners of the smallest box, not crossing the antimeridian, around a circle; all longitudes where it touches a pole or that line. */
export function boxAround(center: GeoPoint, radius: number): { topLeft: GeoPoint; bottomRight: GeoPoint } {
  // A little wider than computed, so that rounding leaves no point of the circle out.
  const angle = (radius / EARTH_RADIUS_M / RADIANS) * (1 + 1e-9) + 1e-9;
  const top = Math.min(90, center.lat + angle);
  const bottom = Math.max(-90, center.lat - angle);
  // The easternmost point of a circle lies off its centre's parallel: sin(dlon) = sin(angle) / cos(lat).
  const ratio = Math.sin(angle * RADIANS) / Math.cos(center.lat * RADIANS);
  const lonAngle = top >= 90 || bottom <= -90 || !(ratio < 1) ? 180 : (Math.asin(ratio) / RADIANS) * (1 + 1e-9) + 1e-9;
  const crosses = center.lon - lonAngle < -180 || center.lon + lonAngle > 180;
  const [left, right] = crosses ? [-180, 180] : [center.lon - lonAngle, center.lon + lonAngle];
  return { topLeft: { lon: left, lat: top }, bottomRight: { lon: right, lat: bottom } };
}

/** Even-odd rule along a ray to the east (Shimrat 1962, Algorithm 112), with the border as a case of its own. */
function placeIn(ring: Ring, { lon, lat }: GeoPoint): 'inside' | 'border' | 'outside' {
  let inside = false;
  let previous = ring.at(-1);
  for (const corner of ring) {
    if (previous !== undefined) {
      const side = (corner.lon - previous.lon) * (lat - previous.lat) - (corner.lat - previous.lat) * (lon - previous.lon);
      if (side === 0 && between(lon, previous.lon, corner.lon) && between(lat, previous.lat, corner.lat)) return 'border';
      if (previous.lat > lat !== corner.lat > lat && side > 0 === corner.lat > previous.lat) inside = !inside;
    }
    previous = corner;
  }
  return inside ? 'inside' : 'outside';
}

function between(value: number, a: number, b: number): boolean {
  return value >= Math.min(a, b) && value <= Math.max(a, b);
}
