// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { includesRole, mayDo, ROLES } from './roles.ts';

describe('each role may do what the roles after it may', () => {
  test.each(ROLES.flatMap((role, index) => ROLES.map((wanted, place) => [role, wanted, index <= place] as const)))(
    '%s, asked for %s: %s',
    (role, wanted, expected) => {
      expect(includesRole(role, wanted)).toBe(expected);
    },
  );
});

test('a role in a project adds to the role in the tenant, for things of that project alone', () => {
  const member = { role: 'viewer', projectRoles: { '3': 'editor' } } as const;
  expect(mayDo(member, 'editor', 3)).toBe(true);
  expect(mayDo(member, 'editor', 4)).toBe(false);
  expect(mayDo(member, 'editor')).toBe(false);
  expect(mayDo(member, 'admin', 3)).toBe(false);
});

test('a smaller role in a project takes nothing away', () => {
  expect(mayDo({ role: 'admin', projectRoles: { '3': 'viewer' } }, 'editor', 3)).toBe(true);
});
