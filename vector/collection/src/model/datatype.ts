// SPDX-License-Identifier: Apache-2.0
/**
 * The datatypes of vectors: what of a component is stored, kept in memory and measured. A request's numbers become float32 first, and then what the
 * vector's configuration says; what that cannot hold is refused. Bytes have no fractions: these are cut off, as in the published API.
 */
import { ServiceError, type VectorParams } from '@sextant/contracts-vector';
import { assert } from '@sextant/foundation-std';
import type { Components, Datatype } from '@sextant/vector-kernel';

const BYTES_OF: Readonly<Record<Datatype, number>> = { float32: 4, float16: 2, uint8: 1 };
/** Numbers from here on round to a half's infinity. */
const HALF_END = 65_520;
/** Numbers below it are at most 255 without their fractions. */
const BYTE_END = 256;

export function datatypeOf({ datatype }: VectorParams): Datatype {
  const known = datatype ?? 'float32';
  assert(known === 'float32' || known === 'float16' || known === 'uint8', 'the schema lets through what this release serves');
  return known;
}

/** Bytes of one vector's components. */
export function vectorBytes(params: VectorParams): number {
  return params.size * BYTES_OF[datatypeOf(params)];
}

/** The components in the vector's datatype; throws `invalid_request`, naming the first that it cannot hold. */
export function inDatatype(params: VectorParams, values: Float32Array): Components {
  switch (datatypeOf(params)) {
    case 'float32':
      return values;
    case 'float16':
      refuseWhere(values, (value) => !(Math.abs(value) < HALF_END), 'float16 holds values up to 65504');
      return new Float16Array(values);
    case 'uint8':
      refuseWhere(values, (value) => !(value > -1 && value < BYTE_END), 'uint8 takes numbers from 0 to 255; fractions are dropped');
      return new Uint8Array(values);
  }
}

/** The nearest that the vector's datatype can hold, for numbers that were computed from others. */
export function heldBy(params: VectorParams, values: Float32Array): Float32Array {
  return datatypeOf(params) === 'uint8' ? values.map((value) => Math.min(255, Math.max(0, Math.trunc(value)))) : values;
}

function refuseWhere(values: Float32Array, isBeyond: (value: number) => boolean, rule: string): void {
  const at = values.findIndex(isBeyond);
  if (at >= 0) throw new ServiceError('invalid_request', { reason: `vector: component ${at} is ${values[at]}; the datatype ${rule}` });
}
