// SPDX-License-Identifier: Apache-2.0
/**
 * Which addresses belong to the public internet. Taken from the IANA special-purpose address registries
 * (https://www.iana.org/assignments/iana-ipv4-special-registry, …/iana-ipv6-special-registry); instance metadata of the large clouds is
 * link-local (169.254.169.254) or unique local (fd00:ec2::254), and so among them.
 */
import { BlockList, isIP, isIPv4, SocketAddress } from 'node:net';

const SPECIAL_IPV4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8], // this host, this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // shared by carriers (CGNAT); some clouds keep metadata here
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // 6to4 relays, gone
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, and the broadcast address
];

/** Of IPv6 only 2000::/3 is given out as global unicast; what of it is special after all stands here. */
const SPECIAL_IPV6: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23], // protocol assignments, Teredo (which carries an IPv4 address)
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4 (which carries an IPv4 address)
  ['3fff::', 20], // documentation
];

const special = new BlockList();
for (const [network, prefix] of SPECIAL_IPV4) special.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of SPECIAL_IPV6) special.addSubnet(network, prefix, 'ipv6');

const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

/** Whether a literal IPv4 or IPv6 address is one of the public internet; false for what is no address. */
export function isPublicAddress(address: string): boolean {
  const plain = plainAddress(address);
  if (plain === undefined) return false;
  if (isIPv4(plain)) return !special.check(plain, 'ipv4');
  return globalUnicast.check(plain, 'ipv6') && !special.check(plain, 'ipv6');
}

/**
 * An address in its usual spelling, without brackets and zone; an IPv4 address that is mapped into IPv6 (`::ffff:7f00:1`) is the IPv4
 * address that a connection to it reaches. Undefined for what is no address.
 */
export function plainAddress(text: string): string | undefined {
  const address = text.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '');
  if (isIP(address) !== 6) return isIPv4(address) ? address : undefined;
  const canonical = new SocketAddress({ address, family: 'ipv6' }).address;
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(canonical)?.[1] ?? canonical;
}

/** A set of addresses from texts such as `10.1.0.0/16`, `10.1.2.3` or `fd00::/8`; texts that are neither are the caller's to know. */
export function addressSet(texts: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const text of texts) {
    const [network = '', prefix] = text.split('/');
    const family = isIPv4(network) ? 'ipv4' : 'ipv6';
    if (prefix === undefined) list.addAddress(network, family);
    else list.addSubnet(network, Number(prefix), family);
  }
  return (address) => {
    const plain = plainAddress(address);
    return plain !== undefined && list.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6');
  };
}

/** Whether a text is an address or a network in the notation of `addressSet`. */
export function isAddressOrNetwork(text: string): boolean {
  const [network = '', prefix, ...rest] = text.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(network)] ?? -1;
  return bits > 0 && rest.length === 0 && (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits));
}
