// SPDX-License-Identifier: Apache-2.0
/** A store that speaks the protocol of S3, behind a gate that can keep a report from it, or keep its answer from the writer. */
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { temporaryDirectory } from '@sextant/foundation-testing';
import S3rver from 's3rver';

export const BUCKET = 'lake-bucket';

/** Where a report is stopped: before the store has it, after, or not at all. */
export type Stop = 'before the write' | 'after the write' | 'nowhere';

export type GatedStore = AsyncDisposable & {
  readonly endpoint: string;
  /** Where reports are stopped from now on; resolves when one has been. */
  readonly stopReports: (stop: Stop) => Promise<void>;
  readonly put: (key: string, text: string) => Promise<void>;
  /** The bytes of the reports that are there, by key. */
  readonly reports: () => Promise<ReadonlyMap<string, Buffer>>;
};

export async function startGatedStore(): Promise<GatedStore> {
  await using parts = new AsyncDisposableStack();
  const directory = parts.use(await temporaryDirectory());
  const configureBuckets = [{ name: BUCKET, configs: [] }];
  const store = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory: directory.path, configureBuckets });
  const { port: storePort }: AddressInfo = await store.run();
  parts.defer(() => store.close());

  let stop: Stop = 'nowhere';
  let stopped = Promise.withResolvers<void>();
  const pass = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const isReport = incoming.method === 'PUT' && incoming.url?.includes('.parquet') === true;
    if (isReport && stop === 'before the write') {
      incoming.resume();
      stopped.resolve();
      return;
    }
    const { method, url, headers } = incoming;
    const onward = request({ host: '127.0.0.1', port: storePort, method, path: url, headers }, (reply) => {
      if (isReport && stop === 'after the write') {
        reply.resume();
        stopped.resolve();
        return;
      }
      outgoing.writeHead(reply.statusCode ?? 500, reply.headers);
      reply.pipe(outgoing);
    });
    // Whoever was killed while it asked needs no answer.
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  };
  const gate = createServer(pass).listen(0, '127.0.0.1');
  await once(gate, 'listening');
  parts.defer(() => {
    gate.closeAllConnections();
    gate.close();
  });
  // A server that listens on a port has such an address.
  const { port } = gate.address() as AddressInfo;
  const endpoint = `http://127.0.0.1:${port}`;
  const open = parts.move();
  return {
    endpoint,
    stopReports: (next) => {
      stop = next;
      stopped = Promise.withResolvers<void>();
      return stopped.promise;
    },
    put: async (key, text) => {
      const response = await fetch(`${endpoint}/${BUCKET}/${key}`, { method: 'PUT', body: text });
      if (!response.ok) throw new Error(`${key} could not be put: ${response.status} ${await response.text()}`);
    },
    reports: async () => {
      const root = join(directory.path, BUCKET);
      // The store keeps an object in files of its key and a suffix.
      const files = (await readdir(root, { recursive: true })).filter((name) => name.endsWith('.parquet._S3rver_object'));
      const found = files.map(async (name) => [name.replace('._S3rver_object', ''), await readFile(join(root, name))] as const);
      return new Map(await Promise.all(found));
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}
