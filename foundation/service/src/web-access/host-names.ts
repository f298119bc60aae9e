// SPDX-License-Identifier: Apache-2.0
/**
 * Under which names a service answers. A web site can make its own name lead to this machine (DNS rebinding): for the browser its pages and the
 * service then have one origin, and what gives them away is the name in `Host`.
 */
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { isLoopback } from './loopback.ts';

export type HostNamesOptions = {
  /** The address or name that the service is bound to. */
  readonly host: string;
  /** Names that the operator lists; `*` stands for every name. */
  readonly allowedHosts: readonly string[];
  /** The name of this machine. */
  readonly machine?: string;
};

export type HostNames = {
  /** Whether the service answers to what stands in the header `Host`. */
  readonly isAllowed: (header: string | undefined) => boolean;
};

export const ANY = '*';
/** An address or a name, and perhaps a port. Nothing of a URL that could change what it means. */
const HOST_HEADER = /^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{0,5})?$/i;
const WILDCARD_ADDRESSES: ReadonlySet<string> = new Set(['0.0.0.0', '::']);
const VERDICTS_MAX = 100;

export function createHostNames({ host, allowedHosts, machine = hostname() }: HostNamesOptions): HostNames {
  const own = host.replace(/^\[|\]$/g, '').toLowerCase();
  const isWildcard = WILDCARD_ADDRESSES.has(own);
  const listed = new Set([own, ...allowedHosts, ...(isWildcard ? [machine.toLowerCase()] : [])]);
  const answersToAll = allowedHosts.includes(ANY);
  const judge = (header: string): boolean => {
    if (answersToAll) return true;
    const name = hostNameOf(header);
    if (name === undefined) return false;
    // Rebinding needs a name, so an address may be any that the machine has.
    return isLoopbackName(name) || listed.has(name) || (isWildcard && isIP(name) !== 0);
  };
  const verdicts = new Map<string, boolean>();
  let last: string | undefined;
  return {
    isAllowed(header) {
      // Every browser sends the header; HTTP/1.0 does without.
      if (header === undefined || header === last) return true;
      let verdict = verdicts.get(header);
      if (verdict === undefined) {
        verdict = judge(header);
        if (verdicts.size >= VERDICTS_MAX) verdicts.clear();
        verdicts.set(header, verdict);
      }
      if (verdict) last = header;
      return verdict;
    },
  };
}

/** The name or address in a `Host` header or a setting, in the one way that a browser writes it and without brackets; undefined for anything else. */
export function hostNameOf(header: string): string | undefined {
  if (!HOST_HEADER.test(header)) return undefined;
  const name = URL.parse(`http://${header}`)?.hostname;
  return name?.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/** RFC 6761 section 6.3: `localhost` and what ends in it never leave the machine. */
function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost') || (isIP(name) !== 0 && isLoopback(name));
}
