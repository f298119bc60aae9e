// SPDX-License-Identifier: Apache-2.0
/** What every place of uploads must do, and the connector over it. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { OpenConnection } from '../connector.ts';
import type { UploadArea } from './upload-area.ts';
import { createUploadConnector } from './upload-connector.ts';

/** An empty place. */
export type UploadPlace = AsyncDisposable & {
  /** As another process opens it. */
  readonly open: () => Promise<UploadArea>;
  /** Paths or keys of all that lies there. */
  readonly everything: () => Promise<readonly string[]>;
};

const signal = new AbortController().signal;

export async function* body(...chunks: readonly string[]) {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

function connectionOf(owner: string): OpenConnection {
  return { id: 0, type: 'UPLOAD', payload: { owner }, credential: null };
}

export function uploadAreaConformance(name: string, start: (directory: string) => Promise<UploadPlace>): void {
  describe(`uploads in ${name}`, () => {
    let directory: TemporaryDirectory;
    let place: UploadPlace;
    let area: UploadArea;
    let scratch: string;
    beforeEach(async () => {
      directory = await temporaryDirectory();
      place = await start(join(directory.path, 'place'));
      area = await place.open();
      scratch = join(directory.path, 'scratch');
      await mkdir(scratch);
    });
    afterEach(async () => {
      await place[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    });

    test('what was sent is kept under an id of its own, with its size and hash', async () => {
      const sent = 'id,name\n1,a\n';
      const upload = await area.receive('acme', body('id,name\n', '1,a\n'), { name: '../../etc/Orders.CSV', bytesMax: 100 });
      expect(upload).toMatchObject({ bytes: 12, sha256: createHash('sha256').update(sent).digest('hex') });
      expect(upload.id).toMatch(/^[0-9a-f-]{36}\.csv$/);
      const other = await place.open();
      {
        await using file = await other.open('acme', upload.id, { signal, temporaryDirectory: scratch, bytesMax: 100 });
        expect(await readFile(file.path, 'utf8')).toBe(sent);
        expect(file).toMatchObject({ name: 'upload.csv', bytes: 12 });
        expect(file.modifiedAt?.getTime()).toBeGreaterThan(Date.now() - 600_000);
      }
      expect(await readdir(scratch)).toEqual([]);
      await using source = await other.look('acme', upload.id, signal);
      expect(source).toMatchObject({ name: 'upload.csv', bytes: 12 });
      const ranges = [0, 3, 7, 8, 11, 12, 40].flatMap((begin) => [0, 1, 5, 12, 99].map((length) => ({ begin, end: begin + length })));
      for (const { begin, end } of ranges) expect(Buffer.from(await source.slice(begin, end)).toString()).toBe(sent.slice(begin, end));
    });

    test('an empty body is an empty file', async () => {
      const { id, bytes } = await area.receive('acme', body(), { name: 'a.csv', bytesMax: 9 });
      await using file = await area.open('acme', id, { signal, temporaryDirectory: scratch, bytesMax: 100 });
      expect([bytes, await readFile(file.path, 'utf8')]).toEqual([0, '']);
    });

    test('an upload above the limit leaves nothing behind', async () => {
      const before = await place.everything();
      const upload = area.receive('acme', body('12345', '67890'), { name: 'a.csv', bytesMax: 9 });
      await expect(upload).rejects.toMatchObject({ name: 'UploadError', reason: 'too_large' });
      expect(await place.everything()).toEqual(before);
    });

    test('an upload whose sender goes away leaves nothing behind', async () => {
      const before = await place.everything();
      const broken = async function* () {
        yield Buffer.from('id\n1\n2\n3\n4\n');
        throw new Error('connection lost');
      };
      await expect(area.receive('acme', broken(), { name: 'a.csv', bytesMax: 99 })).rejects.toThrow('connection lost');
      const stop = new AbortController();
      const endless = async function* () {
        yield Buffer.from('id\n1\n2\n3\n4\n');
        stop.abort(new Error('cancelled'));
        yield* body(...Array.from({ length: 1000 }, () => 'x'));
      };
      await expect(area.receive('acme', endless(), { name: 'a.csv', bytesMax: 9999, signal: stop.signal })).rejects.toThrow();
      expect(await place.everything()).toEqual(before);
    });

    test('a place has the identity that it was given, for all who open it', async () => {
      expect(await area.identity()).toBeUndefined();
      await area.claim('one');
      expect(await (await place.open()).identity()).toBe('one');
      expect(await area.list('acme')).toEqual([]);
      expect(await area.removeUnfinished(Number.POSITIVE_INFINITY)).toBe(0);
      expect(await area.identity()).toBe('one');
    });

    test.each(['..', '.incoming', 'a/b', '', 'a\0', '../acme', `${'a'.repeat(200)}`])('%j owns no uploads', async (owner) => {
      await expect(area.receive(owner, body('x'), { name: 'a.csv', bytesMax: 9 })).rejects.toThrow('cannot own uploads');
      await expect(area.list(owner)).rejects.toThrow('cannot own uploads');
    });

    test('uploads are listed and removed, and a wrong id removes nothing', async () => {
      const one = await area.receive('acme', body('id\n'), { name: 'a.csv', bytesMax: 99 });
      const other = await area.receive('acme-2', body('id\n1\n'), { name: 'a.csv', bytesMax: 99 });
      expect(await area.list('acme')).toMatchObject([{ id: one.id, bytes: 3 }]);
      expect(await area.list('acme', { changedBeforeMs: 2_000_000 })).toEqual([]);
      await area.remove('acme', `../acme-2/${other.id}`);
      await area.remove('acme', other.id);
      await area.remove('acme', one.id);
      expect(await area.list('acme')).toEqual([]);
      expect(await area.list('acme-2')).toMatchObject([{ id: other.id, bytes: 5 }]);
      expect(await area.list('nobody')).toEqual([]);
      expect((await place.everything()).filter((path) => path.includes(one.id))).toEqual([]);
    });

    describe('an asset of an upload', () => {
      test('is opened, listed and described by its owner alone', async () => {
        const connector = createUploadConnector(area, 1000);
        const { id } = await area.receive('acme', body('{"id": 1}\n{"id": 2}\n'), { name: 'a.jsonl', bytesMax: 99 });
        const location = { payload: { upload_id: id } };
        connector.validateAsset(location.payload);
        {
          await using opened = await connector.open(connectionOf('acme'), location, { signal, temporaryDirectory: scratch });
          expect(opened.data).toMatchObject({ kind: 'files', format: { kind: 'ndjson' } });
          await opened.confirmUnchanged();
        }
        expect(await readdir(scratch)).toEqual([]);
        expect(await connector.list(connectionOf('acme'), { limit: 5, signal })).toMatchObject([{ payload: { upload_id: id }, bytes: 20 }]);
        expect(await connector.list(connectionOf('new'), { limit: 5, signal })).toEqual([]);
        expect(await connector.describe(connectionOf('acme'), location, signal)).toMatchObject({
          columns: [{ name: 'id', data_type: 'INTEGER' }],
          bytes: 20,
        });
        await expect(connector.describe(connectionOf('other'), location, signal)).rejects.toMatchObject({ name: 'SourceError' });
      });

      test('of a kind that is not read is refused by the member that names it, without an id that nobody chose', async () => {
        const { id } = await area.receive('acme', body('BZh91AY&SY'), { name: 'a.csv', bytesMax: 99 });
        const refused = createUploadConnector(area, 1000).describe(connectionOf('acme'), { payload: { upload_id: id } }, signal);
        await expect(refused).rejects.toMatchObject({
          member: 'payload.upload_id',
          message: expect.stringMatching(/^upload\.csv is compressed with bzip2, which is not supported/),
        });
      });

      test.each(['../acme/x', 'x', '', '.incoming'])('with the id %j is refused', (id) => {
        expect(() => createUploadConnector(area, 1000).validateAsset({ upload_id: id })).toThrow('payload.upload_id');
      });
    });
  });
}
