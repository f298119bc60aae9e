// SPDX-License-Identifier: Apache-2.0
/** Requests of the protocol as the operations take them. */
import { fromBinary, type Message } from '@bufbuild/protobuf';
import { type Call, callNamed, Inexpressible, openReader } from '@sextant/contracts-protocol';
import { ServiceError } from '@sextant/contracts-vector';

/** What an operation is given, as if it had come by REST. */
export type CallInput = {
  readonly params: { readonly [name: string]: string };
  /** What REST has in its query string, as far as it means something. */
  readonly query: { readonly [name: string]: string };
  readonly body: unknown;
};

/**
 * Reads a request from its bytes, and lets `check` see the body while the vectors are still apart.
 * @throws ServiceError `invalid_request` for bytes that are no such message, and for a message that says nothing
 */
export function readCall(method: string, bytes: Uint8Array, check: (input: CallInput) => void): CallInput {
  const call = callNamed(method);
  if (call === undefined) throw new Error(`unknown method ${method}`);
  const reader = openReader();
  const message = messageIn(bytes, call);
  const input = { ...besideBody(message, call), body: call.hasBody ? bodyOf(message) : undefined };
  check(input);
  return { ...input, body: reader.putVectorsBack(input.body) };

  function bodyOf(request: Message): unknown {
    try {
      return reader.body(request);
    } catch (cause) {
      if (cause instanceof Inexpressible) throw new ServiceError('invalid_request', { reason: cause.message }, { cause });
      throw cause;
    }
  }
}

function messageIn(bytes: Uint8Array, { input }: Call): Message {
  try {
    return fromBinary(input, bytes);
  } catch (cause) {
    const reason = `the request is not a valid ${input.typeName}: ${cause instanceof Error ? cause.message : String(cause)}`;
    throw new ServiceError('invalid_request', { reason }, { cause });
  }
}

function besideBody(message: Message, { params, input }: Call): Pick<CallInput, 'params' | 'query'> {
  // Generated messages hold each field under its local name; these are names and a number of seconds.
  const values = message as unknown as { readonly [localName: string]: string | bigint | undefined };
  const { readConsistency } = message as unknown as { readonly readConsistency?: ReadConsistency };
  const consistency = consistencyOf(readConsistency);
  const fields = input.fields.filter(({ name }) => params.some((each) => each === name));
  return {
    params: Object.fromEntries(fields.map(({ name, localName }) => [name, String(values[localName])])),
    query: { ...(values.timeout !== undefined && { timeout: String(values.timeout) }), ...(consistency !== undefined && { consistency }) },
  };
}

type ReadConsistency = { readonly value: { readonly case?: string | undefined; readonly value?: number | bigint } };

/** By their numbers in the protocol. */
const CONSISTENCIES = ['all', 'majority', 'quorum'];

/** In the words of REST; a type that the protocol does not have is the strictest. */
function consistencyOf(given: ReadConsistency | undefined): string | undefined {
  if (given?.value.case === undefined) return undefined;
  const { case: kind, value = 0 } = given.value;
  return kind === 'factor' ? String(value) : (CONSISTENCIES[Number(value)] ?? 'all');
}
