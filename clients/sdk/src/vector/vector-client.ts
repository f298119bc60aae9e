// SPDX-License-Identifier: Apache-2.0
/** The client of the vector service. */

import { vectorOperations } from '../contract/vector-operations.generated.ts';
import type {
  AccessToken,
  Alias,
  AliasAction,
  AuthMessage,
  ClusterStatus,
  CollectionInfo,
  CreateAccessToken,
  CreateCollection,
  IssuedAccessToken,
  LoginReply,
  Telemetry,
  UpdateCollection,
  VectorOperations,
  VersionInfo,
} from '../contract/vector-types.ts';
import { withFilters } from '../filter/single-conditions.ts';
import { checkedSecret, checkedUrl, type TokenSource } from '../http/credentials.ts';
import type { RequestOptions } from '../http/request-options.ts';
import { ADVISED_RETRIES, type RetryPolicy } from '../http/retry.ts';
import { createTransport, type Fetch, type Transport } from '../http/transport.ts';
import type { JsonObject } from '../json.ts';
import { Collection } from './collection.ts';
import { type GrpcRoute, guessedAddress, openGrpcRoute } from './grpc-route.ts';
import { StorageSnapshots } from './snapshots.ts';

export type VectorClientOptions = {
  /** The REST interface. Default: `http://localhost:6573`. */
  readonly url?: string;
  /**
   * The gRPC interface, such as `http://localhost:6574`; false for REST only. By default, calls about points use gRPC if the platform
   * supports it, `url` has the default port (6573), and the default gRPC port (6574) responds.
   */
  readonly grpc?: string | false;
  /** An access token of the service, sent as `api-key`. */
  readonly apiKey?: string;
  /** A bearer token, such as the admin's JWT, or a function that returns one. */
  readonly token?: TokenSource;
  /** Time limit of one attempt in milliseconds. Default: 60,000; 0 means none. */
  readonly timeoutMs?: number;
  /** Changes to the default policy. */
  readonly retry?: Partial<RetryPolicy>;
  /** Headers of every call. */
  readonly headers?: { readonly [name: string]: string };
  /** Used instead of the platform's `fetch`. */
  readonly fetch?: Fetch;
};

export type SetupOptions = RequestOptions & {
  /**
   * The one-time code in the file `setup-code` of the service's data directory; the service prints it at its start while there is no admin.
   */
  readonly setupCode?: string;
};

/** A new collection has dense vectors, sparse vectors, or both. */
export type NewCollection = CreateCollection &
  (
    | { readonly vectors: NonNullable<CreateCollection['vectors']> }
    | { readonly sparse_vectors: NonNullable<CreateCollection['sparse_vectors']> }
  );

/** Where the service listens unless it is configured otherwise. */
const DEFAULT_URL = 'http://localhost:6573';
const TIMEOUT_MS = 60_000;

type Operations = VectorOperations;
export type VectorOperationId = keyof Operations;

/** The arguments of a call: the parts of the operation's request. */
export type VectorCall<Id extends VectorOperationId> = {
  readonly params?: Operations[Id]['params'];
  readonly query?: Operations[Id]['query'];
  readonly body?: Operations[Id]['body'];
};

export class VectorClient {
  readonly url: string;
  /** Of the whole storage. */
  readonly snapshots: StorageSnapshots;
  readonly #transport: Transport;
  readonly #grpc: GrpcRoute | undefined;
  #token: TokenSource | undefined;

  constructor(options: VectorClientOptions = {}) {
    this.url = checkedUrl(options.url ?? DEFAULT_URL, 'vector');
    const apiKey = options.apiKey === undefined ? undefined : checkedSecret(options.apiKey, 'apiKey', 'vector');
    this.#token = options.token;
    this.snapshots = new StorageSnapshots((id, input, callOptions) => this.call(id, input, callOptions));
    const shared = {
      timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
      retry: { ...ADVISED_RETRIES, ...options.retry },
      headers: options.headers ?? {},
      credentials: async () => {
        const token = typeof this.#token === 'function' ? await this.#token() : this.#token;
        return {
          ...(apiKey !== undefined && { 'api-key': apiKey }),
          ...(token !== undefined && { authorization: `Bearer ${checkedSecret(token, 'token', 'vector')}` }),
        };
      },
    };
    this.#transport = createTransport({
      ...shared,
      service: 'vector',
      url: this.url,
      fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    });
    // A `fetch` of the caller's own is how that caller wants the service to be reached.
    const guess = options.fetch === undefined ? guessedAddress(this.url) : undefined;
    const address = typeof options.grpc === 'string' ? checkedUrl(options.grpc, 'vector') : options.grpc === false ? undefined : guess;
    this.#grpc = address === undefined ? undefined : openGrpcRoute({ ...shared, address, isGuess: options.grpc === undefined });
  }

  /** Closes the gRPC connection; later calls use REST. A process may also exit without calling it. */
  close(): void {
    this.#grpc?.close();
  }

  /** A handle of one collection; sends no request. `Payload` is the type of its points' payloads and is not checked at run time. */
  collection<Payload extends JsonObject = JsonObject>(name: string): Collection<Payload> {
    return new Collection(name, (id, input, options) => this.call(id, input, options));
  }

  /** Calls any operation of the service by its name in the contract. */
  async call<Id extends VectorOperationId>(id: Id, input: VectorCall<Id>, options?: RequestOptions): Promise<Operations[Id]['result']> {
    const { params, query } = input;
    const body = withFilters(input.body);
    const carried = await this.#grpc?.send(id, { params, body }, options ?? {});
    // The table says what the operation answers.
    if (carried !== undefined) return carried.result as Operations[Id]['result'];
    const sent = this.#transport.send(vectorOperations[id], { ...(params && { params }), ...(query && { query }), body }, options);
    // The table says what the operation answers.
    return (await sent) as Operations[Id]['result'];
  }

  /** The names of all collections. */
  async listCollections(options?: RequestOptions): Promise<readonly string[]> {
    const { collections } = await this.call('list_collections', {}, options);
    return collections.map(({ name }) => name);
  }

  /** @throws ConflictError if a collection of this name exists */
  createCollection(name: string, config: NewCollection, options?: RequestOptions): Promise<boolean> {
    return this.call('create_collection', { params: { collection_name: name }, body: config }, options);
  }

  /** @throws NotFoundError if no collection has this name */
  getCollection(name: string, options?: RequestOptions): Promise<CollectionInfo> {
    return this.call('get_collection', { params: { collection_name: name } }, options);
  }

  updateCollection(name: string, changes: UpdateCollection, options?: RequestOptions): Promise<boolean> {
    return this.call('update_collection', { params: { collection_name: name }, body: changes }, options);
  }

  /** Returns false if it did not exist. */
  deleteCollection(name: string, options?: RequestOptions): Promise<boolean> {
    return this.call('delete_collection', { params: { collection_name: name } }, options);
  }

  async collectionExists(name: string, options?: RequestOptions): Promise<boolean> {
    const { exists } = await this.call('collection_exists', { params: { collection_name: name } }, options);
    return exists;
  }

  /** The aliases of all collections. Reading and changing aliases requires the capability `aliases`. */
  async listAliases(options?: RequestOptions): Promise<readonly Alias[]> {
    const { aliases } = await this.call('list_aliases', {}, options);
    return aliases;
  }

  /** Creates, deletes and renames aliases, in order: all of the actions or none. */
  changeAliases(actions: readonly AliasAction[], options?: RequestOptions): Promise<boolean> {
    return this.call('change_aliases', { body: { actions } }, options);
  }

  /** Title and version of the service. */
  version(options?: RequestOptions): Promise<VersionInfo> {
    return this.call('root', {}, options);
  }

  telemetry(options?: RequestOptions): Promise<Telemetry> {
    return this.call('telemetry', {}, options);
  }

  /** Whether the service is a node of a cluster, and if so, the nodes and the progress of each. */
  cluster(options?: RequestOptions): Promise<ClusterStatus> {
    return this.call('cluster', {}, options);
  }

  /** Removes a node that will not come back. The service refuses to remove a live node. */
  removePeer(peerId: number, options?: RequestOptions & { readonly force?: boolean }): Promise<boolean> {
    const force = options?.force;
    return this.call('remove_peer', { params: { peer_id: peerId }, ...(force !== undefined && { query: { force } }) }, options);
  }

  /** Metrics in the text format of Prometheus. */
  metrics(options?: RequestOptions): Promise<string> {
    return this.call('metrics', {}, options);
  }

  /** Resolves with the service's readiness once it is ready; retries as the client's policy says. */
  ready(options?: RequestOptions): Promise<string> {
    return this.call('readyz', {}, options);
  }

  /** Logs in as admin. Later calls send the JWT. */
  async login(password: string, options?: RequestOptions): Promise<LoginReply> {
    const reply = await this.call('login', { body: { password } }, options);
    if (reply.token !== null) this.#token = reply.token;
    return reply;
  }

  /** Creates the admin. Allowed only from the service's own machine; a browser also needs the setup code. */
  createAdmin(password: string, { setupCode, ...options }: SetupOptions = {}): Promise<AuthMessage> {
    return this.call('create_admin', { body: { password, ...(setupCode !== undefined && { setup_code: setupCode }) } }, options);
  }

  /** Changes the admin's password. Allowed only from the service's own machine, with the admin's JWT or the setup code. */
  resetPassword(password: string, { setupCode, ...options }: SetupOptions = {}): Promise<AuthMessage> {
    return this.call('reset_password', { body: { password, ...(setupCode !== undefined && { setup_code: setupCode }) } }, options);
  }

  adminExists(options?: RequestOptions): Promise<boolean> {
    return this.call('admin_exists', {}, options);
  }

  /** Switches the enforcement of credentials on or off. Requires the admin's JWT. */
  setEnforced(enabled: boolean, options?: RequestOptions): Promise<boolean> {
    return this.call('set_enforced', { body: { enabled } }, options);
  }

  /** The response contains the secret, which is not shown again. */
  createAccessToken(request: CreateAccessToken, options?: RequestOptions): Promise<IssuedAccessToken> {
    return this.call('create_token', { body: request }, options);
  }

  listAccessTokens(options?: RequestOptions): Promise<readonly AccessToken[]> {
    return this.call('list_tokens', {}, options);
  }

  /** Replaces the secret of a token. The old secret stops working at once. */
  rotateAccessToken(id: number, options?: RequestOptions): Promise<IssuedAccessToken> {
    return this.call('rotate_token', { params: { token_id: id } }, options);
  }

  deleteAccessToken(id: number, options?: RequestOptions): Promise<AuthMessage> {
    return this.call('delete_token', { params: { token_id: id } }, options);
  }
}
