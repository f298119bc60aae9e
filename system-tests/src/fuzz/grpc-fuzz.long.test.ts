// SPDX-License-Identifier: Apache-2.0
import { test } from 'vitest';
import { expectNeverInternalOfItsOwn } from './never-internal.conformance.ts';

test('no message is answered with an internal error, whatever is in any of its fields at any depth', { timeout: 3_600_000 }, () =>
  expectNeverInternalOfItsOwn('all', { depth: 'everywhere', randomMessages: 2_000 }),
);

// They are refused before they are read: `consistency/access-token.test.ts` has one such call in each run.
test('no message to a method without its capability is answered with an internal error', () =>
  expectNeverInternalOfItsOwn('', { depth: 'refused requests', randomMessages: 20 }));
