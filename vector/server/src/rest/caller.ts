// SPDX-License-Identifier: Apache-2.0
/** Where a request comes from. */
import type { IncomingMessage } from 'node:http';
import type { Requirement } from '@sextant/contracts-vector';
import { type ClientAddress, isLoopback, senderOf } from '@sextant/foundation-service';
import type { Caller } from '../auth/auth.ts';

/** A request of the framework or of `node:http`. */
type Arriving = Pick<IncomingMessage, 'socket' | 'headers'>;

/**
 * By the peer of the socket, or by what proxies say that the operator trusts: a header of anybody else could say anything. On this machine is who calls
 * without a proxy; what is for this machine alone also depends on the headers.
 */
export function callerOf(request: Arriving, needs: Requirement, clientAddress: ClientAddress): Caller {
  const peer = request.socket.remoteAddress ?? '';
  const address = clientAddress(peer, request.headers);
  const caller = { address, loopback: address === peer && peer !== '' && isLoopback(peer), credential: credentialOf(request) };
  return needs === 'create_admin' || needs === 'reset_password' ? { ...caller, sender: senderOf(request.headers) } : caller;
}

/** `Authorization: Bearer`, or the `api-key` header that clients of this API family send. */
function credentialOf({ headers }: Arriving): string | undefined {
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  if (bearer !== undefined) return bearer;
  const key = headers['api-key'];
  return typeof key === 'string' && key !== '' ? key : undefined;
}
