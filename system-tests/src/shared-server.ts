// SPDX-License-Identifier: Apache-2.0
/**
 * Vector services that test files share: a start takes more processor time than most of their tests. The files of one process run one after the other, so that
 * each has the service for itself, and finds it empty. It ends with the process: whoever stops, kills or damages a service starts one of their own.
 */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChildServer } from '@sextant/foundation-testing';
import { startVectorServer } from './vector-server.ts';

type Environment = { readonly [name: string]: string };

/** By their environments. */
const started = new Map<string, SharedServer>();

/** A started service, and the folder of its data. */
type SharedServer = { readonly server: ChildServer; readonly directory: string };

/** @param environment beside every capability; one service runs for each */
export async function sharedVectorServer(environment: Environment = {}): Promise<ChildServer> {
  return (await sharedServerAndData(environment)).server;
}

/** The same, for tests that name files of the service. */
export async function sharedServerAndData(environment: Environment = {}): Promise<SharedServer> {
  const key = JSON.stringify(environment);
  const known = started.get(key);
  if (known?.server.running) {
    await emptyServer(known.server);
    return known;
  }
  const directory = await sharedFolder();
  const server = await startVectorServer({ directory, environment: { SERVICE_CAPABILITIES: 'all', ...environment } });
  const shared = { server, directory };
  started.set(key, shared);
  return shared;
}

/** A new folder, which is taken away when all tests have ended. */
export function sharedFolder(): Promise<string> {
  return mkdtemp(join(process.env.SHARED_DIRECTORY ?? tmpdir(), 'service-'));
}

/** Without collections, their aliases and snapshots of all of them. */
export async function emptyServer({ client }: ChildServer): Promise<void> {
  for (const [path, named] of [
    ['/collections', ({ collections }: Listed) => collections],
    ['/snapshots', (snapshots: Listed) => snapshots],
  ] as const) {
    const { result } = (await client.request('GET', path)).body as { readonly result: Listed };
    for (const { name } of named(result)) {
      const { status } = await client.request('DELETE', `${path}/${encodeURIComponent(name)}`);
      if (status !== 200) throw new Error(`DELETE ${path}/${name} answered ${status}`);
    }
  }
}

type Named = { readonly name: string };
type Listed = readonly Named[] & { readonly collections: readonly Named[] };
