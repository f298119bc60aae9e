// SPDX-License-Identifier: Apache-2.0
/** Where a connection's Spark is: at an address, or on this machine, where it is started for it. */
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { type OutboundGuard, OutboundRefusedError } from '@sextant/foundation-service';
import type { Clock, Timer } from '@sextant/foundation-std';
import { SourceError } from '../connector.ts';
import type { SparkAddress } from './connect-channel.ts';
import { findSparkHome, type LocalSpark, startLocalSpark } from './local-server.ts';

export type SparkLauncher<Configuration> = {
  /** Stops waiting when the signal aborts. @throws SourceError that says why there is none */
  acquire(configuration: Configuration, signal: AbortSignal): Promise<AcquiredSpark>;
};

export type AcquiredSpark = { readonly address: SparkAddress; readonly release: () => void | Promise<void> };

export type RemoteSpark = Omit<SparkAddress, 'address'>;

/** A Spark that others run: its name is resolved, and where it leads to is checked. */
export function remoteLauncher(outbound: OutboundGuard): SparkLauncher<RemoteSpark> {
  return {
    acquire: async (remote, signal) => {
      const address = await unlessAborted(resolvedAddress(outbound, remote.host, 'payload.host'), signal);
      return { address: { ...remote, address }, release: () => undefined };
    },
  };
}

/** @throws SourceError where the name cannot be found, or leads to where no connection is allowed */
export async function resolvedAddress(outbound: OutboundGuard, host: string, member: string | undefined): Promise<string> {
  const at = member === undefined ? {} : { member };
  const [{ address }] = await outbound.resolve(host).catch((cause: unknown) => {
    if (cause instanceof OutboundRefusedError) throw new SourceError(cause.message, { cause, ...at });
    throw new SourceError(`the host name ${host} cannot be resolved`, { cause, ...at });
  });
  return address;
}

/** What is waited for goes on; only the waiting ends. */
async function unlessAborted<Value>(waited: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([waited, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

export type LocalSparkSettings = {
  /** What its Java may take; 0 for none. */
  readonly memoryMb: number;
  readonly threads: number;
  readonly home: string | undefined;
  /** Environments of Python that may hold the package `pyspark`. */
  readonly environments: readonly string[];
  readonly temporaryDirectory: string;
  readonly clock: Clock;
};

/** It takes memory that others may want. */
const IDLE_MS = 300_000;

/** One for all who ask, started when the first does and ended when nobody has asked for a while. */
export function localLauncher(settings: LocalSparkSettings): SparkLauncher<void> & AsyncDisposable {
  const { memoryMb, threads, home, environments, temporaryDirectory, clock } = settings;
  let running: Promise<LocalSpark> | undefined;
  let users = 0;
  let idle: Timer | undefined;
  const end = async () => {
    const ending = running;
    running = undefined;
    // One that did not start has nothing to end.
    const server = await ending?.catch(() => undefined);
    await server?.[Symbol.asyncDispose]();
  };
  const start = async () => {
    if (memoryMb === 0) {
      throw new SourceError(
        'the operator of the service has disabled local Spark (OBSERVABILITY_SPARK_MEMORY_MB); give the address of a Spark server',
        {
          member: 'payload.local',
        },
      );
    }
    const found = findSparkHome(home, environments);
    if (found === undefined) {
      throw new SourceError(
        'Spark is not installed on the machine of the service: its operator can install it with pip install pyspark, or set SPARK_HOME',
        {
          member: 'payload.local',
        },
      );
    }
    const directory = await mkdtemp(join(temporaryDirectory, 'spark-'));
    return await startLocalSpark({ home: found, directory, memoryMb, threads, lifeOf: process.pid });
  };
  return {
    acquire: async (_, signal) => {
      idle?.cancel();
      users += 1;
      let isHeld = true;
      const release = () => {
        if (isHeld) users -= 1;
        isHeld = false;
        if (users === 0) idle = clock.after(IDLE_MS, () => void end());
      };
      const starting = running ?? start();
      running = starting;
      // One that did not start is tried again by the next who asks.
      starting.catch(() => {
        if (running === starting) running = undefined;
      });
      try {
        return { address: (await unlessAborted(starting, signal)).address, release };
      } catch (error) {
        release();
        throw error;
      }
    },
    [Symbol.asyncDispose]: async () => {
      idle?.cancel();
      await end();
    },
  };
}
