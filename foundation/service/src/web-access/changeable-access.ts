// SPDX-License-Identifier: Apache-2.0
/** The rules by which requests are let in, while they may change: what this hands out goes by the newest ones. */
import { type ClientAddress, createClientAddress } from './client-address.ts';
import { createWebAccess, type WebAccess, type WebAccessOptions } from './web-access.ts';

export type AccessRules = WebAccessOptions & { readonly trustedProxies: readonly string[] };

export type ChangeableAccess = {
  readonly web: WebAccess;
  readonly clientAddress: ClientAddress;
  /** Counts from the next request on. */
  readonly change: (rules: AccessRules) => void;
};

export function changeableAccess(rules: AccessRules): ChangeableAccess {
  let web = createWebAccess(rules);
  let clientAddress = createClientAddress(rules.trustedProxies);
  return {
    web: { judge: (request) => web.judge(request), consoleOrigin: (headers) => web.consoleOrigin(headers) },
    clientAddress: (peer, headers) => clientAddress(peer, headers),
    change: (changed) => {
      web = createWebAccess(changed);
      clientAddress = createClientAddress(changed.trustedProxies);
    },
  };
}
