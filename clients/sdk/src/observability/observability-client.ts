// SPDX-License-Identifier: Apache-2.0
/**
 * The client of the observability service. Every operation is a method (`ObservabilityMethods`); this class adds those that take several
 * requests.
 */
import { ObservabilityMethods } from '../contract/observability-methods.ts';
import { observabilityOperations } from '../contract/observability-operations.generated.ts';
import type { Job, Token, Upload } from '../contract/observability-types.ts';
import { AuthenticationError } from '../errors/errors.ts';
import { checkedSecret, checkedUrl, type TokenSource } from '../http/credentials.ts';
import type { Members, OperationRow } from '../http/operation.ts';
import type { RequestOptions } from '../http/request-options.ts';
import { ADVISED_RETRIES, type RetryPolicy, wait } from '../http/retry.ts';
import { createTransport, type Fetch, type Input, type Transport } from '../http/transport.ts';
import type { UploadBody, UploadProgress } from '../http/upload-body.ts';
import { isReplayable } from '../http/upload-request.ts';
import type { OperationId, RequestOf, ResultOf } from './request.ts';
import { openSession, type Session } from './session.ts';

export type ObservabilityClientOptions = {
  /** Default: `http://localhost:6580`. */
  readonly url?: string;
  /** The tenant of the calls. Default: `default`. */
  readonly tenant?: string;
  /** An API key of the tenant, sent as `X-TLM-Key`. */
  readonly apiKey?: string;
  /** An access token, or a function that returns one. */
  readonly token?: TokenSource;
  /**
   * Where the refresh token of a signed-in user is kept: in the client's `memory` (default), or, for pages of allowed origins, in a
   * `cookie` that scripts cannot read and that outlives the page (see `resume`).
   */
  readonly refreshTokenIn?: 'memory' | 'cookie';
  /** Time limit of one attempt in milliseconds. Default: 60,000; 0 means none. */
  readonly timeoutMs?: number;
  /** Changes to the default policy. */
  readonly retry?: Partial<RetryPolicy>;
  /** Headers of every call. */
  readonly headers?: { readonly [name: string]: string };
  /** Used instead of the platform's `fetch`. */
  readonly fetch?: Fetch;
};

export type UploadOptions = RequestOptions & {
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
};

export type WaitForJobOptions = RequestOptions & {
  /** Called whenever a poll finds a change. */
  readonly onProgress?: ((job: Job) => void) | undefined;
  /** The interval between polls in milliseconds. Default: 500. */
  readonly pollMs?: number | undefined;
};

/** Where the service listens unless it is configured otherwise. */
const DEFAULT_URL = 'http://localhost:6580';
const DEFAULT_TENANT = 'default';
const TIMEOUT_MS = 60_000;
const POLL_MS = 500;
const COOKIE_OPERATIONS: readonly OperationId[] = ['get_token', 'revoke_token'];

export class ObservabilityClient extends ObservabilityMethods {
  readonly url: string;
  readonly tenant: string;
  readonly #options: ObservabilityClientOptions;
  readonly #transport: Transport;
  #session: Session | undefined;

  constructor(options: ObservabilityClientOptions = {}) {
    super();
    this.#options = options;
    this.url = checkedUrl(options.url ?? DEFAULT_URL, 'observability');
    this.tenant = options.tenant ?? DEFAULT_TENANT;
    const apiKey = options.apiKey === undefined ? undefined : checkedSecret(options.apiKey, 'apiKey', 'observability');
    this.#transport = createTransport({
      service: 'observability',
      url: this.url,
      fetch: options.fetch ?? ((url, init) => fetch(url, init)),
      timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
      retry: { ...ADVISED_RETRIES, ...options.retry },
      headers: options.headers ?? {},
      credentials: async () => {
        const token = this.#session?.accessToken ?? (typeof options.token === 'function' ? await options.token() : options.token);
        return {
          ...(apiKey !== undefined && { 'x-tlm-key': apiKey }),
          ...(token !== undefined && { authorization: `Bearer ${checkedSecret(token, 'token', 'observability')}` }),
        };
      },
    });
  }

  /** The same client for another tenant, with the same session. */
  forTenant(tenant: string): ObservabilityClient {
    const other = new ObservabilityClient({ ...this.#options, tenant });
    other.#session = this.#session;
    return other;
  }

  /** Signs in. Later calls send the access token, which is renewed when it expires. */
  async signIn(credentials: { readonly username: string; readonly password: string }, options?: RequestOptions): Promise<void> {
    const token = await this.getToken({ grant_type: 'password', ...credentials, tenant: this.tenant, ...this.#place() }, options);
    this.#session = this.#openSession(token, credentials.username);
  }

  /**
   * Resumes the session of a user whose refresh token is in a cookie. Returns false if there is no such cookie, or if it belongs to another
   * user.
   */
  async resume({ username }: { readonly username: string }, options?: RequestOptions): Promise<boolean> {
    try {
      this.#session = this.#openSession(await this.#renewed(username, undefined, options), username);
      return true;
    } catch (error) {
      if (error instanceof AuthenticationError) return false;
      throw error;
    }
  }

  /** Ends the session, at the service too if it can be reached. Later calls use the credentials of the client's options. */
  async signOut(options?: RequestOptions): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    if (session !== undefined) await this.revokeToken({ refresh_token: session.refreshToken, ...this.#place() }, options);
  }

  #openSession(token: Token, username: string): Session {
    return openSession(token, (refreshToken) => this.#renewed(username, refreshToken));
  }

  #renewed(username: string, refreshToken: string | undefined, options?: RequestOptions): Promise<Token> {
    // The service compares the user with that of the cookie, which another tab may have changed.
    const held = refreshToken === undefined ? { username } : { refresh_token: refreshToken };
    return this.getToken({ grant_type: 'refresh_token', ...held, tenant: this.tenant, ...this.#place() }, options);
  }

  #place(): { readonly refresh_token_in?: 'cookie' } {
    return this.#options.refreshTokenIn === 'cookie' ? { refresh_token_in: 'cookie' } : {};
  }

  /** Uploads a file, from which an asset can then be created. */
  async upload(name: string, body: UploadBody, { onProgress, ...options }: UploadOptions = {}): Promise<Upload> {
    const input = { params: { tenant: this.tenant }, query: { name }, upload: { body, onProgress } };
    // The table says what the operation answers.
    return (await this.#send('create_upload', input, options)) as Upload;
  }

  /** Waits until a job has ended; `status` says how. */
  async waitForJob(jobId: string, { onProgress, pollMs = POLL_MS, ...options }: WaitForJobOptions = {}): Promise<Job> {
    let seen = '';
    for (;;) {
      const job = await this.getJob({ job_id: jobId }, options);
      const now = JSON.stringify([job.status, job.progress]);
      if (now !== seen) onProgress?.(job);
      seen = now;
      if (job.status === 'FINISHED' || job.status === 'FAILED') return job;
      await wait(pollMs, options.signal);
    }
  }

  /** Scans an asset and waits for the end of the scan. */
  async scan(assetId: string, options: WaitForJobOptions = {}): Promise<Job> {
    const { job_id: jobId } = await this.startScan({ asset_id: assetId }, options);
    return this.waitForJob(jobId, options);
  }

  protected async call<Id extends OperationId>(id: Id, request: RequestOf<Id>, options?: RequestOptions): Promise<ResultOf<Id>> {
    // The table says what the operation answers.
    const withCookies = this.#options.refreshTokenIn === 'cookie' && COOKIE_OPERATIONS.includes(id);
    const input = { ...this.#inputOf(observabilityOperations[id], request as Members), withCookies };
    return (await this.#send(id, input, options)) as ResultOf<Id>;
  }

  /** Once more with a new access token, where the one that was sent has expired. */
  async #send(id: OperationId, input: Input, options?: RequestOptions): Promise<unknown> {
    const session = COOKIE_OPERATIONS.includes(id) ? undefined : this.#session;
    const sent = session?.accessToken;
    try {
      return await this.#transport.send(observabilityOperations[id], input, options);
    } catch (error) {
      const isExpired = error instanceof AuthenticationError && error.code === 'unauthorized';
      const canRepeat = input.upload === undefined || isReplayable(input.upload);
      if (session === undefined || sent === undefined || !isExpired || !canRepeat) throw error;
      await session.renew(sent);
      return this.#transport.send(observabilityOperations[id], input, options);
    }
  }

  /** What is in the path goes there; the rest is the body where there is one, else the query string. */
  #inputOf(row: OperationRow, request: Members): Input {
    const names = new Set([...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    const params = { tenant: this.tenant, ...request };
    const rest = Object.fromEntries(Object.entries(request).filter(([name]) => !names.has(name)));
    return row.takesBody ? { params, body: rest } : { params, query: rest };
  }
}
