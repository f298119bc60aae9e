// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { capabilitiesOf } from './capabilities.ts';

test.each([
  [{ capabilities: ['status', 'aliases'] }, ['status', 'aliases']],
  [{ capabilities: ['status', 7] }, ['status']],
  [{ capabilities: 'all' }, []],
  [{ title: 'another service' }, []],
  [null, []],
])('%j switches on %j', (answer, expected) => {
  expect(capabilitiesOf(answer)).toEqual(expected);
});
