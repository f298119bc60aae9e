/** Where a request comes from. */
import type { IncomingMessage } from 'node:http';
import type { Caller } from '../auth/auth.ts';
import { isLoopback } from '../auth/loopback.ts';

/** A request of the framework or of `node:http`. */
type Arriving = Pick<IncomingMessage, 'socket' | 'headers'>;

/** By the peer of the socket: a header could say anything. */
export function callerOf(request: Arriving): Caller {
  const address = request.socket.remoteAddress ?? '';
  return { address, loopback: address !== '' && isLoopback(address), credential: credentialOf(request) };
}

/** `Authorization: Bearer`, or the `api-key` header that clients of this API family send. */
function credentialOf({ headers }: Arriving): string | undefined {
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  if (bearer !== undefined) return bearer;
  const key = headers['api-key'];
  return typeof key === 'string' && key !== '' ? key : undefined;
}
