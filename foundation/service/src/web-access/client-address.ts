// SPDX-License-Identifier: Apache-2.0
/**
 * Where a request comes from when proxies stand before a service. Each proxy adds the address that it was called from to the end of `X-Forwarded-For`, so that
 * what stands before the entries of trusted proxies is anybody's invention, and counts for nothing.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** The address of the client; the peer of the socket where that is no trusted proxy. */
export type ClientAddress = (peer: string, headers: IncomingHttpHeaders) => string;

const MAPPED = /^::ffff:(?=\d+\.)/i;
/** More hops than any installation has; a header may hold thousands. */
const HOPS_MAX = 32;

/** @param trusted addresses and networks, such as `10.0.0.7` and `10.0.0.0/8` */
export function createClientAddress(trusted: readonly string[]): ClientAddress {
  if (trusted.length === 0) return (peer) => peer;
  const proxies = new BlockList();
  for (const each of trusted) {
    const [address = '', bits] = each.split('/');
    if (bits === undefined) proxies.addAddress(address, familyOf(address));
    else proxies.addSubnet(address, Number(bits), familyOf(address));
  }
  const isTrusted = (address: string) => proxies.check(address, familyOf(address));
  return (peer, headers) => {
    let client = peer.replace(MAPPED, '');
    if (client === '' || !isTrusted(client)) return peer;
    for (const hop of hopsOf(headers).slice(-HOPS_MAX).toReversed()) {
      const address = addressIn(hop);
      if (address === undefined) break;
      client = address;
      if (!isTrusted(address)) break;
    }
    return client;
  };
}

/** An address or a network in the notation of CIDR. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

function hopsOf({ 'x-forwarded-for': forwarded = '' }: IncomingHttpHeaders): readonly string[] {
  return (Array.isArray(forwarded) ? forwarded.join(',') : forwarded).split(',');
}

/** Some proxies add the port. */
function addressIn(hop: string): string | undefined {
  const text = hop.trim();
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  const address = bare.replace(MAPPED, '');
  return isIP(address) === 0 ? undefined : address;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}
