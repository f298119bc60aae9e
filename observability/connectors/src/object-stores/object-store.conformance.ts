// SPDX-License-Identifier: Apache-2.0
/** What every object store must do, run against a real server of its protocol. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Credential } from '@sextant/contracts-observability';
import { createOutboundGuard, type OutboundGuard } from '@sextant/foundation-service';
import { systemClock } from '@sextant/foundation-std';
import { type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AssetLocation, OpenConnection } from '../connector.ts';
import type { Payload } from '../payload.ts';
import type { ObjectStore, ObjectStoreKind } from './object-store.ts';
import { createObjectStoreConnector, type ObjectStoreConnector } from './object-store-connector.ts';

/** A server with one empty bucket. */
export type StoreServer = AsyncDisposable & {
  readonly payload: Payload;
  readonly credential: Credential | null;
  /** One that the server refuses; undefined where the server checks none. */
  readonly wrongCredential?: Credential;
  /** Whether a read may ask for one version of an object. */
  readonly knowsVersions: boolean;
  readonly put: (key: string, bytes: Uint8Array) => Promise<void>;
};

export type StoreUnderTest = {
  readonly stores: (outbound: OutboundGuard) => ObjectStoreKind;
  readonly start: () => Promise<StoreServer>;
  /** The payload with another address of the server. */
  readonly at: (payload: Payload, address: string) => Payload;
};

const signal = new AbortController().signal;
const BYTES_MAX = 5_000_000;

export function objectStoreConformance(name: string, { stores, start, at }: StoreUnderTest): void {
  describe(`${name}, against a server of its protocol`, () => {
    const outbound = createOutboundGuard({ allowed: ['127.0.0.1'] });
    let server: StoreServer;
    let scratch: TemporaryDirectory;
    let connector: ObjectStoreConnector;
    let connection: OpenConnection;

    beforeAll(async () => {
      connector = createObjectStoreConnector(stores(outbound), { bytesMax: BYTES_MAX, clock: systemClock });
      scratch = await temporaryDirectory();
      server = await start();
      connection = { id: 1, type: connector.kind, payload: server.payload, credential: server.credential };
      await connector.validateConnection(connection.payload, connection.credential);
      await server.put('orders/day-1.csv', Buffer.from('id,name\n1,a\n'));
      await server.put('orders/day-2.csv', Buffer.from('id,name\n2,b\n'));
      await server.put('orders/old/day-3.csv', Buffer.from('id,name\n3,c\n'));
      await server.put('packed.csv.gz', gzipSync('id;price\n1;2.5\n'));
      await server.put('odd name +ä.json', Buffer.from('[{"id": 9007199254740993}]'));
    });
    afterAll(async () => {
      await server[Symbol.asyncDispose]();
      await scratch[Symbol.asyncDispose]();
      outbound.close();
    });

    const open = (path: string, options: Omit<AssetLocation, 'payload'> = {}, onProgress?: (read: number, total: number | null) => void) =>
      connector.open(
        connection,
        { payload: { path }, ...options },
        { signal, temporaryDirectory: scratch.path, ...(onProgress && { onProgress }) },
      );

    async function contents(path: string, options: Omit<AssetLocation, 'payload'> = {}): Promise<readonly string[]> {
      await using opened = await open(path, options);
      if (opened.data.kind !== 'files') throw new Error('expected files');
      return await Promise.all(opened.data.files.map(({ path: file }) => readFile(file, 'utf8')));
    }

    test('a connection that works passes its test', async () => {
      await connector.test(connection, signal);
    });

    test('objects are listed with their size and time, up to the limit', async () => {
      const items = await connector.list(connection, { limit: 10, signal });
      expect(items.map(({ payload }) => payload.path)).toEqual([
        'odd name +ä.json',
        'orders/day-1.csv',
        'orders/day-2.csv',
        'orders/old/day-3.csv',
        'packed.csv.gz',
      ]);
      expect(items[1]).toMatchObject({ bytes: 12, modified_at: expect.stringMatching(/^\d{4}-.*Z$/) });
      expect(await connector.list(connection, { limit: 2, signal })).toHaveLength(2);
    });

    test('an object is described by its beginning', async () => {
      const description = await connector.describe(connection, { payload: { path: 'packed.csv.gz' } }, signal);
      expect(description.columns).toMatchObject([
        { name: 'id', data_type: 'INTEGER' },
        { name: 'price', data_type: 'DECIMAL' },
      ]);
      expect(description.modified_at).toMatch(/^\d{4}-.*Z$/);
    });

    test('an object is opened as it is, and its name may be anything', async () => {
      expect(await contents('orders/day-1.csv')).toEqual(['id,name\n1,a\n']);
      expect(await contents('odd name +ä.json')).toEqual(['[{"id": 9007199254740993}]']);
      await using packed = await open('packed.csv.gz');
      expect(packed.data).toMatchObject({ format: { kind: 'delimited', reading: { separator: ';', header: true } } });
    });

    test('a * stands for many objects, not for folders', async () => {
      expect(await contents('orders/day-*.csv', { resolveWildcards: true })).toEqual(['id,name\n1,a\n', 'id,name\n2,b\n']);
      await expect(contents('none-*.csv', { resolveWildcards: true })).rejects.toThrow('no file matches none-*.csv');
    });

    test('a larger object streams in pieces, reports its progress, and leaves no file behind', async () => {
      const bytes = Buffer.concat([Buffer.from('id\n'), Buffer.from(randomBytes(1_500_000).toString('hex'))]);
      await server.put('large.csv', bytes);
      const progress: number[] = [];
      const opened = await open('large.csv', {}, (read, total) => {
        expect(total).toBe(bytes.byteLength);
        progress.push(read);
      });
      const [path = ''] = opened.data.kind === 'files' ? opened.data.files.map((file) => file.path) : [];
      expect((await readFile(path)).equals(bytes)).toBe(true);
      expect(progress.at(-1)).toBe(bytes.byteLength);
      expect(progress.length).toBeGreaterThan(1);
      await opened[Symbol.asyncDispose]();
      await expect(readFile(path)).rejects.toThrow('ENOENT');
    });

    test('an object above the limit is refused before it is read', async () => {
      await server.put('huge.csv', Buffer.alloc(BYTES_MAX + 1, 'x'));
      await expect(open('huge.csv')).rejects.toThrow(`larger than the limit of ${BYTES_MAX} bytes`);
    });

    test('an object that changes between its check and its reading is reported', async (context) => {
      if (!server.knowsVersions) return context.skip('the server knows no versions');
      await server.put('moving.csv', Buffer.from('id\n1\n'));
      const store = stores(outbound).openStore(connection.payload, connection.credential);
      const before = await store.head('moving.csv', signal);
      await server.put('moving.csv', Buffer.from('id\n2\n'));
      const read = async () => {
        for await (const _chunk of await store.read(before, undefined, signal));
      };
      const problem = await read().then(() => 'none', store.problemOf);
      // A store that keeps no old versions says that this one is missing.
      expect(['changed', 'no_object']).toContain(problem);
    });

    test('reports can be written, and the proof of it goes again', async () => {
      await expect(connector.testWrite(connection, '/reports/', signal)).rejects.toMatchObject({ name: 'SourceError', member: 'path' });
      await server.put('reports/.keep', Buffer.from(''));
      await connector.testWrite(connection, '/reports/', signal);
      await connector.write(connection, 'reports/today.csv', Buffer.from('score\n1\n'), signal);
      expect(await contents('reports/today.csv')).toEqual(['score\n1\n']);
      const keys = (await connector.list(connection, { limit: 100, signal })).map((item) => item.name);
      expect(keys.filter((key) => key.startsWith('reports/')).sort()).toEqual(['reports/.keep', 'reports/today.csv']);
    });

    test('the proof goes also when its caller is gone', async () => {
      await server.put('left/.keep', Buffer.from(''));
      const caller = new AbortController();
      const leaving = connectorWith((store) => ({
        write: async (...write) => {
          await store.write(...write);
          caller.abort();
        },
      }));
      await expect(leaving.testWrite(connection, 'left', caller.signal)).rejects.toMatchObject({ name: 'AbortError' });
      const keys = (await connector.list(connection, { limit: 100, signal })).map((item) => item.name);
      expect(keys.filter((key) => key.startsWith('left/'))).toEqual(['left/.keep']);
    });

    test('a credential that may write and not delete is enough for reports', async () => {
      await server.put('append/.keep', Buffer.from(''));
      const appending = connectorWith(() => ({ remove: () => Promise.reject(new Error('denied')) }));
      await appending.testWrite(connection, 'append', signal);
    });

    /** The connector under test, with what a test makes of its store. */
    function connectorWith(change: (store: ObjectStore) => Partial<ObjectStore>): ObjectStoreConnector {
      const real = stores(outbound);
      const openStore: ObjectStoreKind['openStore'] = (...given) => {
        const store = real.openStore(...given);
        return { ...store, ...change(store) };
      };
      return createObjectStoreConnector({ ...real, openStore }, { bytesMax: BYTES_MAX, clock: systemClock });
    }

    test('a missing object and a missing bucket are distinguished', async () => {
      await expect(open('missing.csv')).rejects.toMatchObject({ name: 'SourceError', member: 'payload.path' });
      const elsewhere = { ...connection, payload: { ...connection.payload, bucket: 'missing-bucket' } };
      await expect(connector.test(elsewhere, signal)).rejects.toMatchObject({ name: 'SourceError', member: 'payload.bucket' });
      await expect(connector.describe(elsewhere, { payload: { path: 'a.csv' } }, signal)).rejects.toMatchObject({
        member: 'payload.bucket',
      });
    });

    test('a wrong credential is refused in words', async (context) => {
      if (server.wrongCredential === undefined) return context.skip('the server checks no credential');
      const wrong = { ...connection, credential: server.wrongCredential };
      await expect(connector.test(wrong, signal)).rejects.toMatchObject({ name: 'SourceError', member: 'credential' });
    });

    test('an address that the operator does not allow is never connected to', async () => {
      const guarded = createOutboundGuard();
      const fenced = createObjectStoreConnector(stores(guarded), { bytesMax: BYTES_MAX, clock: systemClock });
      await expect(fenced.test(connection, signal)).rejects.toThrow('are not allowed');
      guarded.close();
      // Some SDKs hold one guard for the whole process.
      stores(outbound);
    });

    describe('beside a server that misbehaves', () => {
      let rogue: Server;
      let address: string;
      let asked = 0;
      let behave: 'redirect' | 'silent' = 'redirect';
      beforeAll(async () => {
        rogue = createServer((_incoming, outgoing) => {
          asked += 1;
          if (behave === 'redirect') outgoing.writeHead(307, { location: 'http://127.0.0.2:9/latest/meta-data' }).end();
        });
        await new Promise<void>((resolve) => rogue.listen(0, '127.0.0.1', resolve));
        // A server that listens on a port has an AddressInfo.
        address = `http://127.0.0.1:${(rogue.address() as AddressInfo).port}`;
      });
      afterAll(() => {
        rogue.closeAllConnections();
        rogue.close();
      });

      test('a redirect to an inner address fails', async () => {
        behave = 'redirect';
        const misled = { ...connection, payload: at(connection.payload, address) };
        await expect(connector.test(misled, signal)).rejects.toMatchObject({ name: 'SourceError' });
        expect(asked).toBeGreaterThan(0);
      });

      test('a server that never answers is left when the scan is cancelled', async () => {
        behave = 'silent';
        const stop = new AbortController();
        const silent = { ...connection, payload: at(connection.payload, address) };
        const attempt = connector.test(silent, stop.signal);
        rogue.once('request', () => stop.abort(new Error('cancelled')));
        await expect(attempt).rejects.toThrow('cancelled');
      });

      test('a server that is not there is reported', async () => {
        const gone = { ...connection, payload: at(connection.payload, 'http://127.0.0.1:9') };
        await expect(connector.test(gone, signal)).rejects.toMatchObject({
          name: 'SourceError',
          member: `payload.${stores(outbound).addressMember}`,
        });
      });
    });
  });
}
