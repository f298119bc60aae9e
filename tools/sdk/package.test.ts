// SPDX-License-Identifier: Apache-2.0
/** The package as it is published: built, packed, looked at by the tools that know what packages get wrong, and used. */
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
/** Within the repository, so that the package finds its dependencies. */
const CACHE = join(ROOT, '.cache');
/** Prints where the packages are that tests share; it is built where the sources have changed. */
const PACKED = join(ROOT, 'tools/packed/main.ts');
/** Their programs run in `system-tests/src/clients/typescript-pages.test.ts`, on the sources. */
const PAGES = ['sdk', 'migrating-from-qdrant'];

let directory: string;
let built: string;
let tarball: Uint8Array<ArrayBuffer>;

beforeAll(() => {
  mkdirSync(CACHE, { recursive: true });
  directory = mkdtempSync(join(CACHE, 'sdk-'));
  built = join(directory, 'node_modules/@sextant/sdk');
  const packed = spawnSync(process.execPath, [PACKED], { encoding: 'utf8' });
  const packages = packed.stdout.trim();
  const [name] = globSync('sextant-sdk-*.tgz', { cwd: packages });
  if (name === undefined) throw new Error(`npm packed nothing\n${packed.stdout}${packed.stderr}`);
  cpSync(join(packages, 'packages/sdk'), built, { recursive: true });
  tarball = new Uint8Array(readFileSync(join(packages, name)));
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

test('publint finds nothing', async () => {
  const { messages } = await publint({ pack: { tarball: tarball.buffer }, strict: true });
  expect(messages).toEqual([]);
});

test('its types are found by every way of resolving modules that knows ESM', async () => {
  const { types, ...analysis } = await checkPackage(createPackageFromTarballData(tarball));
  expect(types).toMatchObject({ kind: 'included' });
  // Of an ESM package, `require` gives a module of the other kind, and the resolution of Node 10 knows no `exports`.
  const expected = ['CJSResolvesToESM', 'NoResolution'];
  const problems = 'problems' in analysis ? analysis.problems : [];
  expect(problems.filter(({ kind }) => !expected.includes(kind))).toEqual([]);
  expect(problems.filter((problem) => problem.kind === 'NoResolution' && problem.resolutionKind !== 'node10')).toEqual([]);
});

test('its types stand alone, and the programs of its pages compile with them', () => {
  writeFileSync(
    join(directory, 'consumer.ts'),
    `import { filter, NotFoundError, Sextant, type PointStruct } from '@sextant/sdk';
const { vector, observability } = new Sextant({ vector: { apiKey: 'key' } });
const points: readonly PointStruct[] = [{ id: 2n ** 63n, vector: new Float32Array(3), payload: { city: 'Kyiv' } }];
const cities = vector.collection<{ readonly city: string }>('cities');
export const names: Promise<readonly (string | undefined)[]> = cities
  .upsert(points)
  .then(() => cities.search({ vector: [1, 2, 3], limit: 1, filter: filter.all(filter.field('city').is('Kyiv')) }))
  .then((hits) => hits.map(({ payload }) => payload?.city));
export const isMissing = (error: unknown) => error instanceof NotFoundError && error.status === 404;
export const jobs: Promise<string[]> = observability.listJobs({ asset_id: 'a' }).then((found) => found.map(({ status }) => status));
// @ts-expect-error an asset has a kind
void observability.createAsset({ project_id: 1, name: 'a', payload: {} });
`,
  );
  for (const page of PAGES) {
    const text = readFileSync(join(ROOT, `docs/how-to/clients/${page}.md`), 'utf8');
    const program = Array.from(text.matchAll(/^```ts\n(.*?)^```$/gms), ([, block]) => block).join('\n');
    expect(program).not.toBe('');
    writeFileSync(join(directory, `${page}.ts`), program);
  }
  const libraries = { target: 'es2024', lib: ['es2024', 'dom', 'dom.iterable'], types: [] };
  const compilerOptions = {
    module: 'nodenext',
    moduleResolution: 'nodenext',
    ...libraries,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
  };
  writeFileSync(
    join(directory, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['consumer.ts', ...PAGES.map((page) => `${page}.ts`)] }),
  );
  expect(compiled('tsconfig.json')).toBe('');
});

/** What the compiler has to say. */
function compiled(project: string): string {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  // Several threads would each work out the types of the contracts.
  return spawnSync(process.execPath, [compiler, '--singleThreaded', '--project', join(directory, project)], { encoding: 'utf8' }).stdout;
}

test('its types are those that the SDK computes from the contracts', () => {
  const types = [
    ['vector-types', 'VectorOperations'],
    ['observability-types', 'ObservabilityOperations'],
    ['observability-methods', 'ObservabilityMethods'],
  ];
  const lines = types.map(
    ([file, name]) => `
import type { ${name} as Built${name} } from '${join(built, `types/contract/${file}.d.ts`)}';
import type { ${name} } from '${join(ROOT, `clients/sdk/src/contract/${file}.ts`)}';
export const there${name}: (value: ${name}) => Built${name} = (value) => value;
export const back${name}: (value: Built${name}) => ${name} = (value) => value;
`,
  );
  writeFileSync(join(directory, 'equal.ts'), lines.join(''));
  writeFileSync(
    join(directory, 'tsconfig.equal.json'),
    JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), include: [], exclude: [], files: ['equal.ts'] }),
  );
  expect(compiled('tsconfig.equal.json')).toBe('');
});

test('the bundle for browsers is one file without imports, and holds neither gRPC nor schemas', () => {
  expect(readdirSync(join(built, 'browser'))).toEqual(['index.js']);
  const text = readFileSync(join(built, 'browser/index.js'), 'utf8');
  expect(text).not.toMatch(/^import |import\(|typebox|connectrpc|protobuf/m);
});

test('in Node, gRPC is loaded when it is first used', async () => {
  const { VectorClient } = await import(pathToFileURL(join(built, 'node/index.js')).href);
  const client = new VectorClient({ grpc: 'http://127.0.0.1:1', retry: { retries: 0 } });
  await expect(client.collection('c').count()).rejects.toMatchObject({ code: 'connection_failed', operation: 'qdrant.Points/Count' });
});
