// SPDX-License-Identifier: Apache-2.0
/** The whole service for tests, on a free port over a temporary folder. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Job, observabilityDocument, type Role } from '@sextant/contracts-observability';
import { createLog } from '@sextant/foundation-service';
import { type Clock, parseJson, stringifyJson, systemClock } from '@sextant/foundation-std';
import { conformanceTo, leakedPath } from '@sextant/foundation-testing';
import { type Metadata, openMetadata } from '@sextant/observability-metadata';
import { scanOnThread } from '@sextant/observability-scan/scans-for-tests';
import { deriveKeys } from '../auth/keys.ts';
import { type ObservabilityConfiguration, readObservabilityConfiguration } from '../configuration.ts';
import { evaluateInput } from '../evaluation/evaluation-input.ts';
import { type ServiceOptions, startObservabilityService } from '../service.ts';
import { ADMIN_EMAIL, createAdmin, createUser, PASSWORD } from './test-users.ts';

export type Reply = { readonly status: number; readonly headers: Headers; readonly text: string; readonly body: unknown };
type HeaderTexts = { readonly [name: string]: string };

export type TestService = AsyncDisposable & {
  readonly url: string;
  readonly dataDirectory: string;
  readonly platformToken: string;
  /** What the operator would have read. */
  readonly printed: readonly string[];
  /**
   * Sends JSON (text and bytes as they are) and reads the answer; throws for an answer that the OpenAPI document does not list, or that names a path
   * of the server.
   */
  call(method: string, path: string, body?: unknown, headers?: HeaderTexts): Promise<Reply>;
  /** The header of a new access token. */
  login(user?: { readonly email?: string; readonly password?: string; readonly tenant?: string }): Promise<HeaderTexts>;
  /** Makes a user, and answers the header of its access token. */
  loginAs(role: Role, tenant?: string): Promise<HeaderTexts>;
  /** Makes a tenant, and answers the header of its admin. */
  createTenant(id: string): Promise<HeaderTexts>;
  /** Waits until a job of the tenant `default` has ended, whichever way. */
  untilEnded(jobId: string, headers: HeaderTexts): Promise<Job>;
  /** The store behind the service, for rows that no endpoint writes. */
  openStore(): Promise<Metadata>;
  /** Ends the service and starts it again on the same folder. */
  restart(): Promise<void>;
};

/** Between two looks at a job, at first: they cost the time of what is waited for. */
const UNTIL_ENDED_MS = 20;

export type TestServiceOptions = {
  readonly clock?: Clock;
  readonly environment?: { readonly [name: string]: string };
};

/** The process of a scan and the thread of evaluations take longer to start than a small table takes; they have tests of their own. */
const WORK_ON_THREAD: NonNullable<ServiceOptions['work']> = { runScan: scanOnThread, evaluate: async (input) => evaluateInput(input) };

/** Settings of services that make their first admin themselves, as on any first start. */
const FIRST_START = ['DATABASE_URL', 'OBSERVABILITY_ADMIN_PASSWORD'];

const conformance = conformanceTo(JSON.parse(stringifyJson(observabilityDocument({ version: '0.0.0' }))) as object);

export async function testService({ clock = systemClock, environment = {} }: TestServiceOptions = {}): Promise<TestService> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'sextant-observability-'));
  const configuration = configurationOf({
    OBSERVABILITY_PORT: '0',
    OBSERVABILITY_DATA_DIR: dataDirectory,
    OBSERVABILITY_ADMIN_PASSWORD: PASSWORD,
    ...environment,
  });
  const printed: string[] = [];
  const log = createLog({ level: 'fatal', clock });
  const print = (sentence: string) => void printed.push(sentence);
  const start = () => startObservabilityService({ configuration, clock, log, print, work: WORK_ON_THREAD });
  if (!FIRST_START.some((name) => name in environment)) await createAdmin(dataDirectory, clock);
  let service = await start();
  let users = 0;

  const call: TestService['call'] = async (method, path, body, headers = {}) => {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array || body instanceof ReadableStream;
    const response = await fetch(service.address + path, {
      method,
      headers: body === undefined || 'content-type' in headers ? headers : { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: isRaw ? (body as NonNullable<RequestInit['body']>) : stringifyJson(body), duplex: 'half' }),
    });
    const text = await response.text();
    const contentType = response.headers.get('content-type');
    const fault = method === 'HEAD' ? undefined : conformance.fault({ method, path, status: response.status, contentType, text });
    const sent = path + (typeof body === 'object' && !isRaw ? stringifyJson(body) : typeof body === 'string' ? body : '');
    const wrong = fault ?? leakedPath(dataDirectory, { sent, status: response.status, text });
    if (wrong !== undefined) throw new Error(wrong);
    const isJson = contentType?.startsWith('application/json') === true && text !== '';
    return { status: response.status, headers: response.headers, text, body: isJson ? parseJson(text) : undefined };
  };
  const login: TestService['login'] = async ({ email = ADMIN_EMAIL, password = PASSWORD, tenant = 'default' } = {}) => {
    const reply = await call('POST', '/auth/token', { grant_type: 'password', username: email, password, tenant });
    if (reply.status !== 200) throw new Error(`login of ${email} answered ${reply.status} ${reply.text}`);
    return { authorization: `Bearer ${(reply.body as { access_token: string }).access_token}` };
  };
  const platformToken = readFileSync(join(dataDirectory, 'platform-token'), 'utf8');
  const openStore: TestService['openStore'] = () => {
    const encryptionKey = deriveKeys(readFileSync(join(dataDirectory, 'encryption-key'), 'utf8')).credentials;
    return openMetadata({ directory: dataDirectory }, { clock, randomBytes, encryptionKey });
  };
  return {
    get url() {
      return service.address;
    },
    dataDirectory,
    platformToken,
    printed,
    call,
    login,
    loginAs: async (role, tenant = 'default') => {
      const email = `${role}${users++}@example.com`;
      await using store = await openStore();
      await createUser(store, tenant, { email, first_name: 'Test', last_name: role, role });
      return await login({ email, tenant });
    },
    createTenant: async (id) => {
      const body = { id, name: id, admin_email: `admin@${id}.example.com`, admin_password: PASSWORD };
      const reply = await call('POST', '/platform/tenants', body, { authorization: `Bearer ${platformToken}` });
      if (reply.status !== 200) throw new Error(`creating tenant ${id} answered ${reply.status} ${reply.text}`);
      return login({ tenant: id, email: body.admin_email });
    },
    untilEnded: async (jobId, headers) => {
      for (let pauseMs = UNTIL_ENDED_MS; ; pauseMs *= 1.5) {
        // The answer conforms to the document.
        const job = (await call('GET', `/api/backend/default/jobs/${jobId}`, undefined, headers)).body as Job;
        if (job.status === 'FINISHED' || job.status === 'FAILED') return job;
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    },
    openStore,
    restart: async () => {
      await service.stop();
      service = await start();
    },
    [Symbol.asyncDispose]: async () => {
      await service.stop();
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}

function configurationOf(environment: { readonly [name: string]: string }): ObservabilityConfiguration {
  const outcome = readObservabilityConfiguration(environment, []);
  if (outcome.kind !== 'ready') throw new Error(`the settings of the test are refused: ${JSON.stringify(outcome)}`);
  return outcome.configuration;
}
