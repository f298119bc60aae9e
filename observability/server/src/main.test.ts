// SPDX-License-Identifier: Apache-2.0
/** The service as a process of its own. What a kill leaves, and the next start makes of it, is in the system tests of crashes. */
import { join } from 'node:path';
import { type ChildServer, startServer, temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';

const ENTRY = join(import.meta.dirname, 'main.ts');

function start(directory: string): Promise<ChildServer> {
  const environment = { OBSERVABILITY_DATA_DIR: directory, OBSERVABILITY_PORT: '0', DATABASE_URL: undefined };
  return startServer({ entry: ENTRY, environment });
}

test('a second service on the same folder is refused, and SIGTERM ends the first in order', async () => {
  await using directory = await temporaryDirectory();
  await using server = await start(directory.path);
  await expect(start(directory.path)).rejects.toThrow('choose another directory with OBSERVABILITY_DATA_DIR');
  await server.stop();
});
