// SPDX-License-Identifier: Apache-2.0
/**
 * What authentication keeps: the admin, the switch, the access tokens. A change is made to a draft, which writes down what it comes to; it counts once that is on
 * disk, on one node or on all nodes of a cluster, and has been read from there.
 */
import type { PasswordRecord } from '@sextant/foundation-service';
import { credentialsRevision } from '@sextant/vector-collection';
import type { SystemChange, SystemStorage } from '@sextant/vector-storage';
import type { AuthSnapshot } from './auth.ts';

/** The part of the system's storage that authentication needs. */
export type AuthStore = Pick<SystemStorage, 'get' | 'list' | 'write'>;

/** Documents that change together, and the revision of the state that they were made for. */
export type AuthChange = { readonly changes: readonly SystemChange[]; readonly revision: number };

export type AdminRecord = {
  readonly password: PasswordRecord;
  /** Chosen at random, so that a JWT of an earlier admin is as dead as one of an earlier password. */
  readonly passwordVersion: number;
};

export type TokenRecord = {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  readonly permission: number;
  /** Names of collections and aliases that it is limited to. */
  readonly collections?: readonly string[];
  /** base64 of the SHA-256 hash. */
  readonly secretHash: string;
  /** The tokens by which it was made or rotated since the admin gave it its secret; absent in records of earlier releases. */
  readonly issuedBy?: readonly number[];
};

const ADMIN = 'auth/admin';
const ENFORCED = 'auth/enforced';
const LAST_TOKEN_ID = 'auth/last-token-id';
const TOKENS = 'auth/tokens/';

type Values = {
  /** How many changes came by way of a log; of a service that stands alone it stays 0. */
  readonly revision: number;
  readonly admin: AdminRecord | undefined;
  readonly enforced: boolean;
  readonly lastTokenId: number;
  readonly tokens: ReadonlyMap<number, TokenRecord>;
};

export type AuthStateOptions = {
  readonly store: AuthStore;
  readonly signingKey: Uint8Array;
  /** The switch while nobody has ever set it. */
  readonly initiallyEnforced: boolean;
};

/** As it is on disk now. */
export function readAuthState({ store, signingKey, initiallyEnforced }: AuthStateOptions): AuthState {
  // Each document below was written by the class below, in the shape that it is read back in.
  const tokens = store.list(TOKENS).map(({ value }) => value as TokenRecord);
  return new AuthState(signingKey, {
    revision: credentialsRevision(store),
    admin: store.get(ADMIN) as AdminRecord | undefined,
    enforced: (store.get(ENFORCED) as boolean | undefined) ?? initiallyEnforced,
    lastTokenId: (store.get(LAST_TOKEN_ID) as number | undefined) ?? 0,
    tokens: new Map(tokens.map((token) => [token.id, token])),
  });
}

export class AuthState {
  readonly signingKey: Uint8Array;
  readonly revision: number;
  readonly #tokens: Map<number, TokenRecord>;
  readonly #changes: SystemChange[] = [];
  #admin: AdminRecord | undefined;
  #enforced: boolean;
  #lastTokenId: number;

  constructor(signingKey: Uint8Array, { revision, admin, enforced, lastTokenId, tokens }: Values) {
    this.signingKey = signingKey;
    this.revision = revision;
    this.#admin = admin;
    this.#enforced = enforced;
    this.#lastTokenId = lastTokenId;
    this.#tokens = new Map(tokens);
  }

  /** To be changed, while this one stays as it is. */
  draft(): AuthState {
    const { revision, signingKey } = this;
    const values = { admin: this.#admin, enforced: this.#enforced, lastTokenId: this.#lastTokenId, tokens: this.#tokens };
    return new AuthState(signingKey, { revision, ...values });
  }

  /** What has been changed in a draft. */
  get changes(): readonly SystemChange[] {
    return this.#changes;
  }

  get admin(): AdminRecord | undefined {
    return this.#admin;
  }

  get enforced(): boolean {
    return this.#enforced;
  }

  get tokenCount(): number {
    return this.#tokens.size;
  }

  /** By id, which is the order in which they were made. */
  tokens(): readonly TokenRecord[] {
    return [...this.#tokens.values()].toSorted((one, other) => one.id - other.id);
  }

  token(id: number): TokenRecord | undefined {
    return this.#tokens.get(id);
  }

  snapshot(): AuthSnapshot {
    return {
      enforced: this.#enforced,
      adminExists: this.#admin !== undefined,
      signingKey: this.signingKey,
      passwordVersion: this.#admin?.passwordVersion ?? 0,
      tokens: this.tokens().map(({ id, secretHash, permission, expiresAtMs, collections }) => ({
        id,
        secretHash: new Uint8Array(Buffer.from(secretHash, 'base64')),
        permission,
        expiresAtMs,
        ...(collections && { collections }),
      })),
    };
  }

  setAdmin(admin: AdminRecord): void {
    this.#write([{ kind: 'put', key: ADMIN, value: admin }]);
    this.#admin = admin;
  }

  setEnforced(enforced: boolean): void {
    this.#write([{ kind: 'put', key: ENFORCED, value: enforced }]);
    this.#enforced = enforced;
  }

  /** Gives the token an id that no token had before. */
  addToken(fields: Omit<TokenRecord, 'id'>): TokenRecord {
    const token = { id: this.#lastTokenId + 1, ...fields };
    this.#write([
      { kind: 'put', key: LAST_TOKEN_ID, value: token.id },
      { kind: 'put', key: TOKENS + token.id, value: token },
    ]);
    this.#lastTokenId = token.id;
    this.#tokens.set(token.id, token);
    return token;
  }

  replaceToken(token: TokenRecord): void {
    this.#write([{ kind: 'put', key: TOKENS + token.id, value: token }]);
    this.#tokens.set(token.id, token);
  }

  removeTokens(ids: readonly number[]): void {
    this.#write(ids.map((id) => ({ kind: 'delete', key: TOKENS + id })));
    for (const id of ids) this.#tokens.delete(id);
  }

  #write(changes: readonly SystemChange[]): void {
    this.#changes.push(...changes);
  }
}
