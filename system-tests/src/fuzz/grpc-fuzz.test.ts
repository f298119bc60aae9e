// SPDX-License-Identifier: Apache-2.0
/** Every method of the gRPC interface is sent messages that are valid, lack something, or hold what does not belong there. */
import { test } from 'vitest';
import { expectNeverInternal } from './never-internal.conformance.ts';

test('no message is answered with an internal error: all capabilities on', () =>
  expectNeverInternal('all', { depth: 'once', randomMessages: 5 }));

test('no message is answered with an internal error: all capabilities off', () =>
  expectNeverInternal('', { depth: 'refused requests', randomMessages: 2 }));
