// SPDX-License-Identifier: Apache-2.0
/** The client of the observability service. Every operation is a method (`ObservabilityMethods`); what takes more than one request is here. */
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
  /** `http://localhost:6580` unless it says otherwise. */
  readonly url?: string;
  /** The tenant that calls are about; `default` unless it says otherwise. */
  readonly tenant?: string;
  /** An API key of the tenant, sent as `X-TLM-Key`. */
  readonly apiKey?: string;
  /** An access token, or what gives one. */
  readonly token?: TokenSource;
  /**
   * Where the refresh token of a user who signs in is: in the `memory` of the client unless it says otherwise, or, for pages in a browser that the
   * service knows, in a `cookie` that no script can read and that outlives the page (`resume`).
   */
  readonly refreshTokenIn?: 'memory' | 'cookie';
  /** How long one attempt may take; 60 s unless it says otherwise, 0 for as long as it takes. */
  readonly timeoutMs?: number;
  /** What of the advised policy is different. */
  readonly retry?: Partial<RetryPolicy>;
  /** Headers of every call. */
  readonly headers?: { readonly [name: string]: string };
  /** In place of the platform's. */
  readonly fetch?: Fetch;
};

export type UploadOptions = RequestOptions & {
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
};

export type WaitForJobOptions = RequestOptions & {
  /** At each look that finds something new. */
  readonly onProgress?: ((job: Job) => void) | undefined;
  /** Between looks; half a second unless it says otherwise. */
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

  /** The same client for another tenant; it shares the session. */
  forTenant(tenant: string): ObservabilityClient {
    const other = new ObservabilityClient({ ...this.#options, tenant });
    other.#session = this.#session;
    return other;
  }

  /** Signs in; later calls carry the access token, which is renewed when it has expired. */
  async signIn(credentials: { readonly username: string; readonly password: string }, options?: RequestOptions): Promise<void> {
    const token = await this.getToken({ grant_type: 'password', ...credentials, tenant: this.tenant, ...this.#place() }, options);
    this.#session = this.#openSession(token, credentials.username);
  }

  /** Goes on with the session of a user whose refresh token is in a cookie. False where there is none, or that of another user. */
  async resume({ username }: { readonly username: string }, options?: RequestOptions): Promise<boolean> {
    try {
      this.#session = this.#openSession(await this.#renewed(username, undefined, options), username);
      return true;
    } catch (error) {
      if (error instanceof AuthenticationError) return false;
      throw error;
    }
  }

  /** Forgets the session and ends it at the service, if the service can be reached. Later calls carry the credentials of the client's options. */
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

  /** Uploads a file, which an asset can then be made of. */
  async upload(name: string, body: UploadBody, { onProgress, ...options }: UploadOptions = {}): Promise<Upload> {
    const input = { params: { tenant: this.tenant }, query: { name }, upload: { body, onProgress } };
    // The table says what the operation answers.
    return (await this.#send('create_upload', input, options)) as Upload;
  }

  /** Waits until a job has ended, whichever way; `status` says which. */
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

  /** Scans an asset and waits until that has ended. */
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
