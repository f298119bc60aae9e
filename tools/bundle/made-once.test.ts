// SPDX-License-Identifier: Apache-2.0
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { madeOnce } from './made-once.ts';

const name = `made-once-${randomUUID()}`;
const sources = ['tools/bundle/made-once.ts'];
const folders = new Set<string>();

afterEach(() => {
  for (const folder of folders) rmSync(dirname(folder), { recursive: true, force: true });
  folders.clear();
});

/** Counts how often it is made; resolves with the folder. */
function counted(calls: string[], make: (directory: string) => Promise<unknown> = async () => undefined): Promise<string> {
  const filled = async (directory: string) => {
    calls.push(directory);
    await make(directory);
    writeFileSync(join(directory, 'made'), 'whole');
  };
  return madeOnce({ name, sources, make: filled });
}

test('whoever needs what another makes waits for it, and finds it whole', async () => {
  const calls: string[] = [];
  const found = await Promise.all(Array.from({ length: 3 }, () => counted(calls)));
  for (const folder of found) folders.add(folder);
  expect(calls).toHaveLength(1);
  expect(new Set(found).size).toBe(1);
  expect(readFileSync(join(found[0] ?? '', 'made'), 'utf8')).toBe('whole');
  expect(readdirSync(dirname(found[0] ?? ''))).toHaveLength(1);
});

test('what somebody began who has died since, or failed at, is made by the next one', async () => {
  const calls: string[] = [];
  await expect(counted(calls, () => Promise.reject(new Error('no room')))).rejects.toThrow('no room');
  const folder = await counted(calls);
  folders.add(folder);
  rmSync(folder, { recursive: true });
  const { pid: dead } = spawnSync(process.execPath, ['--version']);
  writeFileSync(`${folder}.lock`, String(dead));
  expect(await counted(calls)).toBe(folder);
  expect(calls).toHaveLength(3);
  expect(existsSync(`${folder}.lock`)).toBe(false);
});
