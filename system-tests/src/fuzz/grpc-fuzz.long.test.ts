// SPDX-License-Identifier: Apache-2.0
import { test } from 'vitest';
import { expectNeverInternalOfItsOwn } from './never-internal.conformance.ts';

test('no message is answered with an internal error, whatever is in any of its fields at any depth', { timeout: 3_600_000 }, () =>
  expectNeverInternalOfItsOwn('all', { depth: 'everywhere', randomMessages: 2_000 }),
);
