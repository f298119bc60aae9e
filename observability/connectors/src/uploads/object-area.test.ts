// SPDX-License-Identifier: Apache-2.0
import { createOutboundGuard } from '@sextant/foundation-service';
import { systemClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import S3rver from 's3rver';
import { expect, test } from 'vitest';
import { type BoundStore, openBoundStore } from '../object-stores/bound-store.ts';
import { s3Stores } from '../s3/s3-store.ts';
import { openObjectArea } from './object-area.ts';
import { body, uploadAreaConformance } from './upload-area.conformance.ts';
import { createUploadConnector } from './upload-connector.ts';

const BUCKET = 'uploads-bucket';
const PREFIX = 'data/';
/** So small that an upload of a test has several. */
const PART_BYTES = 7;
const signal = new AbortController().signal;

async function startStore(directory: string) {
  await using parts = new AsyncDisposableStack();
  const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets: [{ name: BUCKET, configs: [] }] });
  const { port } = await server.run();
  let isStopped = false;
  const stop = async () => {
    if (!isStopped) await server.close();
    isStopped = true;
  };
  parts.defer(stop);
  const guard = createOutboundGuard({ allowPrivateNetworks: true });
  parts.defer(() => guard.close());
  const payload = { bucket: BUCKET, endpoint: `http://127.0.0.1:${port}` };
  const credential = { type: 'AWS', payload: { access_key: 'S3RVER', secret_key: 'S3RVER' } } as const;
  const store = parts.use(openBoundStore(s3Stores(guard), { id: 0, type: 'S3', payload, credential }, systemClock));
  const everything = async () => {
    const keys: string[] = [];
    for await (const page of store.list('', signal)) keys.push(...page.map(({ key }) => key));
    return keys;
  };
  const held = parts.move();
  return { store, everything, stop, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

const areaOf = (store: BoundStore) => openObjectArea(store, { prefix: PREFIX, partBytes: PART_BYTES });

uploadAreaConformance('an object store', async (directory) => {
  const started = await startStore(directory);
  return { ...started, open: () => Promise.resolve(areaOf(started.store)) };
});

test('an upload is a row of objects below the prefix, its manifest the last', async () => {
  await using directory = await temporaryDirectory();
  await using started = await startStore(directory.path);
  const written: string[] = [];
  const watched: BoundStore = {
    ...started.store,
    write: (key, bytes, at) => {
      written.push(`${key.slice(-13)} ${bytes.byteLength}`);
      return started.store.write(key, bytes, at);
    },
  };
  const { id } = await areaOf(watched).receive('acme', body('1234567890', '', '123', '4'), { name: 'a.csv.gz', bytesMax: 99 });
  expect(written.map((part) => part.replace(/^.*\//, ''))).toEqual(['000000 7', '000001 7', expect.stringMatching(/^manifest\.json \d+$/)]);
  expect(await started.everything()).toEqual(['000000', '000001', 'manifest.json'].map((name) => `data/acme/${id}/${name}`));
});

test('what a crash left unfinished can be removed; what was acknowledged, is still written or is none of ours stays', async () => {
  await using directory = await temporaryDirectory();
  await using started = await startStore(directory.path);
  const area = areaOf(started.store);
  const { id } = await area.receive('acme', body('id\n1\n2\n3\n4\n'), { name: 'a.csv', bytesMax: 99 });
  await area.claim('one');
  const unfinished = `data/acme/${id.replace(/^./, id.startsWith('0') ? '1' : '0')}/000000`;
  const others = [`acme/${id}/000000`, 'data/acme/report.csv', `data/acme/x/000000`];
  for (const key of [unfinished, ...others]) await started.store.write(key, Buffer.from('id'), signal);
  expect(await area.removeUnfinished(2_000_000)).toBe(0);
  expect(await started.everything()).toContain(unfinished);
  expect(await area.removeUnfinished(Number.POSITIVE_INFINITY)).toBe(1);
  const left = ['000000', '000001', 'manifest.json'].map((name) => `data/acme/${id}/${name}`);
  expect((await started.everything()).toSorted()).toEqual(['data/.area', ...left, ...others].toSorted());
});

test('one whose removal breaks off is no upload any more, and the rest of it is removed later', async () => {
  await using directory = await temporaryDirectory();
  await using started = await startStore(directory.path);
  let removals = 0;
  const breaking: BoundStore = {
    ...started.store,
    remove: (key, at) => (++removals > 1 ? Promise.reject(new Error('broken')) : started.store.remove(key, at)),
  };
  const { id } = await areaOf(breaking).receive('acme', body('id\n1\n2\n3\n4\n'), { name: 'a.csv', bytesMax: 99 });
  await expect(areaOf(breaking).remove('acme', id)).rejects.toThrow('broken');
  const area = areaOf(started.store);
  expect(await area.list('acme')).toEqual([]);
  await expect(area.look('acme', id, signal)).rejects.toThrow('there is no such upload');
  expect(await area.removeUnfinished(Number.POSITIVE_INFINITY)).toBe(1);
  expect(await started.everything()).toEqual([]);
});

test('an upload that was changed or cut in the store is not read', async () => {
  await using directory = await temporaryDirectory();
  await using started = await startStore(directory.path);
  const area = areaOf(started.store);
  const changes: readonly ((folder: string) => Promise<void>)[] = [
    (folder) => started.store.write(`${folder}000000`, Buffer.from('id\n9\n2\n'), signal),
    (folder) => started.store.remove(`${folder}000001`, signal),
    (folder) => started.store.write(`${folder}manifest.json`, Buffer.from('{"bytes": "11"}'), signal),
    (folder) => started.store.write(`${folder}manifest.json`, Buffer.from('{"bytes"'), signal),
    (folder) => started.store.write(`${folder}manifest.json`, Buffer.alloc(2000, ' '), signal),
  ];
  for (const change of changes) {
    const { id } = await area.receive('acme', body('id\n1\n2\n3\n4\n'), { name: 'a.csv', bytesMax: 99 });
    await change(`data/acme/${id}/`);
    await expect(area.open('acme', id, { signal, temporaryDirectory: directory.path, bytesMax: 99 })).rejects.toMatchObject({
      member: 'payload.upload_id',
      message: expect.stringContaining('differs from the uploaded file'),
    });
  }
});

test('one that is larger than a scan may bring to this machine is refused before it is read', async () => {
  await using directory = await temporaryDirectory();
  await using started = await startStore(directory.path);
  const area = areaOf(started.store);
  const { id } = await area.receive('acme', body('id\n1\n2\n3\n'), { name: 'a.csv', bytesMax: 99 });
  const opened = createUploadConnector(area, 8).open(
    { id: 0, type: 'UPLOAD', payload: { owner: 'acme' }, credential: null },
    { payload: { upload_id: id } },
    { signal, temporaryDirectory: directory.path },
  );
  await expect(opened).rejects.toMatchObject({
    member: 'payload.upload_id',
    message: expect.stringContaining('larger than the limit of 8 bytes'),
  });
});

test('a store that is gone is named to the operator, not to the tenant', async () => {
  await using directory = await temporaryDirectory();
  await using started = await startStore(directory.path);
  const area = areaOf(started.store);
  const { id } = await area.receive('acme', body('id\n'), { name: 'a.csv', bytesMax: 99 });
  await started.stop();
  await expect(area.receive('acme', body('id\n'), { name: 'a.csv', bytesMax: 99 })).rejects.toMatchObject({
    name: 'UploadError',
    reason: 'unreachable',
  });
  const reading = area.open('acme', id, { signal, temporaryDirectory: directory.path, bytesMax: 99 });
  await expect(reading).rejects.toMatchObject({ name: 'SourceError', member: 'payload.upload_id' });
  await expect(reading).rejects.not.toThrow(/127\.0\.0\.1|bucket/);
  await expect(area.identity()).rejects.toThrow('the store cannot be reached');
});

test('more uploads than memory is kept for are refused, and the next one is received again', async () => {
  await using directory = await temporaryDirectory();
  await using started = await startStore(directory.path);
  const area = areaOf(started.store);
  const gate = Promise.withResolvers<void>();
  const slow = async function* () {
    yield Buffer.from('id\n');
    await gate.promise;
  };
  const receive = () => area.receive('acme', slow(), { name: 'a.csv', bytesMax: 99 });
  const running = Array.from({ length: 16 }, receive);
  await expect(receive()).rejects.toMatchObject({ name: 'UploadError', reason: 'busy' });
  gate.resolve();
  const ids = (await Promise.all(running)).map(({ id }) => id);
  expect((await area.list('acme')).map(({ id }) => id)).toEqual(ids.toSorted());
  await receive();
});
