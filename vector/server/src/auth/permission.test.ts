// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { formatPermission, parsePermission } from './permission.ts';

describe('a permission text', () => {
  test.each([
    ['read', 1, 'read'],
    ['write', 2, 'write'],
    ['admin', 4, 'admin'],
    ['read,admin', 5, 'read,admin'],
    ['admin, read', 5, 'read,admin'],
    ['read,write,admin', 7, 'read,write,admin'],
    ['read,read', 1, 'read'],
  ])('%j is %i', (text, bits, canonical) => {
    expect(parsePermission(text)).toBe(bits);
    expect(formatPermission(bits)).toBe(canonical);
  });

  test.each(['', ',', 'read,', ',read', 'Read', 'readwrite', 'read write', 'read;write', '1', 'all', 'constructor'])(
    '%j is none',
    (text) => {
      expect(parsePermission(text)).toBeUndefined();
    },
  );
});
