// SPDX-License-Identifier: Apache-2.0
import { roundsOf } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boxAround, geoPointOf, haversine } from './geo.ts';

describe('distance', () => {
  // On a sphere of 6371.0088 km: a quarter and a half of its circumference, and Berlin to Paris.
  test.each([
    [{ lon: 0, lat: 0 }, { lon: 90, lat: 0 }, 10_007_557],
    [{ lon: 0, lat: 0 }, { lon: 180, lat: 0 }, 20_015_115],
    [{ lon: 17, lat: 90 }, { lon: -40, lat: -90 }, 20_015_115],
    [{ lon: 13.405, lat: 52.52 }, { lon: 2.3522, lat: 48.8566 }, 877_464],
    [{ lon: 179.5, lat: 10 }, { lon: 179.5, lat: 10 }, 0],
  ])('from %j to %j is %i m', (from, to, metres) => {
    expect(Math.abs(haversine(from, to) - metres)).toBeLessThan(2);
    expect(haversine(to, from)).toBeCloseTo(haversine(from, to), 6);
  });
});

describe('a payload value is a place', () => {
  test.each([
    [{ lon: 180, lat: -90 }, true],
    [{ lon: 1, lat: 2, name: 'x' }, true],
    [{ lon: 180.1, lat: 0 }, false],
    [{ lon: 0, lat: 91 }, false],
    [{ lon: '1', lat: 2 }, false],
    [{ lon: 1 }, false],
    [[1, 2], false],
    [null, false],
  ])('%j: %s', (value, expected) => {
    expect(geoPointOf(value) !== undefined).toBe(expected);
  });
});

test('the box around a circle holds the circle, wherever it lies', () => {
  const lon = evenly(-180, 180);
  const lat = fc.oneof(evenly(-90, 90), evenly(80, 90), fc.constantFrom(-90, 0, 90));
  const radius = fc.oneof(evenly(0, 3_000_000), evenly(0, 21_000_000));
  fc.assert(
    fc.property(fc.record({ lon, lat }), radius, evenly(0, 1), evenly(0, 360), (center, metres, share, bearing) => {
      const point = destination(center, metres * share, bearing);
      if (haversine(center, point) > metres) return;
      const { topLeft, bottomRight } = boxAround(center, metres);
      expect(point.lon >= topLeft.lon && point.lon <= bottomRight.lon).toBe(true);
      expect(point.lat >= bottomRight.lat && point.lat <= topLeft.lat).toBe(true);
    }),
    { numRuns: roundsOf({ quick: 670, long: 20_000 }) },
  );
});

/** Spread evenly, where `fc.double` mostly draws numbers next to zero. */
function evenly(min: number, max: number) {
  return fc.nat(1_000_000).map((step) => min + (step / 1_000_000) * (max - min));
}

/** Where one comes to on a great circle (Veness, Movable Type Scripts: destination point given distance and bearing). */
function destination({ lon, lat }: { lon: number; lat: number }, metres: number, bearing: number) {
  const rad = Math.PI / 180;
  const angle = metres / 6_371_008.8;
  const sin = Math.sin(lat * rad) * Math.cos(angle) + Math.cos(lat * rad) * Math.sin(angle) * Math.cos(bearing * rad);
  const reached = Math.asin(Math.max(-1, Math.min(1, sin)));
  const east = Math.atan2(Math.sin(bearing * rad) * Math.sin(angle) * Math.cos(lat * rad), Math.cos(angle) - Math.sin(lat * rad) * sin);
  return { lon: ((lon + east / rad + 540) % 360) - 180, lat: reached / rad };
}
