// SPDX-License-Identifier: Apache-2.0
/** A reference as the memory of a scan holds it: JSON, with numbers of two bytes where two suffice, at most half a megabyte for vectors of 1,536 components. */
import type { StoredVectorReference } from '../../scan.ts';
import type { VectorReference } from './vector-reference.ts';

export function encodeReference({ frame, members, cells, ...plain }: VectorReference, scansAbove: number): StoredVectorReference {
  return {
    ...plain,
    scansAbove,
    shares: cells.shares,
    mean: textOf(frame.mean),
    directions: textOf(new Float16Array(frame.directions)),
    keys: textOf(members.keys),
    coordinates: textOf(new Float16Array(members.coordinates)),
    beside: textOf(members.beside),
    centers: textOf(cells.centers),
  };
}

export function decodeReference({
  mean,
  directions,
  keys,
  coordinates,
  beside,
  centers,
  shares,
  ...plain
}: StoredVectorReference): VectorReference {
  const { cuts, nearDistance, text, points } = plain;
  return {
    frame: { mean: new Float32Array(bytesOf(mean)), directions: Float32Array.from(new Float16Array(bytesOf(directions))) },
    members: {
      keys: new Float64Array(bytesOf(keys)),
      coordinates: Float32Array.from(new Float16Array(bytesOf(coordinates))),
      beside: new Float32Array(bytesOf(beside)),
    },
    cells: { centers: new Float32Array(bytesOf(centers)), shares },
    cuts,
    nearDistance,
    text,
    points,
  };
}

function textOf({ buffer, byteOffset, byteLength }: Float16Array | Float32Array | Float64Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

/** In a buffer of their own, which begins where numbers may begin. */
function bytesOf(text: string): ArrayBuffer {
  return Uint8Array.from(Buffer.from(text, 'base64')).buffer;
}
