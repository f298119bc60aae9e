// SPDX-License-Identifier: Apache-2.0
import type { Endpoint, OperationId } from '@sextant/contracts-vector';
import { endpoints } from '@sextant/contracts-vector/schemas';
import { roundsOf } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeInput } from './decode.ts';
import type { OperationRequest } from './operation.ts';

const OPERATIONS = [
  'search_points',
  'search_batch',
  'query_points',
  'query_batch',
  'upsert_points',
  'update_vectors',
  'batch_update',
] as const;

const component = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e30, max: 1e30 }),
  fc.integer(),
  fc.constantFrom(-0, 0.1, 1e300, 18446744073709552000),
);
const vector = fc.oneof(
  { arbitrary: fc.array(component, { minLength: 8, maxLength: 40, size: 'max' }), weight: 4 },
  fc.array(component, { maxLength: 3 }),
  fc.array(fc.oneof(component, fc.constantFrom(null, 'a', true, [1])), { minLength: 20, maxLength: 30, size: 'max' }),
);
const indices = fc.uniqueArray(fc.nat(2 ** 32 - 1), { maxLength: 40, size: 'max' });
const vectors = fc.oneof(
  { arbitrary: vector, weight: 4 },
  fc.record({ name: fc.constantFrom('image', ''), vector }),
  fc.dictionary(fc.constantFrom('image', 'text', 'payload', 'vector', '__proto__'), vector),
  fc.array(vector, { maxLength: 3 }),
  fc.record({ indices: vector, values: vector }),
  fc.dictionary(
    fc.constantFrom('image', 'text', 'indices'),
    fc.oneof(vector, fc.record({ indices: indices, values: vector }), fc.record({ values: vector, indices: indices })),
  ),
  fc.record({ nearest: vector }),
  fc.record({ recommend: fc.record({ positive: vector }) }),
  fc.constantFrom(7, 'a', null, {}, '936da01f-9abd-4d9d-80c7-02af85c822a8', { sample: 'random' }),
);
/** Looks like members that have vectors, and is none of them. */
const payload = fc.oneof(
  fc.constantFrom(null, {}, { vector: [1, 2, 3] }, { text: '"vector":[1,2,3],' }, { text: 'a\\' }, { ü: '"query": [', 'vec\u0000': ']' }),
  fc.record({ vectors: vector, deep: fc.record({ query: vector }) }),
);
const filter = fc.constantFrom(
  { must: [{ key: 'a', match: { any: ['"vector":[', 'b'] } }] },
  { must: [{ has_id: [1, 2, 18446744073709551615n] }] },
  { must: [{ key: 'vector', match: { value: '\\"' } }] },
  { must: 7 },
);
const search = fc.record(
  {
    vector: vectors,
    query: vectors,
    limit: fc.constantFrom(1, 10, 0, 'x'),
    filter,
    with_payload: fc.boolean(),
    shard_key: fc.record({ vector }),
    other: vectors,
  },
  { requiredKeys: [] },
);
const point = fc.record(
  { id: fc.oneof(fc.nat(), fc.constantFrom('x', 18446744073709551615n)), vector: vectors, vectors, payload },
  { requiredKeys: ['id'] },
);
const points = fc.array(point, { maxLength: 4 });
const upsert = fc.oneof(
  fc.record({ points }),
  fc.record({
    batch: fc.record(
      {
        ids: fc.array(fc.nat(), { maxLength: 3 }),
        vectors: fc.oneof(fc.array(vector, { maxLength: 3 }), vectors),
        payloads: fc.array(payload, { maxLength: 3 }),
      },
      { requiredKeys: ['ids', 'vectors'] },
    ),
  }),
);
const body = fc.oneof(
  search,
  fc.record({ searches: fc.array(search, { maxLength: 4 }) }),
  upsert,
  fc.record({
    operations: fc.array(
      fc.oneof(
        fc.record({ upsert }),
        fc.record({ delete_vectors: fc.record({ points: fc.array(fc.nat()), vector: fc.constant(['image']) }) }),
      ),
      { maxLength: 3 },
    ),
  }),
);

/** The compiler's library does not know it yet. */
const { rawJSON } = JSON as unknown as { rawJSON: (digits: string) => object };

/** The text of a body, and texts that a slip of the pen makes of it. */
const bodyText = fc
  .tuple(
    body,
    fc.constantFrom(undefined, 1, 2),
    fc.option(fc.tuple(fc.nat(), fc.constantFrom('', ',', '"', '\\', '[', ']', '{', '}', ':', '\u00e9', '\ufeff', ' ', '0'))),
  )
  .map(([value, indent, slip]) => {
    const text = JSON.stringify(value, (_key, member: unknown) => (typeof member === 'bigint' ? rawJSON(String(member)) : member), indent);
    if (slip === null) return text;
    const at = slip[0] % text.length;
    return text.slice(0, at) + slip[1] + text.slice(at + 1);
  });

function decoded(id: OperationId, bytes: Uint8Array, operation: string): unknown {
  const endpoint: Endpoint = endpoints[id];
  const request: OperationRequest = {
    operation,
    params: { collection_name: 'c' },
    query: {},
    body: bytes,
    caller: { address: '', loopback: true, credential: undefined },
    principal: { kind: 'anonymous' },
  };
  try {
    return inFloat32(decodeInput(endpoint, request, { unknownMembers: 'known' }).body);
  } catch (error) {
    return { refusal: error };
  }
}

/** With every array of numbers outside of payloads as float32, which is what becomes of vectors in either way. */
function inFloat32(value: unknown): unknown {
  if (value instanceof Float32Array) return value;
  if (Array.isArray(value)) {
    if (value.length > 0 && value.every((item) => typeof item === 'number' || typeof item === 'bigint'))
      return Float32Array.from(value, Number);
    return value.map(inFloat32);
  }
  if (typeof value !== 'object' || value === null) return value;
  // Nothing of a payload is a vector.
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, name.startsWith('payload') ? member : inFloat32(member)]));
}

describe('a body whose vectors are read from its bytes', () => {
  test('is taken, and refused in the same words, as one that the parser reads whole', () => {
    fc.assert(
      fc.property(bodyText, fc.constantFrom(...OPERATIONS), (text, id) => {
        const bytes = Buffer.from(text);
        // Operations of other names have no vectors to read.
        expect(decoded(id, bytes, id)).toEqual(decoded(id, bytes, 'another operation'));
      }),
      { numRuns: roundsOf({ quick: 400, long: 30_000 }) },
    );
  });

  test.each(['vector', '\\u0076ector', 'vec\\u0074or'])('may spell a name as "%s"', (name) => {
    const values = Array.from({ length: 40 }, (_, index) => 5 + index / 8);
    const text = `{"points":[{"id":1,"vector":${JSON.stringify(values)}},{"id":2,"${name}":${JSON.stringify(values)}}]}`;
    const point = { vector: new Float32Array(values) };
    expect(decoded('upsert_points', Buffer.from(text), 'upsert_points')).toEqual({
      points: [
        { id: 1, ...point },
        { id: 2, ...point },
      ],
    });
  });

  test('has float32 for its vectors', () => {
    const vector = Array.from({ length: 40 }, (_, index) => index / 8);
    const bytes = Buffer.from(JSON.stringify({ points: [{ id: 1, vector: { image: vector }, payload: { vector } }] }));
    expect(decoded('upsert_points', bytes, 'upsert_points')).toEqual({
      points: [{ id: 1, vector: { image: new Float32Array(vector) }, payload: { vector } }],
    });
    const endpoint: Endpoint = endpoints.search_points;
    const search = Buffer.from(JSON.stringify({ vector, limit: 3 }));
    const base = {
      params: {},
      query: {},
      caller: { address: '', loopback: true, credential: undefined },
      principal: { kind: 'anonymous' },
    } as const;
    const { body }: { body: unknown } = decodeInput(
      endpoint,
      { ...base, operation: 'search_points', body: search },
      { unknownMembers: 'known' },
    );
    expect((body as { vector: unknown }).vector).toBeInstanceOf(Float32Array);
  });
});
