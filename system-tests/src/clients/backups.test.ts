// SPDX-License-Identifier: Apache-2.0
/** A restore drill: everything that both services keep is backed up, verified, lost, and restored, and answers as before. */
import { randomBytes } from 'node:crypto';
import { watch } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { stringifyJson } from '@sextant/foundation-std';
import { type ChildServer, isLongRun, type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import S3rver from 's3rver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startObservabilityServer } from '../observability/observability-server.ts';
import { observabilityAnswers, seedObservability } from '../upgrades/seeded-observability.ts';
import { answersOf, seedVectors } from '../upgrades/seeded-vectors.ts';
import { startVectorServer } from '../vector-server.ts';
import { environmentOf, type Run, sextant, sextantProcess } from './sextant.ts';

let directory: TemporaryDirectory;
let vector: ChildServer;
let observability: ChildServer;

const at = (...steps: readonly string[]) => join(directory.path, ...steps);
/** Of the object store, once there is one. */
let storeEnvironment = {};
const withKey = (args: readonly string[]) => ['backup', ...args, '--key-file', at('key'), '--json'];
const environment = () => environmentOf(directory.path, { SEXTANT_URL: vector.address, ...storeEnvironment });
const run = (...args: readonly string[]) => sextant(withKey(args), environment());
/** As people have it, in a process of its own: what verifies starts a service beside itself, which takes half as long from the bundle. */
const verify = (...args: readonly string[]) => sextantProcess(withKey(['verify', ...args]), environment());

const result = <Value>(...args: readonly string[]) => resultOf<Value>(run(...args));

async function resultOf<Value>(running: Promise<Pick<Run, 'code' | 'stdout' | 'stderr'>>): Promise<Value> {
  const { code, stdout, stderr } = await running;
  if (code !== 0) throw new Error(`it ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as Value;
}

beforeAll(async () => {
  directory = await temporaryDirectory();
  await writeFile(at('key'), randomBytes(32), { mode: 0o600 });
  [vector, observability] = await Promise.all([
    startVectorServer({ directory: at('vector'), environment: { SERVICE_THREADS: '1', SERVICE_CAPABILITIES: 'all' } }),
    startObservabilityServer({ directory: at('observability') }),
  ]);
  await seedVectors(vector);
  await seedObservability(observability);
});
afterAll(async () => {
  await vector.stop();
  await observability.kill();
  await directory[Symbol.asyncDispose]();
});

type Verdict = { readonly what: string; readonly records: number | null; readonly fault?: string };

test('what was lost is there again', async () => {
  const before = [asJson(await answersOf(vector)), asJson(await observabilityAnswers(observability))];
  await mkdir(at('backups'));
  const written = new Set<string>();
  const watcher = watch(at('backups'), { recursive: true }, (_event, file) => written.add(basename(String(file))));
  const { backup } = await result<{ readonly backup: string }>('run', at('backups'), '--observability-dir', at('observability'));
  watcher.close();
  // Where backups are kept, nothing is ever written that the key does not close.
  expect(
    [...written].filter(
      (file) => !/^(?:manifest\.json|metadata\.sqlite|collection-\d+\.snapshot|file-\d+|20[\dTZ-]+(?:\.part)?)$/.test(file),
    ),
  ).toEqual([]);
  expect(await result('sets', at('backups'))).toMatchObject([{ backup, collections: 4, observability: true, encrypted: true }]);
  expect((await readFile(at('backups', backup, 'collection-1.snapshot'))).includes('Basel')).toBe(false);

  const { verdicts } = await resultOf<{ readonly verdicts: readonly Verdict[] }>(verify(at('backups')));
  expect(verdicts.filter(({ fault }) => fault !== undefined)).toEqual([]);
  expect(Object.fromEntries(verdicts.map(({ what, records }) => [what, records]))).toMatchObject({
    plain: 40,
    named: 40,
    coded: 40,
    empty: 0,
  });

  for (const name of ['plain', 'named', 'coded', 'empty']) await vector.client.request('DELETE', `/collections/${name}`);
  await observability.stop();
  await rm(at('observability'), { recursive: true });
  await result('restore', at('backups'));
  await result('restore', at('backups'), '--observability-dir', at('observability'));
  observability = await startObservabilityServer({ directory: at('observability') });
  expect([asJson(await answersOf(vector)), asJson(await observabilityAnswers(observability))]).toEqual(before);
});

test('nothing that is there is replaced without a word', async () => {
  const there = await run('restore', at('backups'));
  expect([there.code, there.stderr]).toEqual([2, expect.stringContaining('this would replace the collection')]);
  const running = await run('restore', at('backups'), '--yes', '--observability-dir', at('observability'));
  expect([running.code, running.stderr]).toEqual([2, expect.stringContaining('is in use by process')]);
  expect(await result('restore', at('backups'), '--yes', '--collections', 'coded')).toMatchObject({
    collections: [{ name: 'coded', points: 40 }],
  });
});

test('what is damaged is named, another key opens nothing, and old backups go', async () => {
  const { backup } = await result<{ readonly backup: string }>('run', at('backups'));
  const file = (index: number) => at('backups', backup, `collection-${index}.snapshot`);
  const flipped = await readFile(file(0));
  flipped[1000] = (flipped[1000] ?? 0) ^ 1;
  await copyFile(file(0), file(3));
  await writeFile(file(0), flipped);
  await truncate(file(1), 40);
  await rm(file(2));
  // None of them comes so far that a service would start.
  const damaged = await run('verify', at('backups'));
  expect([damaged.code, damaged.stderr]).toEqual([8, expect.stringContaining('4 of 4 parts of the backup')]);
  const { verdicts } = JSON.parse(damaged.stdout) as { readonly verdicts: readonly Verdict[] };
  expect(verdicts.map(({ fault }) => fault)).toEqual([
    expect.stringContaining('cannot be decrypted: it is damaged, or was encrypted with another key'),
    expect.stringContaining('is truncated'),
    expect.stringContaining('cannot be read'),
    expect.stringContaining('was changed after it was written: its checksum differs'),
  ]);

  const manifest = at('backups', backup, 'manifest.json');
  await writeFile(manifest, (await readFile(manifest, 'utf8')).replace('collection-1', 'collection-2'));
  const sets = await run('sets', at('backups'));
  expect([sets.code, sets.stderr]).toEqual([7, expect.stringContaining('1 of 2 backups')]);
  expect(JSON.parse(sets.stdout)).toEqual([
    expect.objectContaining({ encrypted: true }),
    { backup, fault: expect.stringContaining('was changed, or was written with another key') },
  ]);
  await rm(at('backups', backup), { recursive: true });

  const kept = await result<{ readonly backup: string; readonly removed: readonly string[] }>('run', at('backups'), '--keep', '1');
  expect(kept.removed).toHaveLength(1);
  expect(await readdir(at('backups'))).toEqual([kept.backup]);
});

test('a collection that shard keys divide is restored to the last point of each key', async () => {
  await using node = await startVectorServer({
    directory: at('keyed'),
    environment: {
      SERVICE_THREADS: '1',
      SERVICE_CAPABILITIES: 'all',
      SERVICE_CLUSTER_LOG: 'memory:',
      SERVICE_CLUSTER_NODE: 'north',
      SERVICE_CLUSTER_ADDRESS: 'http://127.0.0.1',
      SERVICE_CLUSTER_SECRET: 'the secret of the only node',
    },
  });
  const call = async (method: string, path: string, body: object) =>
    expect((await node.client.request(method, `/collections/orders${path}`, body)).status).toBe(200);
  await call('PUT', '', { vectors: { size: 1, distance: 'Dot' }, sharding_method: 'custom' });
  for (const [shard_key, shards_number, count] of [
    ['acme', 3, 30],
    [7, 1, 12],
  ] as const) {
    await call('PUT', '/shards', { shard_key, shards_number });
    const points = Array.from({ length: count }, (_, id) => ({ id, vector: [id], payload: { of: shard_key } }));
    await call('PUT', '/points', { shard_key, points });
  }
  const ofKeys = (...args: readonly string[]) => ['backup', ...args, at('of-keys'), '--json'];
  const environment = environmentOf(directory.path, { SEXTANT_URL: node.address });
  const { backup: name } = JSON.parse((await sextant(ofKeys('run'), environment)).stdout) as { readonly backup: string };
  // As if one more had been there: that those that were are restored is said with what is missing.
  const manifest = at('of-keys', name, 'manifest.json');
  const { collections, ...others } = JSON.parse(await readFile(manifest, 'utf8'));
  const withOneMore = collections.map((collection: object) => ({ ...collection, points: { before: 43, after: 43 } }));
  await writeFile(manifest, JSON.stringify({ ...others, collections: withOneMore }));
  const short = await sextantProcess(ofKeys('verify'), environment);
  expect([short.code, short.stdout]).toEqual([8, expect.stringContaining('42 points were restored, and 43 were there')]);
});

test('an object store holds backups as a folder does', async () => {
  const bucket = 'sextant-backups';
  await mkdir(at('bucket'));
  const store = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: at('bucket'),
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  const { port }: AddressInfo = await store.run();
  const place = `s3://${bucket}/nightly`;
  expect((await run('sets', place)).stderr).toContain('needs AWS_ACCESS_KEY_ID');
  storeEnvironment = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER', AWS_ENDPOINT_URL: `http://127.0.0.1:${port}` };
  try {
    const before = asJson(await answersOf(vector));
    const { backup } = await result<{ readonly backup: string }>('run', place, '--observability-dir', at('observability'));
    expect(await result('sets', place)).toMatchObject([{ backup, collections: 4, observability: true, encrypted: true }]);
    // It takes a service of its own, and reads as the restoring does.
    if (isLongRun()) {
      const { verdicts } = await resultOf<{ readonly verdicts: readonly Verdict[] }>(verify(place, backup));
      expect(verdicts.map(({ fault }) => fault).filter((fault) => fault !== undefined)).toEqual([]);
    }
    for (const name of ['plain', 'named']) await vector.client.request('DELETE', `/collections/${name}`);
    await result('restore', place, '--collections', 'plain,named', '--yes');
    expect(asJson(await answersOf(vector))).toEqual(before);
    const kept = await result<{ readonly backup: string; readonly removed: readonly string[] }>('run', place, '--keep', '1');
    expect(kept.removed).toEqual([backup]);
    expect(await result('sets', place)).toMatchObject([{ backup: kept.backup }]);
    expect((await run('restore', place, backup)).stderr).toContain(`there is no backup ${backup} at ${place}`);
    expect((await readdir(at('bucket', bucket, 'nightly'))).filter((name) => name !== kept.backup)).toEqual([]);
  } finally {
    await store.close();
  }
});

/** Numbers beyond 2^53 are exact, and compared as they are written. */
function asJson(value: unknown): unknown {
  return JSON.parse(stringifyJson(value).replaceAll(/:(\d{16,})([,}\]])/g, ':"$1"$2'));
}
