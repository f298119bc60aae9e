// SPDX-License-Identifier: Apache-2.0
/**
 * What is kept of a dense series, in less than two kilobytes: version, a checksum of the points that it was taught last, and the series. It is
 * good for a history that has just these points, so that one of which a person excluded a point, or that got an older one, is learned again.
 */
import type { PastPoint } from '../past-points.ts';
import { DenseSeries } from './dense-series.ts';

/** Another one for every change of what is kept or of what it means. */
const VERSION = 3;
const CHECKED_POINTS = 64;
const HEADER_BYTES = 6;

export const SERIES_BYTES = HEADER_BYTES + DenseSeries.BYTES;

export function encodeSeries(series: DenseSeries, past: readonly PastPoint[]): Uint8Array {
  const bytes = new Uint8Array(SERIES_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, VERSION);
  view.setUint32(2, checksum(past, series.lastMs));
  series.write(view, HEADER_BYTES);
  return bytes;
}

/** Undefined where it must be learned again. */
export function decodeSeries(bytes: Uint8Array, past: readonly PastPoint[]): DenseSeries | undefined {
  if (bytes.byteLength !== SERIES_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  if (view.getUint16(0) !== VERSION) return undefined;
  const series = new DenseSeries();
  series.read(view, HEADER_BYTES);
  return view.getUint32(2) === checksum(past, series.lastMs) ? series : undefined;
}

/** FNV-1a (Fowler, Noll and Vo) of the times of the newest points up to one. */
function checksum(past: readonly PastPoint[], lastMs: number): number {
  let index = past.length - 1;
  while (index >= 0 && (past[index]?.timeMs ?? 0) > lastMs) index -= 1;
  let sum = 0x811c9dc5;
  for (let count = 0; count < CHECKED_POINTS && index >= 0; count += 1, index -= 1) {
    const timeMs = past[index]?.timeMs ?? 0;
    // The operator takes the time modulo 2^32.
    sum = Math.imul(sum ^ timeMs, 0x01000193);
  }
  return sum >>> 0;
}
