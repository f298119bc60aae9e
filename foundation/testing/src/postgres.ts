// SPDX-License-Identifier: Apache-2.0
/**
 * A PostgreSQL server of one test file: a private cluster in a temporary folder, on a free port of the loopback address. It does
 * not sync to disk: it outlives no test.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { findPostgresBinaries } from './postgres-binaries.ts';
import { copyEmptyCluster, type Owner, SUPERUSER } from './postgres-cluster.ts';
import { runProgram } from './run-program.ts';
import { temporaryDirectory } from './temporary-directory.ts';

export type TemporaryPostgres = AsyncDisposable & {
  readonly host: string;
  readonly port: number;
  /** A superuser of the cluster, which asks for the password. */
  readonly user: string;
  readonly password: string;
  /** Of the database `postgres`. */
  readonly databaseUrl: string;
  /** Makes an empty database and returns its URL. */
  createDatabase(name: string): Promise<string>;
};

const HOST = '127.0.0.1';
const READY_LINE = 'database system is ready to accept connections';
/** Characters of the server's log that a failed start shows. */
const LOG_KEPT = 20_000;
/** Someone else may take a free port before the server does. */
const START_ATTEMPTS = 3;

/** @throws Error when no server is installed (see `missingPostgres`) or it does not start; says what it wrote */
export async function temporaryPostgres(): Promise<TemporaryPostgres> {
  return (await open()).postgres;
}

/** Its `databaseUrl` and the names of its databases are of whoever asked for it. */
export type SharedPostgres = Omit<TemporaryPostgres, typeof Symbol.asyncDispose>;

let shared: Promise<SharedPostgres> | undefined;
let sharers = 0;

/**
 * An empty database in the server that the test files of a process share: its start and end take a second of the processor. It ends with the process;
 * whoever stops a server, changes its settings or takes many connections starts one of their own.
 */
export async function sharedPostgres(): Promise<SharedPostgres> {
  shared ??= open().then(({ postgres, server, directory }) => {
    endWithUs(server, directory);
    return postgres;
  });
  const postgres = await shared;
  sharers += 1;
  const suffix = `_of_${sharers}`;
  const createDatabase = (name: string) => postgres.createDatabase(name + suffix);
  return { ...postgres, createDatabase, databaseUrl: await createDatabase('first') };
}

type Opened = { readonly postgres: TemporaryPostgres; readonly server: ChildProcess; readonly directory: string };

async function open(): Promise<Opened> {
  const binaries = findPostgresBinaries();
  if (binaries === undefined) throw new Error('no PostgreSQL server is installed');
  const directory = await temporaryDirectory();
  const owner = ownerOfServer();
  const data = join(directory.path, 'data');
  try {
    if (owner !== undefined) chownSync(directory.path, owner.uid, owner.gid);
    const password = await copyEmptyCluster(data, { binaries, owner });
    const { server, port } = await start({ binaries, data, socketFolder: directory.path, owner });
    const url = (database: string) => `postgresql://${SUPERUSER}:${password}@${HOST}:${port}/${database}`;
    const postgres: TemporaryPostgres = {
      host: HOST,
      port,
      user: SUPERUSER,
      password,
      databaseUrl: url('postgres'),
      createDatabase: async (name) => {
        const env = { ...process.env, PGPASSWORD: password };
        await runProgram(join(binaries, 'createdb'), ['-h', HOST, '-p', String(port), '-U', SUPERUSER, name], { cwd: directory.path, env });
        return url(name);
      },
      [Symbol.asyncDispose]: async () => {
        await end(server);
        await directory[Symbol.asyncDispose]();
      },
    };
    return { postgres, server, directory: directory.path };
  } catch (error) {
    await directory[Symbol.asyncDispose]();
    throw error;
  }
}

/** PostgreSQL refuses to run as root; there its own user or `nobody` takes over. */
function ownerOfServer(): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const [, , uid, gid] = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody') ?? [];
  if (uid === undefined || gid === undefined) throw new Error('there is no user that PostgreSQL could run as');
  return { uid: Number(uid), gid: Number(gid) };
}

type Place = { readonly binaries: string; readonly data: string; readonly socketFolder: string; readonly owner: Owner | undefined };

async function start(place: Place): Promise<{ readonly server: ChildProcess; readonly port: number }> {
  let written = '';
  for (let attempt = 1; attempt <= START_ATTEMPTS; attempt += 1) {
    const port = await freePort();
    const settings = [
      '-h',
      HOST,
      '-p',
      String(port),
      '-k',
      place.socketFolder,
      '-F',
      '-c',
      'max_connections=50',
      '-c',
      'shared_buffers=64MB',
    ];
    const server = spawn(join(place.binaries, 'postgres'), ['-D', place.data, ...settings], {
      cwd: place.socketFolder,
      env: { ...process.env, LC_ALL: 'C' },
      stdio: ['ignore', 'ignore', 'pipe'],
      ...place.owner,
    });
    written = '';
    const isReady = await new Promise<boolean>((resolve) => {
      // Reading goes on after that, so that what it logs never fills the pipe.
      server.stderr.setEncoding('utf8').on('data', (text: string) => {
        if (written.length < LOG_KEPT) written += text;
        if (written.includes(READY_LINE)) resolve(true);
      });
      server.once('close', () => resolve(false));
    });
    if (isReady) return { server, port };
  }
  throw new Error(`PostgreSQL did not start:\n${written}`);
}

/** SIGINT is PostgreSQL's fast shutdown: connections are cut. */
async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exit = once(server, 'exit');
  server.kill('SIGINT');
  await exit;
}

/** A shell that notices the end of this process, however it comes, by that of its input. */
function endWithUs({ pid }: ChildProcess, directory: string): void {
  // Where nobody takes leave of orphans, an ended one is there for ever.
  const script = 'read -r _; kill -INT "$1"; for _ in 1 2 3 4 5; do kill -0 "$1" || break; sleep 1; done; rm -rf "$2"';
  // Whoever interrupts a run from its terminal interrupts all of its processes that are not detached.
  spawn('/bin/sh', ['-c', script, 'sh', String(pid), directory], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
}
