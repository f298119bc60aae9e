// SPDX-License-Identifier: Apache-2.0
/** The first admin as a person creates it: from the machine of the service, with what the service has printed. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { startVectorServer, TWO_THREADS } from '../vector-server.ts';

const PASSWORD = 'Correct-Horse-42';

test('the setup code is printed while there is no admin, kept for its owner, and never logged', async () => {
  await using directory = await temporaryDirectory();
  const file = join(directory.path, 'setup-code');
  const printed = (log: readonly string[]) => log.filter((line) => line.includes('setup code'));
  let code: string;
  {
    await using server = await startVectorServer({ directory: directory.path, environment: TWO_THREADS });
    code = await readFile(file, 'utf8');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await expect
      .poll(() => printed(server.log))
      .toEqual([expect.stringMatching(new RegExp(`^sextant: there is no admin yet; .* ${code}, `))]);
    const headers = { origin: server.address };
    const ask = (body: object) => server.client.request('POST', '/auth/admin', body, { headers });
    expect(await ask({ password: PASSWORD })).toMatchObject({
      status: 403,
      body: { status: 'error', message: expect.stringContaining('setup-code') },
    });
    expect(await ask({ password: PASSWORD, setup_code: code })).toMatchObject({ status: 200 });
    await server.stop();
    expect(server.log.filter((line) => line.startsWith('{') && line.includes(code))).toEqual([]);
  }
  await using server = await startVectorServer({ directory: directory.path });
  const reset = await server.client.request('POST', '/auth/admin/reset-password', { password: PASSWORD, setup_code: code });
  expect(reset, 'a code works once').toMatchObject({ status: 403 });
  await server.stop();
  expect(printed(server.log)).toEqual([]);
});
