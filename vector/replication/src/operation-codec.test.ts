// SPDX-License-Identifier: Apache-2.0
import type { WriteOperation } from '@sextant/vector-collection';
import { expect, test } from 'vitest';
import { decodeBatch, encodeBatch } from './batch.ts';
import { decodeOperation, encodeOperation } from './operation-codec.ts';

const UUID = '11111111-2222-4333-8444-555555555555';

const OPERATIONS: readonly WriteOperation[] = [
  {
    kind: 'upsert',
    collection: 'a',
    points: [{ id: 18446744073709551615n, vector: Float32Array.of(0.1, -0, 3e38), payload: { n: 9007199254740993n, t: 'ß' } }],
  },
  {
    kind: 'upsert',
    collection: 'a',
    points: [
      { id: UUID, vector: [0.1, 2] },
      { id: 1, vector: [] },
    ],
    condition: { mode: 'insert_only' },
  },
  { kind: 'upsert', collection: 'a', points: [{ id: 1, vector: [Float32Array.of(1, 2), [3, 4]], payload: null }] },
  { kind: 'upsert', collection: 'a', points: [{ id: 1, vector: {} }] },
  {
    kind: 'update_vectors',
    collection: 'a',
    points: [
      {
        id: 1,
        vector: {
          f32: Float32Array.of(1),
          numbers: [1.5],
          named: [[1], [2]],
          indices: { indices: [7, 4294967295], values: Float32Array.of(0.5, 2) },
          multi: { indices: [], values: [] },
        },
      },
    ],
    filter: { must: { key: 'f32', match: { value: 'x' } } },
  },
  {
    kind: 'set_payload',
    collection: 'a',
    change: { selector: { points: [1, UUID] }, payload: JSON.parse('{"__proto__":{"a":1}}'), key: 'a.b' },
  },
  { kind: 'change_aliases', actions: [{ delete_alias: { alias_name: 'x' } }] },
  { kind: 'change_credentials', revision: 3, changes: [{ kind: 'put', key: 'auth/enforced', value: true }] },
  { kind: 'create_field_index', collection: 'a', field: 'n', schema: { type: 'integer' } },
];

test.each(OPERATIONS)('$kind comes back as it was', (operation) => {
  const [batch] = [encodeBatch({ id: UUID, operations: [new Uint8Array(), encodeOperation(operation)] })];
  const { id, operations } = decodeBatch(batch);
  expect(id).toBe(UUID);
  expect(operations).toHaveLength(2);
  expect(decodeOperation(operations[1] ?? new Uint8Array())).toStrictEqual(operation);
});

test('what another release wrote is refused, not passed over', () => {
  const unknown = encodeOperation({ kind: 'transform', collection: 'a' } as never);
  expect(() => decodeOperation(unknown)).toThrow('has an operation "transform", which this release does not know');
  const entry = encodeBatch({ id: UUID, operations: [] });
  entry[0] = 2;
  expect(() => decodeBatch(entry)).toThrow('has an entry of format 2');
});
