// SPDX-License-Identifier: Apache-2.0
import { join } from 'node:path';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { startScratchService } from './scratch-service.ts';

/** Several at once, so that each takes long between listening and being ready; that one starts is a test of `sextant backup verify`. */
const STARTED_TOGETHER = 4;

test('a service of its own takes requests once it is there', { timeout: 120_000 }, async () => {
  await using directory = await temporaryDirectory();
  await using services = new AsyncDisposableStack();
  const statuses = await Promise.all(
    Array.from({ length: STARTED_TOGETHER }, async (_, index) => {
      const service = services.use(await startScratchService({ environment: process.env }, join(directory.path, `${index}`), 'cluster'));
      // Without the retries of a client.
      return (await fetch(`${service.url}/collections`)).status;
    }),
  );
  expect(statuses).toEqual(statuses.map(() => 200));
});
