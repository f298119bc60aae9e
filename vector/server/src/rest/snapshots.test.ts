// SPDX-License-Identifier: Apache-2.0
/** Snapshots and recovery over HTTP. */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestServer, testServer } from '../testing/test-server.ts';

let server: TestServer;
let other: TestServer;
const capabilities = ['snapshots', 'recovery'];

beforeAll(async () => {
  server = await testServer({ capabilities });
  other = await testServer({ capabilities, allowPrivateNetworks: true });
  await server.call('PUT', '/collections/things', { vectors: { size: 2, distance: 'Dot' } });
  await server.call('PUT', '/collections/things/points', {
    points: [
      { id: 1, vector: [1, 2], payload: { a: 18014398509481985n } },
      { id: '936da01f-9abd-4d9d-80c7-02af85c822a8', vector: [3, 4] },
    ],
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
});

type Description = { readonly name: string; readonly size: number; readonly checksum: string };

const SNAPSHOTS = '/collections/things/snapshots';
const resultOf = async (method: string, path: string, body?: unknown, of = server) => {
  const reply = await of.call(method, path, body);
  expect([reply.status, reply.body]).toEqual([200, expect.anything()]);
  return (reply.body as { result: unknown }).result;
};
const refusalOf = (reply: { status: number; body: unknown }) => [reply.status, (reply.body as { status: { error: string } }).status.error];
const everything = (of: TestServer, collection = 'things') =>
  resultOf('POST', `/collections/${collection}/points/scroll`, { with_vector: true }, of);
const create = async () => (await resultOf('POST', SNAPSHOTS)) as Description;
const download = async (path: string) => Buffer.from(await (await fetch(server.url + path)).arrayBuffer());
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

function form(bytes: Uint8Array, field = 'snapshot'): FormData {
  const data = new FormData();
  data.set(field, new Blob([new Uint8Array(bytes)]), 'a.snapshot');
  return data;
}

describe('snapshots', () => {
  test('are made, listed, downloaded and deleted', async () => {
    const made = await create();
    expect(await resultOf('GET', SNAPSHOTS)).toEqual([made]);
    const response = await fetch(`${server.url}${SNAPSHOTS}/${made.name}`);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect([bytes.length, sha256(bytes)]).toEqual([made.size, made.checksum]);
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${made.name}"`);
    const head = await fetch(`${server.url}${SNAPSHOTS}/${made.name}`, { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe(String(made.size));
    expect(await resultOf('DELETE', `${SNAPSHOTS}/${made.name}`)).toBe(true);
    expect(await resultOf('GET', SNAPSHOTS)).toEqual([]);
    for (const method of ['GET', 'DELETE']) {
      expect(refusalOf(await server.call(method, `${SNAPSHOTS}/${made.name}`))).toEqual([404, `Snapshot not found: ${made.name}`]);
    }
  });

  test('of the whole storage are made, listed, downloaded and deleted', async () => {
    const made = (await resultOf('POST', '/snapshots')) as Description;
    expect(await resultOf('GET', '/snapshots')).toEqual([made]);
    expect(sha256(await download(`/snapshots/${made.name}`))).toBe(made.checksum);
    expect(await resultOf('DELETE', `/snapshots/${made.name}`)).toBe(true);
    expect(await resultOf('GET', '/snapshots')).toEqual([]);
  });

  test('are of collections that there are, also for who does not wait', async () => {
    for (const path of ['/collections/none/snapshots', '/collections/none/snapshots?wait=false']) {
      expect(refusalOf(await server.call('POST', path))).toEqual([404, 'Collection not found: none']);
    }
    expect((await server.call('GET', `${SNAPSHOTS}/..%2f..%2fsystem%2fdata.mdb`)).status).toBe(404);
    const accepted = await server.call('POST', `${SNAPSHOTS}?wait=false`);
    expect(accepted.status).toBe(202);
    expect(accepted.body).toEqual({ usage: { hardware: null }, time: expect.any(Number), status: 'accepted' });
  });
});

describe('a collection is recovered', () => {
  test('from an upload, on another server', async () => {
    const { name, checksum } = await create();
    const bytes = await download(`${SNAPSHOTS}/${name}`);
    const path = '/collections/things/snapshots/upload';
    expect(await resultOf('POST', `${path}?priority=snapshot&checksum=${checksum}&wait=true`, form(bytes), other)).toBe(true);
    expect(await everything(other)).toEqual(await everything(server));
    expect(refusalOf(await other.call('POST', `${path}?checksum=${'0'.repeat(64)}`, form(bytes)))).toEqual([
      400,
      `Nothing was recovered: checksum: expected ${'0'.repeat(64)}, but the file has ${checksum}`,
    ]);
    expect(refusalOf(await other.call('POST', path, form(bytes.subarray(0, 9000))))[0]).toBe(400);
    expect(refusalOf(await other.call('POST', path, form(bytes, 'file')))).toEqual([
      400,
      'body: the form has no file in the field "snapshot"',
    ]);
    expect(refusalOf(await other.call('POST', path, {}))[1]).toMatch(/^Content-Type: expected multipart/);
    expect(refusalOf(await other.call('POST', path, '--x\r\n', { 'content-type': 'multipart/form-data; boundary=x' }))[0]).toBe(400);
    expect(refusalOf(await other.call('POST', `${path}?priority=mine`, form(bytes)))[0]).toBe(400);
  });

  test('from the URL of another server, where private addresses are allowed', async () => {
    const { name, checksum } = await create();
    const location = `${server.url}${SNAPSHOTS}/${name}`;
    expect(await resultOf('PUT', '/collections/fetched/snapshots/recover', { location, checksum, priority: null }, other)).toBe(true);
    expect(await everything(other, 'fetched')).toEqual(await everything(server));
    const refused = refusalOf(await server.call('PUT', '/collections/fetched/snapshots/recover', { location }));
    expect(refused).toEqual([400, expect.stringContaining('Connections to 127.0.0.1 are not allowed')]);
  });

  test('from its own snapshots, by name or by file, and by an alias', async () => {
    const { name } = await create();
    const before = await everything(server);
    const spoil = () => server.call('POST', '/collections/things/points/delete', { filter: {} });
    await spoil();
    expect(await resultOf('PUT', `${SNAPSHOTS}/${name}/recover`)).toBe(true);
    expect(await everything(server)).toEqual(before);
    await spoil();
    const location = `file://${server.dataDirectory}/engine/snapshots/things/${name}`;
    expect(await resultOf('PUT', `${SNAPSHOTS}/recover`, { location })).toBe(true);
    expect(await everything(server)).toEqual(before);
    expect(refusalOf(await server.call('PUT', `${SNAPSHOTS}/none.snapshot/recover`, {}))).toEqual([
      404,
      'Snapshot not found: none.snapshot',
    ]);
  });

  test('from nowhere else', async () => {
    const elsewhere = 'Nothing was recovered: location: expected a file of the snapshots folder of this server';
    const kinds = 'location: expected a URL that begins with file://, http:// or https://';
    const refused: readonly [string, unknown][] = [
      ['file:///etc/passwd', elsewhere],
      [`file://${server.dataDirectory}/engine/snapshots/../system/data.mdb`, elsewhere],
      [`file://${server.dataDirectory}/engine/snapshots/things`, elsewhere],
      [`file://${server.dataDirectory}/engine/snapshots`, elsewhere],
      ['file://elsewhere/etc/passwd', 'location: expected file:// and an absolute path'],
      ['ftp://example.com/a', kinds],
      ['things', kinds],
      ['http://169.254.169.254/latest', expect.stringContaining('not allowed')],
    ];
    for (const [location, reason] of refused) {
      expect(refusalOf(await server.call('PUT', `${SNAPSHOTS}/recover`, { location })), location).toEqual([400, reason]);
    }
  });

  test('not from a URL that never comes to its end', async () => {
    await using bounded = await testServer({ capabilities, allowPrivateNetworks: true, recoverySeconds: 0.2 });
    const source = createServer((_request, response) => {
      const drip = setInterval(() => response.write('x'), 10);
      response.once('close', () => clearInterval(drip));
    });
    await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
    // A server that listens on a port has an AddressInfo.
    const { port } = source.address() as AddressInfo;
    const reply = await bounded.call('PUT', '/collections/none/snapshots/recover', { location: `http://127.0.0.1:${port}/` });
    source.close();
    expect(refusalOf(reply)).toEqual([400, expect.stringContaining('the download took longer than 0.2 s (SERVICE_RECOVERY_SECONDS)')]);
  });

  test('only from a URL that answers a whole file', async () => {
    const source = createServer((request, response) => {
      if (request.url === '/missing') response.writeHead(404).end();
      else if (request.url === '/cut') response.writeHead(200, { 'content-length': 5000 }).write('x'.repeat(100), () => response.destroy());
      else if (request.url === '/moved') response.writeHead(302, { location: 'file:///etc/passwd' }).end();
      else response.end('no snapshot');
    });
    await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
    // A server that listens on a port has an AddressInfo.
    const { port } = source.address() as AddressInfo;
    for (const [path, reason] of [
      ['missing', 'answered 404'],
      ['cut', 'location:'],
      ['moved', 'answered 302'],
      ['nonsense', 'not a tar archive'],
    ]) {
      const location = `http://127.0.0.1:${port}/${path}`;
      const reply = await other.call('PUT', '/collections/none/snapshots/recover', { location });
      expect(refusalOf(reply)).toEqual([400, expect.stringContaining(String(reason))]);
    }
    source.close();
    expect(await resultOf('GET', '/collections/none/exists', undefined, other)).toEqual({ exists: false });
  });
});
