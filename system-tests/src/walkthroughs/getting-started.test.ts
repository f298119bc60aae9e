// SPDX-License-Identifier: Apache-2.0
/** The tutorial Getting started: what it says in each language is a program, and prints what the page says it does. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { ADMIN, startObservabilityServer } from '../observability/observability-server.ts';
import { sharedVectorServer } from '../shared-server.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const PAGE = readFileSync(join(ROOT, 'docs/tutorials/getting-started.md'), 'utf8');
const PYTHON = join(ROOT, '.cache/python-clients');
const hasPython = existsSync(join(PYTHON, 'installed'));

/** Within the repository, where the program finds the SDK. */
mkdirSync(join(ROOT, '.cache'), { recursive: true });
const directory = mkdtempSync(join(ROOT, '.cache/getting-started-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function section(language: string) {
  const text = new RegExp(`^## With ${language}\n(.*?)(?=^## )`, 'ms').exec(PAGE)?.[1] ?? '';
  const blocks = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, kind = '', block = '']) => ({ kind, block }));
  const of = (isPrinted: boolean) => blocks.filter(({ kind }) => (kind === 'text') === isPrinted).map(({ block }) => block);
  return { program: of(false).join('\n'), printed: of(true).join('') };
}

const stack = new AsyncDisposableStack();
afterAll(() => stack.disposeAsync());
const data = stack.use(await temporaryDirectory());
const vector = await sharedVectorServer();
const observability = stack.use(await startObservabilityServer({ directory: join(data.path, 'observability') }));
afterEach(() => vector.client.request('DELETE', '/collections/films'));

function printedBy(language: string, file: string, command: string, args: readonly string[] = []): string {
  const path = join(directory, file);
  const { program } = section(language);
  writeFileSync(
    path,
    program.replaceAll('http://localhost:6573', vector.address).replaceAll('http://localhost:6580', observability.address),
  );
  const env = { PATH: process.env.PATH, HOME: data.path, PASSWORD: ADMIN.password, PYTHONDONTWRITEBYTECODE: '1' };
  const { stdout, stderr, status } = spawnSync(command, [...args, path], { encoding: 'utf8', env });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

describe('getting started', () => {
  test('with curl', () => {
    expect(printedBy('curl', 'first.sh', 'sh', ['-eu'])).toBe(section('curl').printed);
  });

  test('with TypeScript', () => {
    expect(printedBy('TypeScript', 'first.ts', process.execPath, ['--no-warnings'])).toBe(section('TypeScript').printed);
  });

  test.skipIf(!hasPython)('with Python (.ci/run makes its environment)', () => {
    expect(printedBy('Python', 'first.py', join(PYTHON, 'bin/python'))).toBe(section('Python').printed);
  });
});
