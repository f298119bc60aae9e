// SPDX-License-Identifier: Apache-2.0
/** Vector stores for tests: the official clients of LanceDB and Milvus and a Milvus, where `.ci/run` has put them, and PostgreSQL with pgvector. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';

const CACHE = new URL('../../../../.cache/', import.meta.url);
const KEPT_DATABASES = fileURLToPath(new URL('../../../../node_modules/.cache/postgresql-for-tests', import.meta.url));
const MILVUS = fileURLToPath(new URL('milvus/bin/milvus-lite', CACHE));
/** It imports a large part of the Python world; a busy machine takes minutes for that. */
export const MILVUS_START_TIMEOUT_MS = 300_000;

/** For `NODE_PATH`. */
export const VECTOR_CLIENTS = fileURLToPath(new URL('vector-clients/node_modules', CACHE));

export const hasLance = existsSync(`${VECTOR_CLIENTS}/@lancedb/lancedb`);
export const hasMilvus = existsSync(`${VECTOR_CLIENTS}/@zilliz/milvus2-sdk-node`) && existsSync(MILVUS);

type LanceTable = {
  add(rows: readonly object[]): Promise<unknown>;
  createIndex(column: string, options: object): Promise<void>;
};

export type LanceClient = {
  connect(directory: string): Promise<{
    createTable(name: string, rows: readonly object[], options?: object): Promise<LanceTable>;
  }>;
  readonly Index: { ivfFlat(options: object): unknown };
};

/** As far as tests write with it. */
export function lanceClient(): LanceClient {
  // The module of this package has these members.
  return loaded('@lancedb/lancedb') as LanceClient;
}

export type MilvusClientForTests = {
  createCollection(request: object): Promise<unknown>;
  insert(request: object): Promise<{ readonly status: { readonly error_code: unknown } }>;
  upsert(request: object): Promise<{ readonly status: { readonly error_code: unknown } }>;
  createIndex(request: object): Promise<unknown>;
  loadCollection(request: object): Promise<unknown>;
  closeConnection(): Promise<unknown>;
};

/** As far as tests write with it. */
export function milvusClient(port: number): MilvusClientForTests {
  // The module of this package has the class.
  const { MilvusClient } = loaded('@zilliz/milvus2-sdk-node') as {
    readonly MilvusClient: new (configuration: object) => MilvusClientForTests;
  };
  return new MilvusClient({ address: `127.0.0.1:${port}`, logLevel: 'error' });
}

function loaded(name: string): unknown {
  return createRequire(`${VECTOR_CLIENTS}/`)(name);
}

export type MilvusForTests = AsyncDisposable & { readonly port: number };

/** A server that keeps its data below the directory. */
export async function startMilvus(directory: string): Promise<MilvusForTests> {
  const port = await freePort();
  const child = spawn(MILVUS, ['server', '--data-dir', directory, '--host', '127.0.0.1', '--port', String(port)], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, PYTHONUNBUFFERED: '1' },
  });
  await listening(child);
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      child.once('exit', () => resolve());
      child.kill('SIGKILL');
      await promise;
    },
  };
}

async function listening(child: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    if (said.includes('listening')) resolve();
  });
  child.once('exit', (code) => reject(new Error(`milvus-lite ended with ${code}: ${said}`)));
  const stop = new AbortController();
  const late = setTimeout(MILVUS_START_TIMEOUT_MS, undefined, { signal: stop.signal }).then(
    () => {
      child.kill('SIGKILL');
      throw new Error('milvus-lite did not start');
    },
    () => undefined,
  );
  try {
    await Promise.race([promise, late]);
  } finally {
    stop.abort();
  }
}

async function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const server = createServer();
  server.once('error', reject);
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    server.close(() => (typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('expected a port'))));
  });
  return promise;
}

export type VectorDatabaseForTests = AsyncDisposable & { readonly port: number; readonly run: (sql: string) => Promise<void> };

/** PostgreSQL and pgvector themselves, compiled to WebAssembly, behind a socket: what a client sends goes to the server's own protocol. */
export async function startVectorDatabase(): Promise<VectorDatabaseForTests> {
  const database = await newDatabase();
  const server = createServer((socket) => {
    let last: Promise<void> = Promise.resolve();
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      last = last.then(async () => {
        const answer = await database.execProtocolRaw(Buffer.from(chunk));
        if (socket.writable) socket.write(answer);
      });
    });
    // The one backend is the next client's.
    socket.on('close', () => void last.then(() => database.exec('ROLLBACK')).catch(() => undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('expected a port');
  return {
    port: address.port,
    run: async (sql) => void (await database.exec(sql)),
    [Symbol.asyncDispose]: async () => {
      server.close();
      await database.close();
    },
  };
}

/** Its first start takes three times as long as all later ones, which begin with the files that it made. */
async function newDatabase(): Promise<PGlite> {
  const extensions = { vector };
  const manifest: unknown = JSON.parse(
    await readFile(fileURLToPath(new URL('../package.json', import.meta.resolve('@electric-sql/pglite'))), 'utf8'),
  );
  // That of a package has one.
  const { version } = manifest as { readonly version: string };
  const kept = join(KEPT_DATABASES, `${version}.tar`);
  if (existsSync(kept)) return PGlite.create({ extensions, loadDataDir: new Blob([await readFile(kept)]) });
  const database = await PGlite.create({ extensions });
  await database.exec('CREATE EXTENSION vector');
  const files = await database.dumpDataDir('none');
  await mkdir(KEPT_DATABASES, { recursive: true });
  // Another process may be reading or writing it.
  const part = `${kept}.${randomUUID()}`;
  await writeFile(part, files.stream());
  await rename(part, kept);
  return database;
}
