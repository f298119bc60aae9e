// SPDX-License-Identifier: Apache-2.0
/**
 * What is kept of a series, in less than two kilobytes: version, a checksum of the points that it was taught last and of those that people excluded, and
 * the series. It is good for a history that has just these points, so that one of which a person excluded a point, or that got an older one, is learned again.
 */
import type { SeriesTraits } from '../band.ts';
import type { TaughtPoints } from '../past-points.ts';
import { isAmount } from './amount.ts';
import { DenseSeries } from './dense-series.ts';
import { KeptNumbers } from './kept-numbers.ts';
import { SparseSeries } from './sparse-series.ts';

/** Another one for every change of what is kept or of what it means. */
const VERSION = 8;
/** A daily series remembers longer than one of many points a day. */
const CHECKED_POINTS = { dense: 64, daily: 180 };
const HEADER_BYTES = 6;
const BYTES_MAX = 2048;
const FNV_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

export const SERIES_BYTES = HEADER_BYTES + DenseSeries.BYTES;
/** With a checksum of the traits, which it depends on. */
const DAILY_HEADER_BYTES = HEADER_BYTES + 4;
export const DAILY_SERIES_BYTES = DAILY_HEADER_BYTES + bytesOf(new SparseSeries({ familySize: 1 }));

export function encodeSeries(series: DenseSeries, past: TaughtPoints): Uint8Array {
  const bytes = new Uint8Array(SERIES_BYTES);
  series.write(withHeader(bytes, checksum(past, { lastMs: series.lastMs, count: CHECKED_POINTS.dense })), HEADER_BYTES);
  return bytes;
}

/** Undefined where it must be learned again. */
export function decodeSeries(bytes: Uint8Array, past: TaughtPoints, traits: SeriesTraits): DenseSeries | undefined {
  const view = viewOf(bytes, SERIES_BYTES);
  if (view === undefined) return undefined;
  const series = new DenseSeries({ isAmount: isAmount(traits) });
  series.read(view, HEADER_BYTES);
  return view.getUint32(2) === checksum(past, { lastMs: series.lastMs, count: CHECKED_POINTS.dense }) ? series : undefined;
}

export function encodeDailySeries(series: SparseSeries, past: TaughtPoints, traits: SeriesTraits): Uint8Array {
  const bytes = new Uint8Array(DAILY_SERIES_BYTES);
  const view = withHeader(bytes, checksum(past, { lastMs: series.lastMs, count: CHECKED_POINTS.daily }));
  view.setUint32(HEADER_BYTES, checksumOfTraits(traits));
  series.keep(new KeptNumbers(bytes, { from: DAILY_HEADER_BYTES, isReading: false }));
  return bytes;
}

/** Undefined where it must be learned again. */
export function decodeDailySeries(bytes: Uint8Array, past: TaughtPoints, traits: SeriesTraits): SparseSeries | undefined {
  const view = viewOf(bytes, DAILY_SERIES_BYTES);
  if (view?.getUint32(HEADER_BYTES) !== checksumOfTraits(traits)) return undefined;
  const series = new SparseSeries(traits);
  series.keep(new KeptNumbers(bytes, { from: DAILY_HEADER_BYTES, isReading: true }));
  return view.getUint32(2) === checksum(past, { lastMs: series.lastMs, count: CHECKED_POINTS.daily }) ? series : undefined;
}

/** The same for all series. */
function bytesOf(series: SparseSeries): number {
  const numbers = new KeptNumbers(new Uint8Array(BYTES_MAX), { from: 0, isReading: false });
  series.keep(numbers);
  return numbers.at;
}

function withHeader(bytes: Uint8Array, pointsChecksum: number): DataView {
  const view = new DataView(bytes.buffer);
  view.setUint16(0, VERSION);
  view.setUint32(2, pointsChecksum);
  return view;
}

/** Undefined for what another version kept, or of another kind of series. */
function viewOf(bytes: Uint8Array, length: number): DataView | undefined {
  if (bytes.byteLength !== length) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return view.getUint16(0) === VERSION ? view : undefined;
}

/** FNV-1a (Fowler, Noll and Vo) of the times of the newest `count` points up to `lastMs`, and of all excluded ones. */
function checksum({ points, excluded }: TaughtPoints, { lastMs, count }: { readonly lastMs: number; readonly count: number }): number {
  let sum = FNV_BASIS;
  let checked = 0;
  for (let index = points.length - 1; index >= 0 && checked < count; index -= 1) {
    const point = points[index];
    if (point === undefined || point.timeMs > lastMs) continue;
    // The operator takes the time modulo 2^32.
    sum = Math.imul(sum ^ point.timeMs, FNV_PRIME);
    checked += 1;
  }
  for (const timeMs of excluded) sum = Math.imul(sum ^ timeMs, FNV_PRIME);
  return sum >>> 0;
}

function checksumOfTraits({ minimum, maximum, isCount, familySize }: SeriesTraits): number {
  let sum = FNV_BASIS;
  for (const character of `${minimum} ${maximum} ${isCount} ${familySize}`) sum = Math.imul(sum ^ character.charCodeAt(0), FNV_PRIME);
  return sum >>> 0;
}
