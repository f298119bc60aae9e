// SPDX-License-Identifier: Apache-2.0
/** Waits until a provider's cluster answers: https://spark.apache.org/docs/latest/spark-connect-overview.html runs on it. */
import { connect } from 'node:net';
import type { OutboundGuard } from '@sextant/foundation-service';
import type { Clock } from '@sextant/foundation-std';
import { SourceError } from '../../connector.ts';
import { resolvedAddress, type SparkLauncher } from '../launcher.ts';
import type { ClusterAttempt, ClusterProvider, ClusterRequest, ConnectPlace, ProviderTools } from './cluster.ts';
import { pauseOrAbort } from './pause-or-abort.ts';
import { providerCalls } from './provider-calls.ts';

export type ClusterLauncher = SparkLauncher<ClusterRequest> & {
  check(request: Pick<ClusterRequest, 'place' | 'credential'>, signal: AbortSignal): Promise<void>;
};

/** Clusters take some three to seven minutes, and longer where machines are scarce. */
const WAIT_MS = 1_800_000;
const POLL_MS = 10_000;
const PROBE_TIMEOUT_MS = 5000;
const RELEASE_TIMEOUT_MS = 60_000;

export function clusterLauncher(
  provider: ClusterProvider,
  { outbound, clock }: { outbound: OutboundGuard; clock: Clock },
): ClusterLauncher {
  const tools: ProviderTools = { calls: providerCalls(outbound, clock), clock };
  return {
    check: (request, signal) => provider.check(request, tools, signal),
    acquire: async (request, signal) => {
      const attempt = provider.attempt(request, tools);
      // The next attempt finds what could not be ended by its name.
      const release = () => attempt.release(AbortSignal.timeout(RELEASE_TIMEOUT_MS)).catch(() => undefined);
      try {
        const place = await ready(attempt, { request, outbound, clock, signal });
        return { address: { ...place, address: await resolvedAddress(outbound, place.host, undefined) }, release };
      } catch (error) {
        await release();
        throw error;
      }
    },
  };
}

type Waiting = { readonly request: ClusterRequest; readonly outbound: OutboundGuard; readonly clock: Clock; readonly signal: AbortSignal };

async function ready(attempt: ClusterAttempt, { request, outbound, clock, signal }: Waiting): Promise<ConnectPlace> {
  const endMs = clock.monotonicMs() + WAIT_MS;
  for (;;) {
    signal.throwIfAborted();
    const step = await attempt.advance(signal);
    // A place behind TLS is a gateway of the provider, which listens always.
    if (step.kind === 'running' && (step.connect.tls !== false || (await listens(outbound, step.connect)))) return step.connect;
    const state = step.kind === 'running' ? 'Spark Connect does not listen yet' : step.state;
    request.onState?.({ name: step.name, state });
    if (clock.monotonicMs() >= endMs) {
      const where =
        step.kind === 'running' ? ` at ${step.connect.host}:${step.connect.port}; the network of the service must reach it` : '';
      throw new SourceError(`cluster ${step.name} was not ready within ${WAIT_MS / 60_000} minutes; its last state: ${state}${where}`);
    }
    await pauseOrAbort(clock, POLL_MS, signal);
  }
}

async function listens(outbound: OutboundGuard, { host, port }: ConnectPlace): Promise<boolean> {
  const address = await resolvedAddress(outbound, host, undefined);
  return await new Promise((resolve) => {
    const socket = connect({ host: address, port, timeout: PROBE_TIMEOUT_MS });
    const answer = (isListening: boolean) => {
      socket.destroy();
      resolve(isListening);
    };
    socket.once('connect', () => answer(true)).once('timeout', () => answer(false));
    socket.once('error', () => answer(false));
  });
}
