// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { describe, expect, test } from 'vitest';
import type { AssetLocation, OpenConnection } from '../connector.ts';
import { createFileConnector } from './file-connector.ts';
import { openLocalFile } from './local-file.ts';

/** Node has no call for it. */
const MAKE_PIPE = 'mkfifo';
const signal = new AbortController().signal;

async function folder() {
  const directory = await temporaryDirectory();
  const allowed = join(directory.path, 'allowed');
  const scratch = join(directory.path, 'scratch');
  await mkdir(join(allowed, 'sub'), { recursive: true });
  await mkdir(scratch);
  await writeFile(join(directory.path, 'secret.csv'), 'id,secret\n1,x\n');
  const connector = createFileConnector({ allowedDirectories: [allowed], bytesMax: 1_000_000 });
  const connection: OpenConnection = { id: 1, type: 'FILE', payload: { directory: allowed }, credential: null };
  return {
    root: directory.path,
    allowed,
    connector,
    connection,
    open: (payload: AssetLocation['payload'], options: Omit<AssetLocation, 'payload'> = {}) =>
      connector.open(connection, { payload, ...options }, { signal, temporaryDirectory: scratch }),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

/** What the scan engine would read. */
async function contents(opened: Awaited<ReturnType<ReturnType<typeof createFileConnector>['open']>>) {
  if (opened.data.kind !== 'files') throw new Error('expected files');
  return Promise.all(opened.data.files.map(({ path }) => readFile(path)));
}

describe('files below an allowed directory', () => {
  test('a file is described by a sample and opened without a copy', async () => {
    await using files = await folder();
    await writeFile(join(files.allowed, 'sub', 'orders.csv'), 'id;name;price\n1;a;2.5\n2;b;3\n');
    await using opened = await files.open({ path: 'sub/orders.csv' });
    expect(opened.data).toMatchObject({ format: { kind: 'delimited', reading: { separator: ';', header: true } } });
    expect(opened.description.columns.map(({ name, data_type }) => `${name} ${data_type}`)).toEqual([
      'id INTEGER',
      'name STRING',
      'price DECIMAL',
    ]);
    expect(opened.description.bytes).toBe(28);
    expect(String((await contents(opened))[0])).toContain('2;b;3');
    expect(await files.connector.describe(files.connection, { payload: { path: 'sub/orders.csv' } }, signal)).toEqual(opened.description);
  });

  test('packed files are unpacked, whatever they lie beside', async () => {
    await using files = await folder();
    await writeFile(join(files.allowed, 'a-1.csv.gz'), gzipSync('id,name\n1,a\n'));
    await writeFile(join(files.allowed, 'a-2.csv'), 'id,name\n2,b\n');
    await writeFile(join(files.allowed, 'a-3.csv.zst'), zstdCompressSync('id,name\n3,c\n'));
    await using all = await files.open({ path: 'a-*' }, { resolveWildcards: true });
    expect(String(await contents(all))).toBe('id,name\n1,a\n,id,name\n2,b\n,id,name\n3,c\n');
  });

  test.each([
    ['UTF-16 with its mark', Buffer.from('\ufeffid,name\n1,Żółw\n', 'utf16le')],
    ['UTF-16 without', Buffer.from('id,name\n1,Zolw\n', 'utf16le')],
    ['big-endian UTF-16', Buffer.from('\ufeffid,name\n1,Żółw\n', 'utf16le').swap16()],
    ['Windows-1252', Buffer.from('id,name\n1,caf\u00e9\n', 'latin1')],
    ['packed UTF-16', gzipSync(Buffer.from('\ufeffid,name\n1,Żółw\n', 'utf16le'))],
  ])('%s becomes UTF-8', async (_name, bytes) => {
    await using files = await folder();
    await writeFile(join(files.allowed, 'a.csv'), bytes);
    await using opened = await files.open({ path: 'a.csv' });
    expect(opened.data).toMatchObject({ format: { reading: { separator: ',', header: true } } });
    expect(String((await contents(opened))[0]).replace('\ufeff', '')).toMatch(/^id,name\n1,(Żółw|Zolw|café)\n$/);
    expect(opened.description.columns.map(({ name }) => name)).toEqual(['id', 'name']);
  });

  test('temporary files go with the source', async () => {
    await using files = await folder();
    await writeFile(join(files.allowed, 'a.csv'), Buffer.from('\ufeffid,name\n', 'utf16le'));
    const opened = await files.open({ path: 'a.csv' });
    const [path = ''] = opened.data.kind === 'files' ? opened.data.files.map((file) => file.path) : [];
    await opened[Symbol.asyncDispose]();
    await expect(readFile(path)).rejects.toThrow('ENOENT');
  });

  test('one * stands for many files, in order, and not for folders above', async () => {
    await using files = await folder();
    for (const name of ['day-2.csv', 'day-1.csv', 'night.csv', 'sub/day-3.csv'])
      await writeFile(join(files.allowed, name), `id\n${name}\n`);
    await using opened = await files.open({ path: 'day-*.csv' }, { resolveWildcards: true });
    expect((await contents(opened)).map(String)).toEqual(['id\nday-1.csv\n', 'id\nday-2.csv\n']);
    await using deep = await files.open({ path: '*/day-3.csv' }, { resolveWildcards: true });
    expect((await contents(deep)).map(String)).toEqual(['id\nsub/day-3.csv\n']);
    await expect(files.open({ path: 'day-*.csv' })).rejects.toThrow('no readable file day-*.csv');
    await expect(files.open({ path: 'x-*.csv' }, { resolveWildcards: true })).rejects.toThrow('no file matches x-*.csv');
    await expect(files.open({ path: '*-*.csv' }, { resolveWildcards: true })).rejects.toThrow('only one *');
  });

  test('one that matches and cannot be read is not left out in silence; a folder without the file is', async () => {
    await using files = await folder();
    for (const name of ['a.csv', 'sub/day.csv']) await writeFile(join(files.allowed, name), 'id\n1\n');
    await using deep = await files.open({ path: '*/day.csv' }, { resolveWildcards: true });
    expect(await contents(deep)).toHaveLength(1);
    await symlink('loop.csv', join(files.allowed, 'loop.csv'));
    const refused = { name: 'SourceError', message: expect.stringContaining('no readable file loop.csv') };
    await expect(files.open({ path: '*.csv' }, { resolveWildcards: true })).rejects.toMatchObject(refused);
  });

  test('a file that changes while it is read says so', async () => {
    await using files = await folder();
    await writeFile(join(files.allowed, 'a.csv'), 'id\n1\n');
    await using opened = await files.open({ path: 'a.csv' });
    await opened.confirmUnchanged();
    await appendFile(join(files.allowed, 'a.csv'), '2\n');
    await expect(opened.confirmUnchanged()).rejects.toThrow('a.csv changed while it was read');
  });

  test('the list is bounded and holds files alone', async () => {
    await using files = await folder();
    for (const name of ['a.csv', 'b.csv', 'sub/c.csv']) await writeFile(join(files.allowed, name), 'id\n');
    await symlink(join(files.root, 'secret.csv'), join(files.allowed, 'link.csv'));
    const all = await files.connector.list(files.connection, { limit: 10, signal });
    expect(all.map(({ payload }) => payload)).toEqual([{ path: 'a.csv' }, { path: 'b.csv' }, { path: 'sub/c.csv' }]);
    expect(await files.connector.list(files.connection, { limit: 1, signal })).toHaveLength(1);
  });
});

describe('ways out of the allowed directory', () => {
  test.each(['../secret.csv', '/etc/passwd', 'sub/../../secret.csv', './a.csv', 'a\0.csv', '..', 'sub//a.csv', '..\\secret.csv'])(
    'the path %j is refused as it stands',
    async (path) => {
      await using files = await folder();
      expect(() => files.connector.validateAsset({ path })).toThrow('payload.path');
      await expect(files.open({ path })).rejects.toMatchObject({ name: 'SourceError', member: 'payload.path' });
    },
  );

  test('links that lead outside are not followed, neither files nor folders nor behind a *', async () => {
    await using files = await folder();
    await symlink(join(files.root, 'secret.csv'), join(files.allowed, 'link.csv'));
    await symlink(files.root, join(files.allowed, 'way'));
    await expect(files.open({ path: 'link.csv' })).rejects.toThrow('no readable file');
    await expect(files.open({ path: 'way/secret.csv' })).rejects.toThrow('no readable file');
    await expect(files.open({ path: '*/secret.csv' }, { resolveWildcards: true })).rejects.toThrow('no readable file');
    await expect(files.open({ path: 'way/*.csv' }, { resolveWildcards: true })).rejects.toThrow('no file matches');
  });

  test('a link that stays inside is followed', async () => {
    await using files = await folder();
    await writeFile(join(files.allowed, 'a.csv'), 'id\n');
    await symlink('a.csv', join(files.allowed, 'latest.csv'));
    await using opened = await files.open({ path: 'latest.csv' });
    expect(String(await contents(opened))).toBe('id\n');
  });

  test.skipIf(process.platform !== 'linux')('what was opened is what is read, whatever takes its place', async () => {
    await using files = await folder();
    await writeFile(join(files.allowed, 'a.csv'), 'id\n');
    await using file = await openLocalFile(files.allowed, 'a.csv');
    await rename(join(files.allowed, 'a.csv'), join(files.allowed, 'b.csv'));
    await symlink(join(files.root, 'secret.csv'), join(files.allowed, 'a.csv'));
    expect(String(await readFile(file.path))).toBe('id\n');
  });

  test('folders, devices and pipes are no files, and nobody waits for a writer', async () => {
    await using files = await folder();
    execFileSync(MAKE_PIPE, [join(files.allowed, 'pipe.csv')]);
    await symlink('/dev/zero', join(files.allowed, 'zero.csv'));
    for (const path of ['pipe.csv', 'zero.csv', 'sub']) await expect(files.open({ path })).rejects.toThrow('no readable file');
  });

  test.each([
    ['none is allowed', (root: string) => ({ allowed: [], directory: root })],
    ['it is above', (root: string) => ({ allowed: [join(root, 'allowed')], directory: root })],
    ['it is beside, with the same beginning', (root: string) => ({ allowed: [join(root, 'all')], directory: join(root, 'allowed') })],
    ['it is reached by ..', (root: string) => ({ allowed: [join(root, 'allowed')], directory: join(root, 'allowed', '..') })],
    ['it does not exist', (root: string) => ({ allowed: [join(root, 'allowed')], directory: join(root, 'allowed', 'missing') })],
    ['it is a link to the outside', (root: string) => ({ allowed: [join(root, 'allowed')], directory: join(root, 'allowed', 'way') })],
  ])('a directory is refused when %s', async (_name, make) => {
    await using files = await folder();
    await symlink(files.root, join(files.allowed, 'way'));
    await mkdir(join(files.root, 'all'));
    const { allowed, directory } = make(files.root);
    const connector = createFileConnector({ allowedDirectories: allowed, bytesMax: 1000 });
    const connection: OpenConnection = { ...files.connection, payload: { directory } };
    await expect(connector.test(connection, signal)).rejects.toThrow('not a directory that the operator allows');
    await expect(connector.list(connection, { limit: 1, signal })).rejects.toThrow('not a directory that the operator allows');
  });

  test('a directory that vanishes is said like one that never was', async () => {
    await using files = await folder();
    await files.connector.test(files.connection, signal);
    await rm(files.allowed, { recursive: true });
    await expect(files.connector.test(files.connection, signal)).rejects.toThrow('not a directory that the operator allows');
  });
});

describe('bounds', () => {
  test('a packed file that unpacks to more than the limit is refused', async () => {
    await using files = await folder();
    await writeFile(join(files.allowed, 'a-1.csv.gz'), gzipSync(`id,n\n${'1,2\n'.repeat(500_000)}`));
    await writeFile(join(files.allowed, 'a-2.csv'), 'id,n\n1,2\n');
    await expect(files.open({ path: 'a-*' }, { resolveWildcards: true })).rejects.toThrow('larger than the limit of 1000000 bytes');
  });

  test('a file above the limit is refused', async () => {
    await using files = await folder();
    await writeFile(join(files.allowed, 'a.csv'), 'x'.repeat(1_000_001));
    await expect(files.open({ path: 'a.csv' })).rejects.toThrow('larger than the limit of 1000000 bytes');
  });
});
