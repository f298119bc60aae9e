// SPDX-License-Identifier: Apache-2.0
/**
 * The public shape of authentication. The writer thread owns the state (`AuthAdministration`); every serving thread
 * checks credentials against the latest `AuthSnapshot`, which is broadcast before a change is acknowledged.
 */
import type { Sender } from '@sextant/foundation-service';

/** Bits of a permission: combinable, and admin alone does not grant read or write. */
export const PERMISSION = { read: 1, write: 2, admin: 4 } as const;

/** What a serving thread needs to check a credential; it can be cloned to another thread and holds no plain secret but the signing key. */
export type AuthSnapshot = {
  readonly enforced: boolean;
  readonly adminExists: boolean;
  readonly signingKey: Uint8Array;
  /** Changes with the password, so that older JWTs stop working. */
  readonly passwordVersion: number;
  readonly tokens: readonly {
    readonly id: number;
    readonly secretHash: Uint8Array;
    readonly permission: number;
    readonly expiresAtMs: number | null;
    readonly collections?: readonly string[];
  }[];
};

export type Principal =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'admin' }
  | {
      readonly kind: 'token';
      readonly id: number;
      readonly permission: number;
      /** Names of collections and aliases that it is limited to; without it, all. */
      readonly collections?: readonly string[];
    };

/** Where a request comes from: the peer address of its socket, or what proxies say that the operator trusts, and the credential that it carries. */
export type Caller = {
  readonly address: string;
  readonly loopback: boolean;
  /** By its headers; asked for where a request has to come from this machine, and taken for a browser where nobody asked. */
  readonly sender?: Sender;
  /** The value of `Authorization: Bearer` or of `api-key`. */
  readonly credential: string | undefined;
};

/** One token as it is listed: everything but the secret. */
export type AccessToken = {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  /** RFC 3339, UTC. */
  readonly created_at: string;
  readonly expired_at: string | null;
  readonly will_expire: boolean;
  readonly permission: string;
  readonly collections?: readonly string[];
};

/** A token as it is created or rotated: the only time that its secret is shown. */
export type NewAccessToken = AccessToken & { readonly api_key: string };

/** The body, the REST status and further headers of an authentication endpoint's answer. */
export type AuthReply = { readonly status: number; readonly body: unknown; readonly headers?: { readonly [name: string]: string } };
