// SPDX-License-Identifier: Apache-2.0
/** Whether a socket's peer is on this machine. */
import { BlockList } from 'node:net';

/** RFC 1122 section 3.2.1.3 (127.0.0.0/8) and RFC 4291 section 2.5.3 (::1). */
const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** @param address the socket's peer address, never a header; IPv4 may come mapped into IPv6, as dual-stack listeners see it */
export function isLoopback(address: string): boolean {
  if (last.address !== address) last = { address, loopback: loopback.check(address, address.includes(':') ? 'ipv6' : 'ipv4') };
  return last.loopback;
}

/** Most requests come from where the last one came from. */
let last = { address: '127.0.0.1', loopback: true };
