// SPDX-License-Identifier: Apache-2.0
/** What authentication keeps: the admin, the switch, the access tokens. Each change is on disk before it counts. */
import type { PasswordRecord } from '@sextant/foundation-service';
import type { SystemChange, SystemStorage } from '@sextant/vector-storage';
import type { AuthSnapshot } from './auth.ts';

/** The part of the system's storage that authentication needs. */
export type AuthStore = Pick<SystemStorage, 'get' | 'list' | 'write'>;

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

export type AuthStateOptions = {
  readonly store: AuthStore;
  readonly signingKey: Uint8Array;
  /** The switch while nobody has ever set it. */
  readonly initiallyEnforced: boolean;
};

export class AuthState {
  readonly #store: AuthStore;
  readonly signingKey: Uint8Array;
  readonly #tokens = new Map<number, TokenRecord>();
  #admin: AdminRecord | undefined;
  #enforced: boolean;
  #lastTokenId: number;
  #revision = 0;

  // Each document below was written by this class, in the shape that it is read back in.
  constructor({ store, signingKey, initiallyEnforced }: AuthStateOptions) {
    this.#store = store;
    this.signingKey = signingKey;
    this.#admin = store.get(ADMIN) as AdminRecord | undefined;
    this.#enforced = (store.get(ENFORCED) as boolean | undefined) ?? initiallyEnforced;
    this.#lastTokenId = (store.get(LAST_TOKEN_ID) as number | undefined) ?? 0;
    for (const { value } of store.list(TOKENS)) {
      const token = value as TokenRecord;
      this.#tokens.set(token.id, token);
    }
  }

  /** Changes with every change. */
  get revision(): number {
    return this.#revision;
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
    this.#store.write(changes);
    this.#revision++;
  }
}
