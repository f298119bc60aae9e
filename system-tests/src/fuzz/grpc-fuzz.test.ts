// SPDX-License-Identifier: Apache-2.0
/** Every method of the gRPC interface is sent messages that are valid, lack something, or hold what does not belong there. */
import { test } from 'vitest';
import { sharedVectorServer } from '../shared-server.ts';
import { expectNeverInternal } from './never-internal.conformance.ts';

test('no message is answered with an internal error: all capabilities on', async () =>
  expectNeverInternal(await sharedVectorServer(), { depth: 'once', randomMessages: 3 }));
