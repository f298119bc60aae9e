// SPDX-License-Identifier: Apache-2.0
/** The tutorial Getting started: what it says in each language is a program, and prints what the page says it does. That in Python runs in `../clients/python.integration.test.ts`. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { COMPILE_CACHE } from '../compile-cache.ts';
import { sharedFirstTenant } from '../observability/contract/service-under-test.ts';
import { ADMIN } from '../observability/observability-server.ts';
import { sharedVectorServer } from '../shared-server.ts';
import { gettingStarted } from './getting-started.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

/** Within the repository, where the program finds the SDK. */
mkdirSync(join(ROOT, '.cache'), { recursive: true });
const directory = mkdtempSync(join(ROOT, '.cache/getting-started-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const vector = await sharedVectorServer();
const observability = await sharedFirstTenant();
afterEach(() => vector.client.request('DELETE', '/collections/films'));

describe('getting started', () => {
  test.each([
    ['curl', 'first.sh', 'sh', ['-eu']],
    ['TypeScript', 'first.ts', process.execPath, ['--no-warnings']],
  ])('with %s', (language, file, command, args) => {
    const path = join(directory, file);
    const { program, printed } = gettingStarted(language, { vector: vector.address, observability: observability.address });
    writeFileSync(path, program);
    const env = { PATH: process.env.PATH, HOME: directory, PASSWORD: ADMIN.password, ...COMPILE_CACHE };
    const { stdout, stderr, status } = spawnSync(command, [...args, path], { encoding: 'utf8', env });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(printed).not.toBe('');
    expect(stdout).toBe(printed);
  });
});
