// SPDX-License-Identifier: Apache-2.0
/**
 * Guards connections that go out on a user's word (endpoints, hosts, webhooks): none reaches the inside of the operator's network unless the
 * operator says so. A name is resolved once, each of its addresses is checked, and the connection goes to the checked addresses, so that a
 * second answer of the name server cannot slip by. The check sits in the agents, below redirects and retries of whatever library uses them.
 */
import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import { type ClientRequestArgs, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent, type RequestOptions } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import { addressSet, isAddressOrNetwork, isPublicAddress, plainAddress } from './outbound-addresses.ts';

export type OutboundOptions = {
  /** Lets every address through, as on a machine of a developer. */
  readonly allowPrivateNetworks?: boolean;
  /**
   * What is let through besides the public internet: addresses and networks (`10.1.0.0/16`), host names (`db.internal`) and host names with
   * anything in front (`*.internal`). A listed name is trusted wherever it points.
   */
  readonly allowed?: readonly string[];
  /** All addresses of a name; the system's resolver unless a test knows better. */
  readonly resolve?: (host: string) => Promise<readonly LookupAddress[]>;
};

export type OutboundGuard = {
  /** The checked addresses of a host, at least one. Throws an `OutboundRefusedError`, or the error of the resolver. */
  readonly resolve: (host: string) => Promise<readonly [LookupAddress, ...LookupAddress[]]>;
  /** Agents whose connections are checked. */
  readonly httpAgent: HttpAgent;
  readonly httpsAgent: HttpsAgent;
  /** Closes idle connections. */
  readonly close: () => void;
};

/** The connection would leave the public internet; the message is fit for the user who asked for it. */
export class OutboundRefusedError extends Error {
  override readonly name = 'OutboundRefusedError';
  readonly code = 'OUTBOUND_REFUSED';

  constructor(host: string) {
    // The address is not shown: it would let a user map the inside of the network by its names.
    super(`Connections to ${host} are not allowed: it is not a public address, and the operator has not allowed it.`);
  }
}

/** Connections that wait for a reply at the same time, for each host. */
const SOCKETS_PER_HOST_MAX = 32;

/** Throws a RangeError for an entry of `allowed` that is neither a name nor a network. */
export function createOutboundGuard(options: OutboundOptions = {}): OutboundGuard {
  const allowed = (options.allowed ?? []).map((entry) => entry.trim().toLowerCase());
  const networks = addressSet(allowed.filter(isAddressOrNetwork));
  const names = allowed.filter((entry) => !isAddressOrNetwork(entry));
  for (const name of names) {
    if (!HOST_PATTERN.test(name)) throw new RangeError(`"${name}" is neither a host name nor a network such as 10.1.0.0/16`);
  }
  const isAllowed = (address: string) => options.allowPrivateNetworks === true || isPublicAddress(address) || networks(address);
  const resolveName = options.resolve ?? ((host: string) => systemLookup(host, { all: true }));

  const resolve = async (host: string): Promise<readonly [LookupAddress, ...LookupAddress[]]> => {
    const literal = plainAddress(host);
    const isListed = names.some((pattern) => matches(pattern, host));
    const addresses = literal === undefined ? await resolveName(host) : [literalAddress(literal)];
    const [first, ...others] = addresses;
    if (first === undefined || !(isListed || addresses.every(({ address }) => isAllowed(address)))) throw new OutboundRefusedError(host);
    return [first, ...others];
  };
  const httpAgent = new GuardedHttpAgent(resolve);
  const httpsAgent = new GuardedHttpsAgent(resolve);
  const close = () => {
    httpAgent.destroy();
    httpsAgent.destroy();
  };
  return { resolve, httpAgent, httpsAgent, close };
}

const HOST_PATTERN = /^(\*\.)?[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/;

function matches(pattern: string, host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return pattern.startsWith('*.') ? name.endsWith(pattern.slice(1)) : name === pattern;
}

function literalAddress(address: string): LookupAddress {
  return { address, family: address.includes(':') ? 6 : 4 };
}

type Resolve = OutboundGuard['resolve'];
type Connected = (error: Error | null, stream: Duplex) => void;

class GuardedHttpAgent extends HttpAgent {
  readonly #resolve: Resolve;

  constructor(resolve: Resolve) {
    super({ keepAlive: true, maxSockets: SOCKETS_PER_HOST_MAX });
    this.#resolve = resolve;
  }

  override createConnection(options: ClientRequestArgs, connected?: Connected): Duplex | null | undefined {
    return withChecked(this.#resolve, options, connected, (checked) => super.createConnection(checked, connected));
  }
}

class GuardedHttpsAgent extends HttpsAgent {
  readonly #resolve: Resolve;

  constructor(resolve: Resolve) {
    super({ keepAlive: true, maxSockets: SOCKETS_PER_HOST_MAX });
    this.#resolve = resolve;
  }

  override createConnection(options: RequestOptions, connected?: Connected): Duplex | null | undefined {
    return withChecked(this.#resolve, options, connected, (checked) => super.createConnection(checked, connected));
  }
}

/** A host that is a literal address never reaches `lookup`, so it is checked ahead of the connection; a name is checked by its lookup. */
function withChecked<Options extends ClientRequestArgs>(
  resolve: Resolve,
  options: Options,
  connected: Connected | undefined,
  connect: (options: Options) => Duplex | null | undefined,
): Duplex | null | undefined {
  const host = options.host ?? 'localhost';
  if (plainAddress(host) === undefined) return connect({ ...options, socketPath: undefined, lookup: checkedLookup(resolve) });
  resolve(host).then(
    () => {
      const socket = connect({ ...options, socketPath: undefined });
      if (socket) connected?.(null, socket);
    },
    // The callback of Node's agent takes an error alone; its type does not say so.
    (error: unknown) => (connected as ((error: unknown) => void) | undefined)?.(error),
  );
  return undefined;
}

function checkedLookup(resolve: Resolve): LookupFunction {
  return (host, options, found) => {
    resolve(host).then(
      (addresses) => {
        const wanted = addresses.filter(({ family }) => !options.family || options.family === 'IPv4' || family === options.family);
        const [first] = wanted;
        if (first === undefined) found(new Error(`${host} has no address of the requested family`), '', 0);
        else if (options.all) found(null, [...wanted]);
        else found(null, first.address, first.family);
      },
      (error: unknown) => found(error instanceof Error ? error : new Error(String(error)), '', 0),
    );
  };
}
