// SPDX-License-Identifier: Apache-2.0
/**
 * Places as cells of a Z-order curve (Morton 1966): longitude and latitude as 32-bit integers with their bits interleaved, so that
 * the cells of a square are one range of keys. A cell is at most 1 cm wide, and a box becomes a few ranges that cover it.
 */
import type { GeoPoint } from '@sextant/contracts-vector';

const CELLS = 2 ** 32;
/** More ranges fit tighter and cost a seek each; 24 leave about a fifth too much of a typical box. */
const RANGES_MAX = 24;

/** Both ends belong to the range. */
export type CellRange = { readonly first: Uint8Array; readonly last: Uint8Array };

type Square = { readonly x: number; readonly y: number; readonly size: number };
type Box = { readonly left: number; readonly right: number; readonly bottom: number; readonly top: number };

export function encodeCell({ lon, lat }: GeoPoint): Uint8Array {
  return interleave(column(lon), row(lat));
}

/** Ranges that hold every cell of a box; a left edge east of the right edge crosses the antimeridian, a top below the bottom leaves nothing. */
export function coverBox(topLeft: GeoPoint, bottomRight: GeoPoint): readonly CellRange[] {
  if (topLeft.lat < bottomRight.lat) return [];
  const [bottom, top] = [row(bottomRight.lat), row(topLeft.lat)];
  const [left, right] = [column(topLeft.lon), column(bottomRight.lon)];
  if (topLeft.lon <= bottomRight.lon) return cover({ left, right, bottom, top });
  return [...cover({ left, right: CELLS - 1, bottom, top }), ...cover({ left: 0, right, bottom, top })];
}

/** Squares that reach over the box's border are quartered, largest first, while the number of ranges allows. */
function cover(box: Box): readonly CellRange[] {
  const whole: Square[] = [];
  let partial: Square[] = [{ x: 0, y: 0, size: CELLS }];
  while (partial.length > 0 && (partial[0]?.size ?? 1) > 1) {
    const quarters = partial.flatMap(quarter).filter((square) => touches(square, box));
    const inside = quarters.filter((square) => isInside(square, box));
    if (whole.length + quarters.length > RANGES_MAX) break;
    whole.push(...inside);
    partial = quarters.filter((square) => !isInside(square, box));
  }
  return [...whole, ...partial].map(rangeOf);
}

function quarter({ x, y, size }: Square): readonly Square[] {
  const half = size / 2;
  return [
    { x, y, size: half },
    { x: x + half, y, size: half },
    { x, y: y + half, size: half },
    { x: x + half, y: y + half, size: half },
  ];
}

function touches({ x, y, size }: Square, { left, right, bottom, top }: Box): boolean {
  return x <= right && x + size > left && y <= top && y + size > bottom;
}

function isInside({ x, y, size }: Square, { left, right, bottom, top }: Box): boolean {
  return x >= left && x + size - 1 <= right && y >= bottom && y + size - 1 <= top;
}

function rangeOf({ x, y, size }: Square): CellRange {
  return { first: interleave(x, y), last: interleave(x + size - 1, y + size - 1) };
}

function column(lon: number): number {
  return Math.min(CELLS - 1, Math.floor(((lon + 180) / 360) * CELLS));
}

function row(lat: number): number {
  return Math.min(CELLS - 1, Math.floor(((lat + 90) / 180) * CELLS));
}

function interleave(x: number, y: number): Uint8Array {
  const bytes = new Uint8Array(8);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, ((spread(x >>> 16) << 1) | spread(y >>> 16)) >>> 0);
  view.setUint32(4, ((spread(x & 0xffff) << 1) | spread(y & 0xffff)) >>> 0);
  return bytes;
}

/** The 16 bits of a number, each followed by a free one (Anderson, Bit Twiddling Hacks: interleave by binary magic numbers). */
function spread(bits: number): number {
  let spaced = (bits | (bits << 8)) & 0x00ff00ff;
  spaced = (spaced | (spaced << 4)) & 0x0f0f0f0f;
  spaced = (spaced | (spaced << 2)) & 0x33333333;
  return (spaced | (spaced << 1)) & 0x55555555;
}
