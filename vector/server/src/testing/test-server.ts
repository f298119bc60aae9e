// SPDX-License-Identifier: Apache-2.0
/** A server for tests: the REST adapter, the operations and authentication as they are, in one thread, on a free port. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UnknownMembers } from '@sextant/contracts-vector';
import { endpoints, isOperationId, openApiDocument } from '@sextant/contracts-vector/schemas';
import { ConnectionCap, createClientAddress, createOutboundGuard, DiskRoom } from '@sextant/foundation-service';
import { createWebAccess, RequestStatistics } from '@sextant/foundation-service/http';
import { type Clock, parseJson, seededRandom, stringifyJson, systemClock } from '@sextant/foundation-std';
import { type Conformance, conformanceTo, leakedPath } from '@sextant/foundation-testing';
import { type Engine, openEmbeddedEngine, SnapshotFolder } from '@sextant/vector-collection';
import { importHere } from '@sextant/vector-collection/conformance';
import { openSystemStorage } from '@sextant/vector-storage';
import { CHEAP } from '../auth/administration.fixture.ts';
import { AuthAdministration } from '../auth/administration.ts';
import { createAuthoriser } from '../auth/authorise.ts';
import type { WriteStatusCase } from '../configuration.ts';
import { execute } from '../operations/execute.ts';
import type { DenseModels } from '../operations/texts.ts';
import { BodyBudget } from '../resources/body-budget.ts';
import { Transfers } from '../resources/transfers.ts';
import { accessRulesOf } from '../rest/access-rules.ts';
import { buildRestApp } from '../rest/app.ts';
import type { ServiceFacts } from '../rest/service-handlers.ts';
import { SnapshotService } from '../snapshots/snapshot-service.ts';

export type Reply = { readonly status: number; readonly headers: Headers; readonly text: string; readonly body: unknown };

export type TestServer = AsyncDisposable & {
  readonly url: string;
  readonly dataDirectory: string;
  /**
   * Sends JSON (text and bytes as they are) and reads the answer, exact integers included; throws for an answer that the OpenAPI document does not list,
   * or that names a path of the server.
   */
  call(method: string, path: string, body?: unknown, headers?: { readonly [name: string]: string }): Promise<Reply>;
  /** What was logged as an error. */
  readonly failures: readonly { readonly details: object; readonly message: string }[];
  /** Responses that the adapter reported for metrics. */
  readonly observed: readonly Parameters<ServiceFacts['observe']>[0][];
  setState(state: ReturnType<ServiceFacts['state']>): void;
  /** Deletes every collection and is ready again, for the next test. */
  reset(): Promise<void>;
};

export type TestServerOptions = {
  /** Members of the engine that fail, or do something else. */
  readonly faults?: Partial<Engine>;
  readonly clock?: Clock;
  readonly enforced?: boolean;
  readonly bodyLimitBytes?: number;
  readonly capabilities?: readonly string[];
  readonly writeStatusCase?: WriteStatusCase;
  readonly allowPrivateNetworks?: boolean;
  readonly recoverySeconds?: number;
  readonly residentMemoryPercent?: () => number;
  readonly allowedOrigins?: readonly string[];
  readonly unknownMembers?: UnknownMembers;
  readonly trustedProxies?: readonly string[];
  readonly dense?: DenseModels;
  readonly publicUrl?: string;
};

const SEED = 7;
const BODY_LIMIT_BYTES = 33_554_432;
const BODIES_HELD = 8;
const CONNECTIONS_MAX = 1000;

/** By capabilities; what is compiled of a document serves every server that has them. */
const conformances = new Map<string, Conformance>();

function conformanceWith(capabilities: readonly string[]): Conformance {
  const key = capabilities.join();
  const known = conformances.get(key);
  if (known !== undefined) return known;
  const document = openApiDocument({ version: '0.0.0', capabilities: new Set(capabilities) });
  const made = conformanceTo(JSON.parse(stringifyJson(document)) as object);
  conformances.set(key, made);
  return made;
}

export async function testServer({
  faults = {},
  clock = systemClock,
  enforced = false,
  bodyLimitBytes = BODY_LIMIT_BYTES,
  capabilities = [],
  writeStatusCase = 'auto',
  allowPrivateNetworks = false,
  recoverySeconds = 3600,
  residentMemoryPercent = () => 0,
  allowedOrigins = [],
  unknownMembers = 'known',
  trustedProxies = [],
  dense,
  publicUrl,
}: TestServerOptions = {}): Promise<TestServer> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'sextant-rest-'));
  const opened = await openEmbeddedEngine({
    dataDirectory: join(dataDirectory, 'engine'),
    clock,
    random: seededRandom(SEED),
    residentMemoryPercent,
    importSnapshot: importHere,
  });
  const engine = { ...opened, ...faults };
  const folder = new SnapshotFolder({ directory: join(dataDirectory, 'engine', 'snapshots'), clock });
  const guard = createOutboundGuard({ allowPrivateNetworks });
  const store = openSystemStorage({ directory: join(dataDirectory, 'system') });
  const auth = new AuthAdministration({
    store,
    dataDirectory,
    clock,
    jwtSecret: undefined,
    initiallyEnforced: enforced,
    passwordCost: CHEAP,
  });
  const authoriser = createAuthoriser({ clock });
  const failures: { details: object; message: string }[] = [];
  const log = { error: (details: object, message: string) => void failures.push({ details, message }), warn: () => {} };
  const observed: Parameters<ServiceFacts['observe']>[0][] = [];
  const statistics = new RequestStatistics();
  const instance = { id: 'test', startedMs: clock.nowMs(), requests: async () => [statistics.snapshot()] };
  const snapshots = new SnapshotService({ engine, folder, guard, clock, log, recoverySeconds });
  const disk = new DiskRoom(DiskRoom.allocate());
  let state: ReturnType<ServiceFacts['state']> = 'ready';

  const observe: ServiceFacts['observe'] = (response) => {
    observed.push(response);
    const { collection = '', method, endpoint, status, seconds } = response;
    statistics.observe({ transport: 'rest', collection, endpoint: `${method} ${endpoint}`, status }, seconds, clock.nowMs());
  };

  const app = buildRestApp({
    // As in the server, what runs on a serving thread has no hold of the writes.
    dispatch: (request) => {
      const onWriter = isOperationId(request.operation) && endpoints[request.operation].thread === 'writer';
      const shared = { engine, clock, log, unknownMembers, dense };
      return execute(request, onWriter ? { ...shared, snapshots, auth, disk } : { ...shared, instance });
    },
    authorise: (caller, requirement) => authoriser(auth.snapshot(), caller, requirement),
    clientAddress: createClientAddress(trustedProxies),
    service: {
      state: () => state,
      collections: () => ({ open: 0, released: 0, not_opened: 0, failed: 0 }),
      metrics: async () => 'app_info 1\n',
      observe,
    },
    web: createWebAccess(
      accessRulesOf({
        host: '127.0.0.1',
        allowedHosts: [],
        allowedOrigins,
        trustedProxies,
        observabilityUrl: 'http://{host}:6580',
        publicUrl,
      }),
    ),
    snapshots: folder,
    transfers: new Transfers(Transfers.allocate()),
    connections: new ConnectionCap(ConnectionCap.allocate(), { max: CONNECTIONS_MAX, clock }),
    disk,
    bodyBudget: new BodyBudget(BodyBudget.allocate(), BODIES_HELD * bodyLimitBytes),
    config: { bodyLimitBytes, capabilities, writeStatusCase, publicUrl },
    clock,
    log,
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const conformance = conformanceWith(capabilities);

  return {
    url,
    dataDirectory,
    failures,
    observed,
    setState: (next) => {
      state = next;
    },
    reset: async () => {
      state = 'ready';
      for (const name of await engine.listCollections()) await engine.deleteCollection(name);
    },
    call: async (method, path, body, headers = {}) => {
      const isRaw = typeof body === 'string' || body instanceof Uint8Array || body instanceof FormData;
      const response = await fetch(url + path, {
        method,
        headers: body === undefined || body instanceof FormData ? headers : { 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: isRaw ? (body as NonNullable<RequestInit['body']>) : stringifyJson(body) }),
      });
      const text = await response.text();
      const contentType = response.headers.get('content-type');
      const fault = method === 'HEAD' ? undefined : conformance.fault({ method, path, status: response.status, contentType, text });
      const sent = path + (typeof body === 'object' && !isRaw ? stringifyJson(body) : typeof body === 'string' ? body : '');
      const wrong = fault ?? leakedPath(dataDirectory, { sent, status: response.status, text });
      if (wrong !== undefined) throw new Error(wrong);
      const isJson = contentType?.startsWith('application/json') === true && text !== '';
      return { status: response.status, headers: response.headers, text, body: isJson ? parseJson(text) : undefined };
    },
    [Symbol.asyncDispose]: async () => {
      await app.close();
      guard.close();
      await engine.close();
      store.close();
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}
