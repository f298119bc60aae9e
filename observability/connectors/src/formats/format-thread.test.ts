// SPDX-License-Identifier: Apache-2.0
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { askThread } from './format-thread.ts';

const MODULE = new URL('./fixture/answering-thread.ts', import.meta.url);

function ask(
  request: string,
  options: { readonly signal?: AbortSignal; readonly module?: URL; readonly folder?: string | undefined } = {},
): Promise<number> {
  return askThread({
    module: MODULE,
    folder: '/uploads/1',
    name: 'a.xyz',
    formats: 'such files',
    instead: 'save it as CSV',
    request,
    ...options,
  });
}

test('a thread that has answered is asked again', async () => {
  expect(await ask('answer')).toBe(await ask('answer'));
});

test.each([
  ['throw', 'thrown on the thread'],
  ['exit', 'a.xyz cannot be read: its thread ended'],
])('a thread that does not answer but %s is not asked again', async (request, reason) => {
  const before = await ask('answer');
  await expect(ask(request)).rejects.toThrow(reason);
  expect(await ask('answer')).not.toBe(before);
});

test('a thread whose caller has gone is not asked again', async () => {
  const before = await ask('answer');
  const leaving = new AbortController();
  const asked = ask('wait', { signal: leaving.signal });
  // It is asked once nobody else waits.
  await setImmediate();
  leaving.abort(new Error('the caller has gone'));
  await expect(asked).rejects.toThrow('the caller has gone');
  expect(await ask('answer')).not.toBe(before);
});

test('another format is read on another thread', async () => {
  const before = await ask('answer');
  const other = new URL(`${MODULE.href}?other`);
  expect(await ask('answer', { module: other })).not.toBe(before);
});

test('a file of another folder is read on another thread', async () => {
  const before = await ask('answer');
  const other = await ask('answer', { folder: '/uploads/2' });
  expect(other).not.toBe(before);
  const alone = await ask('answer', { folder: undefined });
  expect(alone).not.toBe(other);
  expect(await ask('answer', { folder: undefined })).not.toBe(alone);
});
