// SPDX-License-Identifier: Apache-2.0
/** A vector service of its own over an empty folder, for what is to be tried without touching anybody's data. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { VectorClient } from '@sextant/sdk';
import { CommandFailure } from '../failure.ts';
import { serviceEntry } from '../service-entries.ts';
import type { Shell } from '../shell.ts';

export type ScratchService = AsyncDisposable & { readonly url: string; readonly client: VectorClient };

const LOG_LINES_MAX = 20;

/** The waits of the client double from half a second, so these add up to a minute. */
const READY_RETRIES = 7;

/** A node alone, or one that has a cluster to itself, which shard keys take. */
export type ScratchKind = 'alone' | 'cluster';

/** Starts on free ports of this machine, with none of the settings of other services; resolves when it is ready. */
export async function startScratchService(
  { environment }: Pick<Shell, 'environment'>,
  directory: string,
  kind: ScratchKind,
): Promise<ScratchService> {
  const kept = Object.entries(environment).filter(([name]) => !name.startsWith('SERVICE_'));
  const child = spawn(process.execPath, [serviceEntry('vector')], {
    env: {
      ...Object.fromEntries(kept),
      SERVICE_DATA_DIR: directory,
      SERVICE_HOST: '127.0.0.1',
      SERVICE_REST_PORT: '0',
      SERVICE_GRPC_PORT: '0',
      SERVICE_THREADS: '1',
      SERVICE_CAPABILITIES: 'recovery',
      ...(kind === 'cluster' ? clusterOfOne() : {}),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C ends the command, and the command ends its service.
    detached: true,
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  const lines: string[] = [];
  const failed = ended.then(() => {
    throw new CommandFailure('failed', `cannot start a service to restore the backup into:\n${lines.join('\n')}`);
  });
  const listening = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line);
        if (lines.length > LOG_LINES_MAX) lines.shift();
        const [, address] = /"address":"(http[^"]+)"/.exec(line) ?? [];
        if (address !== undefined) resolve(address);
      });
    }
  });
  const stop = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
    process.off('exit', end);
  };
  try {
    const url = await Promise.race([listening, failed]);
    const client = new VectorClient({ url });
    // It listens before it has read its log, and refuses until then.
    await Promise.race([client.ready({ retries: READY_RETRIES }), failed]);
    return { url, client, [Symbol.asyncDispose]: () => stop('SIGTERM') };
  } catch (error) {
    await stop('SIGKILL');
    throw error;
  }
}

/** Its log is in its memory. It has no peers: nobody asks at its address, and nobody else has its secret. */
function clusterOfOne() {
  return {
    SERVICE_CLUSTER_LOG: 'memory:',
    SERVICE_CLUSTER_NODE: 'scratch',
    SERVICE_CLUSTER_ADDRESS: 'http://127.0.0.1',
    SERVICE_CLUSTER_SECRET: randomBytes(32).toString('hex'),
  };
}
