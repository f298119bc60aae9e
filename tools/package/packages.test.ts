// SPDX-License-Identifier: Apache-2.0
/** The packages as they are published, looked at by the tool that knows what packages get wrong. That they install and run is a system test. */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publint } from 'publint';
import { beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../bundle/bundle.ts';
import { packedPackages } from './for-tests.ts';

let directory: string;

beforeAll(async () => {
  directory = await packedPackages();
});

test('there is a tarball of each', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly version: string };
  const names = readdirSync(directory).filter((file) => file.endsWith('.tgz'));
  expect(names.toSorted()).toEqual(['cli', 'sdk', 'sextant'].map((name) => `sextant-${name}-${version}.tgz`));
});

describe.each(['sextant', 'cli'])('@sextant/%s', (name) => {
  const folder = () => join(directory, 'packages', name);

  test('publint finds nothing', async () => {
    const [file = ''] = globSync(`sextant-${name}-*.tgz`, { cwd: directory });
    const tarball = new Uint8Array(readFileSync(join(directory, file)));
    const { messages } = await publint({ pack: { tarball: tarball.buffer }, strict: true });
    expect(messages).toEqual([]);
  });

  test('loads no web client of Node', () => {
    const texts = globSync('dist/*.mjs', { cwd: folder() }).map((file) => readFileSync(join(folder(), file), 'utf8'));
    expect(texts.some((text) => text.includes('getBuiltinModule("node:http")'))).toBe(true);
    expect(texts.filter((text) => /\bfrom ?["'](?:node:)?http["']/.test(text))).toEqual([]);
  });

  test('names no path of the machine that built it', () => {
    const texts = globSync('dist/*.mjs', { cwd: folder() });
    expect(texts.length).toBeGreaterThan(3);
    expect(texts.filter((file) => readFileSync(join(folder(), file), 'utf8').includes(ROOT))).toEqual([]);
  });

  test('passes on the licences of the libraries that it holds', () => {
    const text = readFileSync(join(folder(), 'THIRD-PARTY-LICENSES.md'), 'utf8');
    expect(text).toMatch(/^## commander \d/m);
    expect(text).toContain('Permission is hereby granted');
  });
});

test('the services depend on what no bundle can hold, in exact versions, and the clients of object stores are optional', () => {
  const manifest = JSON.parse(readFileSync(join(directory, 'packages/sextant/package.json'), 'utf8')) as {
    readonly dependencies: { readonly [name: string]: string };
    readonly peerDependencies: object;
    readonly peerDependenciesMeta: object;
  };
  expect(Object.keys(manifest.dependencies).toSorted()).toEqual(['@duckdb/node-bindings', 'lmdb', 'pg']);
  for (const version of Object.values(manifest.dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+/);
  const stores = ['@aws-sdk/client-s3', '@azure/storage-blob', '@google-cloud/storage'];
  expect(Object.keys(manifest.peerDependencies)).toEqual(expect.arrayContaining(stores));
  for (const store of stores) expect(manifest.peerDependenciesMeta).toMatchObject({ [store]: { optional: true } });
});

test('the command line alone has no services and no dependencies', () => {
  expect(JSON.parse(readFileSync(join(directory, 'packages/cli/package.json'), 'utf8'))).toMatchObject({ dependencies: {} });
  expect(existsSync(join(directory, 'packages/cli/dist/vector.mjs'))).toBe(false);
  expect(existsSync(join(directory, 'packages/sextant/dist/vector.mjs'))).toBe(true);
});
