// SPDX-License-Identifier: Apache-2.0
/** Sends what gRPC can carry that way, as often as the policy says. What it cannot carry is left to REST. */
import { openGrpc } from '#grpc';
import { vectorOperations } from '../contract/vector-operations.generated.ts';
import { ConnectionError, SextantError, TimeoutError } from '../errors/errors.ts';
import type { GrpcChannel, GrpcInput, GrpcOptions } from '../grpc/port.ts';
import { withDeadline } from '../http/deadline.ts';
import type { RequestOptions } from '../http/request-options.ts';
import { type RetryPolicy, retrying } from '../http/retry.ts';
import type { VectorOperationId } from './vector-client.ts';

export type GrpcRouteOptions = GrpcOptions & {
  /** Whether the address is a guess, which is given up when nothing answers there. */
  readonly isGuess: boolean;
  readonly timeoutMs: number;
  readonly retry: RetryPolicy;
};

export type GrpcRoute = {
  /** Undefined for what has to go over REST. */
  send(id: VectorOperationId, input: GrpcInput, options: RequestOptions): Promise<{ readonly result: unknown } | undefined>;
  close(): void;
};

/** The ports of a service that nobody has configured. */
const REST_PORT = '6573';
const GRPC_PORT = '6574';

/** The address of gRPC, guessed from that of REST; undefined where there is nothing to guess from. */
export function guessedAddress(url: string): string | undefined {
  const { protocol, hostname, port, pathname } = new URL(url);
  return port === REST_PORT && pathname === '/' ? `${protocol}//${hostname}:${GRPC_PORT}` : undefined;
}

/** Undefined where the platform does not speak it. */
export function openGrpcRoute({ isGuess, timeoutMs, retry, ...options }: GrpcRouteOptions): GrpcRoute | undefined {
  if (openGrpc === undefined) return undefined;
  const open = openGrpc;
  let channel: Promise<GrpcChannel> | undefined;
  let isOff = false;
  let hasAnswered = false;

  async function attempt(id: VectorOperationId, input: GrpcInput, { signal, headers }: RequestOptions) {
    channel ??= open(options);
    try {
      const answer = await (await channel).call(id, input, { signal, headers });
      hasAnswered ||= answer !== undefined;
      return answer;
    } catch (error) {
      const isMissing = !(error instanceof SextantError) || error instanceof ConnectionError;
      if (!isGuess || hasAnswered || !isMissing || signal?.aborted) throw error;
      isOff = true;
      return undefined;
    }
  }

  return {
    async send(id, input, callOptions) {
      if (isOff) return undefined;
      const { isRepeatable } = vectorOperations[id];
      const limitMs = callOptions.timeoutMs ?? timeoutMs;
      const operation = `gRPC ${id}`;
      const expired = () => new TimeoutError(`${operation} took longer than ${limitMs} ms`, { service: 'vector', operation });
      const policy = callOptions.retries === undefined ? retry : { ...retry, retries: callOptions.retries };
      return retrying({ policy, isRepeatable, signal: callOptions.signal }, () =>
        withDeadline(limitMs, callOptions.signal, (signal) => attempt(id, input, { ...callOptions, signal }), expired),
      );
    },
    close() {
      isOff = true;
      void channel?.then(
        (opened) => opened.close(),
        () => {},
      );
    },
  };
}
