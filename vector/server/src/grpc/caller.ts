// SPDX-License-Identifier: Apache-2.0
/** Who makes a call. */
import type { Metadata } from '@grpc/grpc-js';
import { isLoopback } from '@sextant/foundation-service';
import type { Caller } from '../auth/auth.ts';

/** @param peer the address and port of the socket, as the library writes them; metadata could say anything */
export function callerOf(metadata: Metadata, peer: string): Caller {
  const address = peer.slice(0, Math.max(0, peer.lastIndexOf(':'))).replace(/^\[|\]$/g, '');
  return { address, loopback: address !== '' && isLoopback(address), credential: credentialOf(metadata) };
}

/** `authorization: Bearer`, or the `api-key` that clients of this API family send. */
function credentialOf(metadata: Metadata): string | undefined {
  const bearer = /^Bearer +(\S+) *$/i.exec(textOf(metadata, 'authorization'))?.[1];
  return bearer ?? (textOf(metadata, 'api-key') || undefined);
}

function textOf(metadata: Metadata, name: string): string {
  const [value = ''] = metadata.get(name);
  return typeof value === 'string' ? value : '';
}
