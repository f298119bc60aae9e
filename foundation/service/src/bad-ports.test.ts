// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { badPortSentence } from './bad-ports.ts';

const PORTS = Array.from({ length: 11_000 }, (_, at) => at + 1);

/** Before anything is sent. */
async function isBad(port: number): Promise<boolean> {
  const signal = AbortSignal.timeout(10_000);
  const reason: unknown = await fetch(`http://127.0.0.1:${port}`, { signal }).catch((error: unknown) => error);
  return reason instanceof TypeError && reason.cause instanceof Error && reason.cause.message === 'bad port';
}

test('the ports are those that fetch refuses', async () => {
  const named = PORTS.filter((port) => badPortSentence(port, 'PORT') !== undefined);
  for (const port of named) expect(await isBad(port), String(port)).toBe(true);
  for (const port of [80, 6573, 6574, 6580, 8080, 10_079]) expect(await isBad(port), String(port)).toBe(false);
});

test('the sentence names the port and the setting', () => {
  expect(badPortSentence(6000, 'SERVICE_REST_PORT')).toBe(
    'browsers refuse to connect to port 6000, so nobody can open the console; set SERVICE_REST_PORT to another port',
  );
  expect(badPortSentence(6573, 'SERVICE_REST_PORT')).toBeUndefined();
});
