/** Calls of the vector service over gRPC. */
import type { DescMethod, DescMethodUnary, Message } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { Inexpressible, services, writeExactly } from '@sextant/contracts-protocol';
import type { VectorOperations } from '../contract/vector-types.ts';
import { type GrpcCall, grpcCalls } from './calls.ts';
import type { GrpcChannel, GrpcInput, GrpcOptions } from './port.ts';
import { grpcError } from './refusals.ts';
import { type Members, writingRules } from './writing-rules.ts';

export function openChannel({ address, credentials, headers }: GrpcOptions): GrpcChannel {
  const closed = new AbortController();
  const transport = createGrpcTransport({ baseUrl: address });
  return {
    async call(id, input, options) {
      const call = callOf(id);
      const method = call && methods.get(call.method);
      const message = method && messageOf(method, call, input);
      if (message === undefined || method === undefined || call === undefined) return undefined;
      const sent = { ...headers, ...options.headers, ...(await credentials()) };
      const signal = options.signal === undefined ? closed.signal : AbortSignal.any([options.signal, closed.signal]);
      try {
        const { message: answer } = await transport.unary(method, signal, undefined, sent, message);
        // Each call is kept with the reader of its own answer.
        return { result: call.answer(answer as never, (input.body ?? {}) as Members) };
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

const points = services.find(({ typeName }) => typeName === 'qdrant.Points');
const methods: ReadonlyMap<string, DescMethodUnary> = new Map(
  (points?.methods ?? []).filter(isUnary).map((method) => [method.name, method]),
);

function isUnary(method: DescMethod): method is DescMethodUnary {
  return method.methodKind === 'unary';
}

function callOf(id: string): GrpcCall | undefined {
  return grpcCalls[id as keyof VectorOperations];
}

/** Undefined for what the protocol cannot say; what is malformed goes over REST too, where the service says what is wrong with it. */
function messageOf({ input }: DescMethodUnary, { request }: GrpcCall, { params, body }: GrpcInput): Message | undefined {
  try {
    return writeExactly(input, { ...params, ...request((body ?? {}) as Members) }, writingRules);
  } catch (error) {
    if (error instanceof Inexpressible || error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError)
      return undefined;
    throw error;
  }
}
