// SPDX-License-Identifier: Apache-2.0
/**
 * Operations as bytes: the JSON that is stored and answered everywhere else, exact integers included, with the float32 vectors of points taken out of it,
 * since they are most of what is written.
 *
 *   JSON's length u32 | JSON in UTF-8 | components f32, one vector after the other
 *
 * Numbers are little-endian. In the JSON a vector says what it is: `{"f32": n}` stands for the next n components behind it.
 */
import type { DenseVector, NamedVectorInput, PointInput, PointVectors, SparseVector, VectorInput } from '@sextant/contracts-vector';
import { assert, parseJson, stringifyJson } from '@sextant/foundation-std';
import { isKnownOperation, type WriteOperation } from '@sextant/vector-collection';
import { UnknownFormatError } from './batch.ts';

const LENGTH_BYTES = 4;
const COMPONENT_BYTES = 4;

/** How vectors stand in the JSON. */
type EncodedDense = { readonly f32: number } | { readonly numbers: readonly number[] };
type EncodedNamed =
  | EncodedDense
  | { readonly multi: readonly EncodedDense[] }
  | { readonly indices: readonly number[]; readonly values: EncodedDense };
type EncodedVector = EncodedNamed | { readonly named: readonly (readonly [string, EncodedNamed])[] };

export function encodeOperation(operation: WriteOperation): Uint8Array {
  const vectors: Float32Array[] = [];
  const text = stringifyJson(
    'points' in operation ? { ...operation, points: operation.points.map((point) => cut(point, vectors)) } : operation,
  );
  const json = Buffer.from(text);
  const components = vectors.reduce((sum, { length }) => sum + length, 0);
  const bytes = new Uint8Array(LENGTH_BYTES + json.length + components * COMPONENT_BYTES);
  new DataView(bytes.buffer).setUint32(0, json.length, true);
  bytes.set(json, LENGTH_BYTES);
  let offset = LENGTH_BYTES + json.length;
  for (const vector of vectors) {
    bytes.set(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength), offset);
    offset += vector.byteLength;
  }
  return bytes;
}

export function decodeOperation(bytes: Uint8Array): WriteOperation {
  const jsonBytes = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const json = bytes.subarray(LENGTH_BYTES, LENGTH_BYTES + jsonBytes);
  // Copied, since components have to be aligned.
  const components = new Float32Array(Uint8Array.from(bytes.subarray(LENGTH_BYTES + jsonBytes)).buffer);
  let offset = 0;
  const next = (length: number) => {
    offset += length;
    assert(offset <= components.length, 'an operation of the log has all its components');
    return components.subarray(offset - length, offset);
  };
  // What is in the log was written by `encodeOperation`, of values that a schema had let through.
  const operation = parseJson(new TextDecoder().decode(json)) as WriteOperation;
  if (!isKnownOperation(operation)) throw new UnknownFormatError(`an operation ${JSON.stringify(operation.kind)}`);
  if (!('points' in operation)) return operation;
  const points = operation.points as unknown as readonly { readonly vector: EncodedVector }[];
  return { ...operation, points: points.map((point) => ({ ...point, vector: vectorOf(point.vector, next) })) } as unknown as WriteOperation;
}

function cut(point: PointInput | PointVectors, vectors: Float32Array[]) {
  return { ...point, vector: encodedVector(point.vector, vectors) };
}

function encodedVector(vector: VectorInput, vectors: Float32Array[]): EncodedVector {
  if (isArray(vector)) return encodedArray(vector, vectors);
  return { named: Object.entries(vector).map(([name, each]) => [name, encodedNamed(each, vectors)] as const) };
}

function encodedNamed(vector: NamedVectorInput, vectors: Float32Array[]): EncodedNamed {
  if (isArray(vector)) return encodedArray(vector, vectors);
  return { indices: vector.indices, values: encodedDense(vector.values, vectors) };
}

function encodedArray(vector: DenseVector | readonly DenseVector[], vectors: Float32Array[]): EncodedNamed {
  return isDense(vector) ? encodedDense(vector, vectors) : { multi: vector.map((each) => encodedDense(each, vectors)) };
}

function encodedDense(vector: DenseVector, vectors: Float32Array[]): EncodedDense {
  if (!(vector instanceof Float32Array)) return { numbers: vector };
  vectors.push(vector);
  return { f32: vector.length };
}

type Next = (length: number) => Float32Array;

function vectorOf(encoded: EncodedVector, next: Next): VectorInput {
  if (!('named' in encoded)) return namedOf(encoded, next);
  return Object.fromEntries(encoded.named.map(([name, each]) => [name, namedOf(each, next)]));
}

function namedOf(encoded: EncodedNamed, next: Next): NamedVectorInput {
  if ('multi' in encoded) return encoded.multi.map((each) => denseOf(each, next));
  if ('indices' in encoded) return { indices: encoded.indices, values: denseOf(encoded.values, next) };
  return denseOf(encoded, next);
}

function denseOf(encoded: EncodedDense, next: Next): DenseVector {
  return 'f32' in encoded ? next(encoded.f32) : encoded.numbers;
}

function isArray(vector: VectorInput | SparseVector): vector is DenseVector | readonly DenseVector[] {
  return vector instanceof Float32Array || Array.isArray(vector);
}

/** The schema lets no empty multivector through. */
function isDense(vector: DenseVector | readonly DenseVector[]): vector is DenseVector {
  return vector instanceof Float32Array || vector.length === 0 || typeof vector[0] === 'number';
}
