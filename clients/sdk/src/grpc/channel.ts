// SPDX-License-Identifier: Apache-2.0
/** Calls of the vector service over gRPC. */
import type { DescMethod, DescMethodUnary, Message } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { callNamed, Inexpressible, readResult, services, writeRequest } from '@sextant/contracts-protocol';
import { type Members, withPayloads } from './answers.ts';
import type { GrpcChannel, GrpcInput, GrpcOptions } from './port.ts';
import { grpcError } from './refusals.ts';

export function openChannel({ address, credentials, headers }: GrpcOptions): GrpcChannel {
  const closed = new AbortController();
  const transport = createGrpcTransport({ baseUrl: address });
  return {
    async call(id, input, options) {
      const method = methods.get(id);
      const message = method && messageOf(method, input);
      if (message === undefined || method === undefined) return undefined;
      const sent = { ...headers, ...options.headers, ...(await credentials()) };
      const signal = options.signal === undefined ? closed.signal : AbortSignal.any([options.signal, closed.signal]);
      try {
        const { message: answer } = await transport.unary(method, signal, undefined, sent, message);
        const result = readResult(answer);
        // Each is kept by the operation whose result it takes.
        return { result: withPayloads[id]?.(result as never, (input.body ?? {}) as Members) ?? result };
      } catch (error) {
        options.signal?.throwIfAborted();
        if (error instanceof Inexpressible) return undefined;
        if (!(error instanceof ConnectError)) throw error;
        // A group of operations that is off, or a call that this service does not have: REST says which.
        if (error.code === Code.Unimplemented) return undefined;
        throw grpcError(error, { address, operation: `qdrant.Points/${method.name}` });
      }
    },
    close: () => closed.abort(),
  };
}

/** By operation: everything about points. The rest is rare, and goes over REST. */
const methods: ReadonlyMap<string, DescMethodUnary> = new Map(
  services
    .find(({ typeName }) => typeName === 'qdrant.Points')
    ?.methods.flatMap((method): [string, DescMethodUnary][] => {
      const call = /FieldIndex|VectorName/.test(method.name) ? undefined : callNamed(`qdrant.Points/${method.name}`);
      return call === undefined || !isUnary(method) ? [] : [[call.operation, method]];
    }),
);

function isUnary(method: DescMethod): method is DescMethodUnary {
  return method.methodKind === 'unary';
}

/** Undefined for what the protocol cannot say; what is malformed goes over REST too, where the service says what is wrong with it. */
function messageOf({ input }: DescMethodUnary, { params, body }: GrpcInput): Message | undefined {
  try {
    return writeRequest(input, { ...params, ...body });
  } catch (error) {
    if (error instanceof Inexpressible || error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError)
      return undefined;
    throw error;
  }
}
