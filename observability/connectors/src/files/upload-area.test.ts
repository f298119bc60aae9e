// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { describe, expect, test } from 'vitest';
import type { OpenConnection } from '../connector.ts';
import { openUploadArea } from './upload-area.ts';
import { createUploadConnector } from './upload-connector.ts';

const signal = new AbortController().signal;

async function* body(...chunks: readonly string[]) {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

function connectionOf(owner: string): OpenConnection {
  return { id: 0, type: 'UPLOAD', payload: { owner }, credential: null };
}

describe('the upload area', () => {
  test('keeps what was sent, under an id of its own, with its size and hash', async () => {
    await using directory = await temporaryDirectory();
    const area = await openUploadArea(directory.path);
    const upload = await area.receive('acme', body('id,name\n', '1,a\n'), { name: '../../etc/Orders.CSV', bytesMax: 100 });
    expect(upload).toMatchObject({ bytes: 12, sha256: createHash('sha256').update('id,name\n1,a\n').digest('hex') });
    expect(upload.id).toMatch(/^[0-9a-f-]{36}\.csv$/);
    expect(String(await readFile(join(area.directoryOf('acme'), upload.id)))).toBe('id,name\n1,a\n');
    expect(await readdir(join(directory.path, '.incoming'))).toEqual([]);
  });

  test('an upload above the limit leaves nothing behind', async () => {
    await using directory = await temporaryDirectory();
    const area = await openUploadArea(directory.path);
    const upload = area.receive('acme', body('12345', '67890'), { name: 'a.csv', bytesMax: 9 });
    await expect(upload).rejects.toMatchObject({ name: 'UploadError', reason: 'too_large' });
    expect(await readdir(directory.path, { recursive: true })).toEqual(['.incoming']);
  });

  test('an upload whose sender goes away leaves nothing behind', async () => {
    await using directory = await temporaryDirectory();
    const area = await openUploadArea(directory.path);
    const broken = async function* () {
      yield Buffer.from('id\n');
      throw new Error('connection lost');
    };
    await expect(area.receive('acme', broken(), { name: 'a.csv', bytesMax: 99 })).rejects.toThrow('connection lost');
    const stop = new AbortController();
    const endless = async function* () {
      yield Buffer.from('id\n');
      stop.abort(new Error('cancelled'));
      yield* body(...Array.from({ length: 1000 }, () => 'x'));
    };
    await expect(area.receive('acme', endless(), { name: 'a.csv', bytesMax: 9999, signal: stop.signal })).rejects.toThrow();
    expect(await readdir(directory.path, { recursive: true })).toEqual(['.incoming']);
  });

  test('what a crash left unfinished can be removed, what was acknowledged or is still written stays', async () => {
    await using directory = await temporaryDirectory();
    const before = await openUploadArea(directory.path);
    const { id } = await before.receive('acme', body('id\n'), { name: 'a.csv', bytesMax: 99 });
    const [old, fresh] = ['old', 'fresh'].map((name) => join(directory.path, '.incoming', name));
    for (const path of [old, fresh]) await writeFile(path ?? '', 'id');
    await utimes(old ?? '', 1000, 1000);
    const after = await openUploadArea(directory.path);
    expect(await after.removeUnfinished(2_000_000)).toBe(1);
    expect(await readdir(join(directory.path, '.incoming'))).toEqual(['fresh']);
    expect(await after.removeUnfinished(Number.POSITIVE_INFINITY)).toBe(1);
    expect(await readdir(after.directoryOf('acme'))).toEqual([id]);
    expect([await after.list('acme', { changedBeforeMs: 2_000_000 }), await after.list('acme')]).toEqual([[], [id]]);
  });

  test('an area has one identity for all who open it, and another than every other', async () => {
    await using directory = await temporaryDirectory();
    const [one, same, other] = await Promise.all(['a', 'a', 'b'].map((name) => openUploadArea(join(directory.path, name))));
    const identity = await one?.identity();
    expect(identity).toMatch(/^[0-9a-f-]{36}$/);
    expect(await same?.identity()).toBe(identity);
    expect(await other?.identity()).not.toBe(identity);
  });

  test.each(['..', '.incoming', 'a/b', '', 'a\0', '../acme', `${'a'.repeat(200)}`])('%j owns no uploads', async (owner) => {
    await using directory = await temporaryDirectory();
    const area = await openUploadArea(directory.path);
    await expect(area.receive(owner, body('x'), { name: 'a.csv', bytesMax: 9 })).rejects.toThrow('cannot own uploads');
  });

  test('uploads are listed and removed, and a wrong id removes nothing', async () => {
    await using directory = await temporaryDirectory();
    const area = await openUploadArea(directory.path);
    const one = await area.receive('acme', body('id\n'), { name: 'a.csv', bytesMax: 99 });
    const other = await area.receive('other', body('id\n'), { name: 'a.csv', bytesMax: 99 });
    await area.remove('acme', `../other/${other.id}`);
    await area.remove('acme', other.id);
    await area.remove('acme', one.id);
    expect(await readdir(area.directoryOf('acme'))).toEqual([]);
    expect(await readdir(area.directoryOf('other'))).toEqual([other.id]);
    expect(await area.list('other')).toEqual([other.id]);
    expect(await area.list('nobody')).toEqual([]);
  });
});

describe('assets of uploads', () => {
  test('are opened, listed and described by their owner alone', async () => {
    await using directory = await temporaryDirectory();
    const area = await openUploadArea(join(directory.path, 'uploads'));
    const scratch = join(directory.path, 'scratch');
    await mkdir(scratch);
    const connector = createUploadConnector(area, 1000);
    const { id } = await area.receive('acme', body('{"id": 1}\n{"id": 2}\n'), { name: 'a.jsonl', bytesMax: 99 });
    const location = { payload: { upload_id: id } };
    connector.validateAsset(location.payload);
    await using opened = await connector.open(connectionOf('acme'), location, { signal, temporaryDirectory: scratch });
    expect(opened.data).toMatchObject({ kind: 'files', format: { kind: 'ndjson' } });
    expect(await connector.list(connectionOf('acme'), { limit: 5, signal })).toMatchObject([{ payload: { upload_id: id } }]);
    expect(await connector.list(connectionOf('new'), { limit: 5, signal })).toEqual([]);
    expect(await connector.describe(connectionOf('acme'), location, signal)).toMatchObject({
      columns: [{ name: 'id', data_type: 'INTEGER' }],
    });
    await expect(connector.describe(connectionOf('other'), location, signal)).rejects.toThrow('no readable file');
  });

  test('of a kind that is not read are refused by the member that names them, without an id that nobody chose', async () => {
    await using directory = await temporaryDirectory();
    const area = await openUploadArea(directory.path);
    const { id } = await area.receive('acme', body('BZh91AY&SY'), { name: 'a.csv', bytesMax: 99 });
    const refused = createUploadConnector(area, 1000).describe(connectionOf('acme'), { payload: { upload_id: id } }, signal);
    await expect(refused).rejects.toMatchObject({
      member: 'payload.upload_id',
      message: expect.stringMatching(/^upload\.csv is compressed with bzip2, which is not read/),
    });
  });

  test.each(['../acme/x', 'x', '', '.incoming'])('the id %j is refused', async (id) => {
    await using directory = await temporaryDirectory();
    const connector = createUploadConnector(await openUploadArea(directory.path), 1000);
    expect(() => connector.validateAsset({ upload_id: id })).toThrow('payload.upload_id');
  });
});
