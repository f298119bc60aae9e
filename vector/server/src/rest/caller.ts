/** Where a request comes from. */
import type { IncomingMessage } from 'node:http';
import type { Requirement } from '@sextant/contracts-vector';
import { isLoopback, senderOf } from '@sextant/foundation-service';
import type { Caller } from '../auth/auth.ts';

/** A request of the framework or of `node:http`. */
type Arriving = Pick<IncomingMessage, 'socket' | 'headers'>;

/** By the peer of the socket: a header could say anything. Only what is for this machine alone also depends on the headers. */
export function callerOf(request: Arriving, needs: Requirement): Caller {
  const address = request.socket.remoteAddress ?? '';
  const caller = { address, loopback: address !== '' && isLoopback(address), credential: credentialOf(request) };
  return needs === 'create_admin' || needs === 'reset_password' ? { ...caller, sender: senderOf(request.headers) } : caller;
}

/** `Authorization: Bearer`, or the `api-key` header that clients of this API family send. */
function credentialOf({ headers }: Arriving): string | undefined {
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  if (bearer !== undefined) return bearer;
  const key = headers['api-key'];
  return typeof key === 'string' && key !== '' ? key : undefined;
}
