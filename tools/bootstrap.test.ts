// SPDX-License-Identifier: Apache-2.0
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

/**
 * A clone with one dependency, in which the bootstrap runs as it would before a script. `npm` is a program that notes how often it
 * was called and installs what the lock file names.
 */
let root = '';
const LOCK = { packages: { '': { name: 'clone' }, 'node_modules/pino': { version: '1.0.0', integrity: 'sha512-x' } } };

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bootstrap-'));
  write('package-lock.json', JSON.stringify(LOCK));
  mkdirSync(join(root, 'tools'));
  copyFileSync(new URL('bootstrap.mjs', import.meta.url), join(root, 'tools/bootstrap.mjs'));
  program(
    'npm',
    'echo "$@" >> npm-calls; sleep 0.1',
    'mkdir -p node_modules/node/bin; cp package-lock.json node_modules/.package-lock.json',
    `ln -sf ${process.execPath} node_modules/node/bin/node`,
  );
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function program(name: string, ...lines: readonly string[]): void {
  write(`bin/${name}`, ['#!/bin/sh', ...lines].join('\n'));
  chmodSync(join(root, 'bin', name), 0o755);
}

function installed(packages: object = LOCK.packages): void {
  write('node_modules/.package-lock.json', JSON.stringify({ packages }));
  mkdirSync(join(root, 'node_modules/node/bin'), { recursive: true });
  symlinkSync(process.execPath, join(root, 'node_modules/node/bin/node'));
}

async function bootstrap(...args: readonly string[]): Promise<{ code: unknown; output: string }> {
  const child = spawn(process.execPath, [join(root, 'tools/bootstrap.mjs'), ...args], {
    env: { ...process.env, PATH: `${join(root, 'bin')}:/usr/bin:/bin` },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = await once(child, 'close');
  return { code, output };
}

/** The arguments of each call that differ from those of the others. */
function npmArguments(): readonly string[] {
  if (!existsSync(join(root, 'npm-calls'))) return [];
  const lines = readFileSync(join(root, 'npm-calls'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => line.replace('install --no-save --no-audit --no-fund --loglevel=error', '').trim());
}

const npmCalls = () => npmArguments().length;

describe('installing', () => {
  test('a clone that is ready is left alone, without a word', async () => {
    installed();
    expect(await bootstrap()).toEqual({ code: 0, output: '' });
    expect(npmCalls()).toBe(0);
  });

  test('a new clone is installed once', async () => {
    const first = await bootstrap();
    expect(first).toEqual({ code: 0, output: 'bootstrap: installing what package-lock.json names\n' });
    expect(await bootstrap()).toEqual({ code: 0, output: '' });
    expect(npmCalls()).toBe(1);
  });

  test.each([
    ['another version', { 'node_modules/pino': { version: '0.9.0', integrity: 'sha512-x' } }],
    ['another content', { 'node_modules/pino': { version: '1.0.0', integrity: 'sha512-y' } }],
    ['nothing', {}],
  ])('a clone that has %s of what the lock file names is installed again', async (_name, packages) => {
    installed(packages);
    expect((await bootstrap()).code).toBe(0);
    expect(npmCalls()).toBe(1);
  });

  test('an optional package of another platform is not missed', async () => {
    const packages = { ...LOCK.packages, 'node_modules/other-platform': { version: '1.0.0', optional: true } };
    write('package-lock.json', JSON.stringify({ packages }));
    installed();
    expect(await bootstrap()).toEqual({ code: 0, output: '' });
  });

  test('a failed install stops the script that it comes before', async () => {
    program('npm', 'echo no network >&2; exit 1');
    const { code, output } = await bootstrap();
    expect(code).toBe(1);
    expect(output).toContain('no network');
    expect(output).toContain('failed; its output above says why');
  });
});

describe('installing for running alone', () => {
  const runtime = { 'node_modules/pino': { version: '1.0.0', integrity: 'sha512-x' } };
  const builders = { 'node_modules/vite': { version: '8.0.0', integrity: 'sha512-v', dev: true } };
  const tools = { 'node_modules/vitest': { version: '5.0.0', integrity: 'sha512-t', dev: true } };
  const manifests = {
    '': { name: 'clone', devDependencies: { vitest: '5.0.0' } },
    'clients/console': { devDependencies: { vite: '8.0.0', '@sextant/sdk': '0.1.0' } },
  };
  const lock = { packages: { ...manifests, ...runtime, ...builders, ...tools } };

  beforeEach(() => {
    write('package-lock.json', JSON.stringify(lock));
    write('runtime.json', JSON.stringify({ packages: runtime }));
    write('with-builders.json', JSON.stringify({ packages: { ...runtime, ...builders } }));
    program(
      'npm',
      'echo "$@" >> npm-calls; mkdir -p node_modules',
      'case "$*" in',
      '  *--omit=dev*) cp runtime.json node_modules/.package-lock.json;;',
      '  *--workspace*) cp with-builders.json node_modules/.package-lock.json;;',
      '  *) cp package-lock.json node_modules/.package-lock.json;;',
      'esac',
      'mkdir -p node_modules/node/bin',
      `ln -sf ${process.execPath} node_modules/node/bin/node`,
    );
  });

  test('leaves out the tools of tests', async () => {
    expect((await bootstrap('--run')).code).toBe(0);
    expect(npmArguments()).toEqual(['--omit=dev', '--workspace=vector/kernel --workspace=clients/console']);
    expect(await bootstrap('--run')).toEqual({ code: 0, output: '' });
  });

  test('installs again what builds, where that alone is missing', async () => {
    installed(runtime);
    expect((await bootstrap('--run')).code).toBe(0);
    expect(npmArguments()).toEqual(['--workspace=vector/kernel --workspace=clients/console']);
  });

  test('takes nothing away from a clone that has everything', async () => {
    installed({ ...runtime, 'node_modules/vitest': { version: '4.0.0', integrity: 'sha512-s' } });
    expect((await bootstrap('--run')).code).toBe(0);
    expect(npmArguments()).toEqual(['']);
  });

  test('every other script installs the rest', async () => {
    await bootstrap('--run');
    expect((await bootstrap()).code).toBe(0);
    expect(npmArguments().at(-1)).toBe('');
    expect(await bootstrap('--run')).toEqual({ code: 0, output: '' });
  });
});

describe('building the kernel', () => {
  test('runs its build on the pinned runtime', async () => {
    installed();
    write('vector/kernel/build.mjs', "console.log('built');");
    expect(await bootstrap()).toEqual({ code: 0, output: 'built\n' });
  });

  test('a failed build stops the script, and the next start tries again', async () => {
    installed();
    write('vector/kernel/build.mjs', 'process.exit(1);');
    expect((await bootstrap()).code).toBe(1);
    write('vector/kernel/build.mjs', '');
    expect((await bootstrap()).code).toBe(0);
  });
});

describe('several starts at once', () => {
  test('install once', async () => {
    const results = await Promise.all([bootstrap(), bootstrap(), bootstrap()]);
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(npmCalls()).toBe(1);
  });

  test('a start that was killed holds up no other', async () => {
    installed();
    const killed = spawn('sleep', ['60']);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    write('.cache/bootstrap.lock', String(killed.pid));
    expect(await bootstrap()).toEqual({ code: 0, output: '' });
    expect(existsSync(join(root, '.cache/bootstrap.lock'))).toBe(false);
  });
});
