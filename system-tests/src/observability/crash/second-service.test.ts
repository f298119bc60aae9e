// SPDX-License-Identifier: Apache-2.0
/** Two processes on one folder. */
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { startObservabilityServer } from '../observability-server.ts';

test('a second service on the same folder is refused, and SIGTERM ends the first in order', async () => {
  await using directory = await temporaryDirectory();
  await using server = await startObservabilityServer({ directory: directory.path });
  const second = startObservabilityServer({ directory: directory.path });
  await expect(second).rejects.toThrow('choose another directory with OBSERVABILITY_DATA_DIR');
  await server.stop();
});
