// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { pointIdSchema } from './point-id.ts';
import { normalisePointId, parsePointId } from './point-id-forms.ts';
import { validate } from './validate.ts';

const UUID = '550e8400-e29b-41d4-a716-446655440000';

describe('point ids', () => {
  test.each([
    [0, 0],
    [2 ** 53 - 1, 2 ** 53 - 1],
    [9007199254740993n, 9007199254740993n],
    [18446744073709551615n, 18446744073709551615n],
    [7n, 7],
    [UUID, UUID],
    [UUID.toUpperCase(), UUID],
    [UUID.replaceAll('-', ''), UUID],
    [`urn:uuid:${UUID}`, UUID],
  ])('%s has the canonical form %s', (id, canonical) => {
    expect(() => validate(pointIdSchema, id, 'id')).not.toThrow();
    expect(normalisePointId(id)).toBe(canonical);
  });

  test.each([
    -1,
    1.5,
    18446744073709551616n,
    -1n,
    '',
    '7',
    'urn:uuid:',
    `{${UUID}}`,
    `${UUID}0`,
    UUID.slice(1),
    null,
    true,
    [1],
    { id: 1 },
  ])('%s is none', (id) => {
    expect(() => validate(pointIdSchema, id, 'id')).toThrow(
      /^id: expected a point id \(an integer from 0 to 18446744073709551615, or a UUID\), got /,
    );
  });

  test.each([
    ['0', 0],
    ['18446744073709551615', 18446744073709551615n],
    ['0007', 7],
    [UUID.toUpperCase(), UUID],
    ['12345678901234567890123456789012', '12345678-9012-3456-7890-123456789012'],
  ])('%s is read out of a path', (text, id) => {
    expect(parsePointId(text)).toBe(id);
  });

  test.each(['', '-1', '1.0', '18446744073709551616', 'abc', '1e3', ' 1'])('%j cannot be read out of a path', (text) => {
    expect(parsePointId(text)).toBeUndefined();
  });
});
