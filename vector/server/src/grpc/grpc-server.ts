// SPDX-License-Identifier: Apache-2.0
/**
 * The gRPC interface of one serving thread. It knows the calls of the protocol and who may make them; what a call means is for the
 * operations, which REST has too. Beside the protocol's own services there are the standard ones for health and reflection.
 */
import type { Socket } from 'node:net';
import { create, type DescMethod, type DescService, type Message, toBinary } from '@bufbuild/protobuf';
import {
  type Metadata,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServiceDefinition,
  type sendUnaryData,
  status,
} from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import { HealthCheckReplySchema } from '@qdrant/js-client-grpc';
import { type Call, callNamed, encodedFiles, writeAnswer } from '@sextant/contracts-protocol';
import { type Requirement, ServiceError } from '@sextant/contracts-vector';
import { CONNECTION_RETRY_SECONDS } from '@sextant/foundation-service';
import { type Clock, parseJson, type TracePlace, traced, tracerInUse } from '@sextant/foundation-std';
import { HealthImplementation } from 'grpc-health-check';
import type { Caller, Principal } from '../auth/auth.ts';
import type { FailureLog } from '../failure-log.ts';
import type { Dispatch } from '../operations/operation.ts';
import { API_COMPATIBILITY_VERSION, PRODUCT } from '../product.ts';
import type { BodyBudget } from '../resources/body-budget.ts';
import { type Admit, admissionInterceptor, createAdmission } from './admission.ts';
import { callerOf } from './caller.ts';
import { encodedAliases, methodOfProtocol, servedServices } from './service-aliases.ts';
import { type Refusal, refusalIn, refusalOf } from './status.ts';

export type CallFacts = {
  /** Undefined where the call names none, or was refused before its message was read. */
  readonly collection?: string | undefined;
  readonly method: string;
  readonly code: number;
  readonly seconds: number;
};

export type GrpcServerOptions = {
  /** Connections of both interfaces, for the sentence that refuses one more. */
  readonly connectionsMax: number;
  readonly dispatch: Dispatch;
  /** The caller's principal; throws `unauthorized` or `forbidden`. */
  readonly authorise: (caller: Caller, requirement: Requirement) => Promise<Principal> | Principal;
  readonly service: { state(): 'loading' | 'ready' | 'closing'; observeCall(call: CallFacts): void };
  readonly bodyBudget: BodyBudget;
  readonly config: { readonly bodyLimitBytes: number; readonly capabilities: readonly string[] };
  readonly clock: Clock;
  readonly log: FailureLog;
};

export type GrpcServer = {
  /** Answers the calls that come over this connection. */
  serve(socket: Socket): void;
  /** Answers them too, but with a refusal: there are as many connections as may be. It ends after the first answer. */
  refuse(socket: Socket): void;
  /** Finishes the calls in flight; cuts those that take longer, and clients that do not end their connections. No connection is left then. */
  close(graceMs: number): Promise<void>;
};

type UnaryCall = ServerUnaryCall<Buffer, Message>;
type Answer = sendUnaryData<Message>;

/** As many as HTTP/2 advises at least (RFC 9113, section 6.5.2); each may hold a message in memory. */
const CALLS_PER_CONNECTION = 100;
/** For the answer of a refused call to be read. */
const ANSWER_GRACE_MS = 200;
const OK = 0;
const ORIGIN_LENGTH_MAX = 300;
/** What the caller did wrong is no failure of the service. */
const SERVER_FAULTS: ReadonlySet<number> = new Set([
  status.UNKNOWN,
  status.DEADLINE_EXCEEDED,
  status.UNIMPLEMENTED,
  status.INTERNAL,
  status.UNAVAILABLE,
  status.DATA_LOSS,
]);

export function buildGrpcServer(options: GrpcServerOptions): GrpcServer {
  const admit = createAdmission(options);
  const refusedPeers = new Map<string, Socket>();
  const tooMany = refusalOf(new ServiceError('connections_exhausted', { max: options.connectionsMax, seconds: CONNECTION_RETRY_SECONDS }));
  const server = new Server({
    interceptors: [
      admissionInterceptor(async (method, caller, { metadata, peer }) => {
        const refused = refusedPeers.get(peer);
        if (refused === undefined) return refusalAtTheDoor([methodOfProtocol(method), caller, metadata], { ...options, admit });
        // Once the client has its answer, its connection is of no more use.
        options.clock.after(ANSWER_GRACE_MS, () => refused.destroy()).unref();
        return tooMany;
      }),
    ],
    'grpc.max_receive_message_length': options.config.bodyLimitBytes,
    'grpc.max_concurrent_streams': CALLS_PER_CONNECTION,
  });
  const served = servedServices();
  for (const { service, name } of served) addService(server, service, name, { ...options, admit });
  new HealthImplementation({ '': 'SERVING', ...Object.fromEntries(served.map(({ name }) => [name, 'SERVING'])) }).addToServer(server);
  new ReflectionService({
    protocol: { format: 'Protocol Buffer 3 DescriptorProto', type: {}, fileDescriptorProtos: [...encodedFiles(), encodedAliases()] },
  }).addToServer(server);
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  const sockets = new Set<Socket>();
  const serve = (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    injector.injectConnection(socket);
  };
  return {
    serve,
    refuse: (socket) => {
      const peer = peerOf(socket);
      refusedPeers.set(peer, socket);
      socket.once('close', () => refusedPeers.delete(peer));
      serve(socket);
    },
    close: async (graceMs) => {
      injector.drain(graceMs);
      const cut = options.clock.after(graceMs, () => {
        for (const socket of sockets) socket.destroy();
      });
      // `tryShutdown` would not wait for connections that drain. Node.js aborts when a thread ends while one of them reads.
      await Promise.all([...sockets].map((socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()))));
      cut.cancel();
      injector.destroy();
    },
  };
}

/** As the library names the other side of a call. */
function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress}:${remotePort}`;
}

type Surroundings = GrpcServerOptions & { readonly admit: Admit };

/** Undefined for a call that is let in, and for what is no call of an operation. */
async function refusalAtTheDoor(
  [method, caller, metadata]: readonly [method: string, caller: Caller, metadata: Metadata],
  { admit, service, log, clock }: Surroundings,
): Promise<Refusal | undefined> {
  const page = pageIn(metadata);
  const call = callNamed(method);
  if (call === undefined) return page && refusalOf(page);
  const startedMs = clock.monotonicMs();
  try {
    if (page !== undefined) throw page;
    await admit(method, call, caller);
    return undefined;
  } catch (error) {
    const refusal = refusalFor(error, method, log);
    service.observeCall({ method, code: refusal.code, seconds: (clock.monotonicMs() - startedMs) / 1000 });
    return refusal;
  }
}

/** No browser speaks this protocol without TLS; what says that it calls for a web page is refused all the same. */
function pageIn(metadata: Metadata): ServiceError | undefined {
  const [origin] = metadata.get('origin');
  return origin === undefined ? undefined : new ServiceError('origin_not_allowed', { origin: String(origin).slice(0, ORIGIN_LENGTH_MAX) });
}

function refusalFor(error: unknown, method: string, log: FailureLog): Refusal {
  if (error instanceof ServiceError) return refusalOf(error);
  log.error({ err: error, method }, 'a call failed outside its operation');
  return refusalOf(new ServiceError('internal'));
}

/** @param name by which the service is called */
function addService(server: Server, service: DescService, name: string, options: Surroundings): void {
  const definition: ServiceDefinition = Object.fromEntries(service.methods.map((method) => [method.name, definitionOf(name, method)]));
  const handlers = service.methods.map((method) => [method.name, handlerOf(`${service.typeName}/${method.name}`, options)]);
  server.addService(definition, Object.fromEntries(handlers));
}

/** Requests stay bytes, to be read on the thread that runs the operation. */
function definitionOf(service: string, method: DescMethod) {
  const encode = (message: Message) => Buffer.from(toBinary(method.output, message));
  const asIs = (bytes: Buffer) => bytes;
  return {
    path: `/${service}/${method.name}`,
    requestStream: false,
    responseStream: false,
    requestSerialize: asIs,
    requestDeserialize: asIs,
    responseSerialize: encode,
    responseDeserialize: asIs,
  };
}

function handlerOf(method: string, options: Surroundings) {
  const call = callNamed(method);
  const { clock, service } = options;
  const outcome = tracerInUse() === undefined ? outcomeOf : tracedOutcomeOf;
  return async (unary: UnaryCall, send: Answer) => {
    const startedMs = clock.monotonicMs();
    const { answer, refusal, collection } = await outcome(method, call, unary, options);
    if (refusal === undefined) send(null, answer);
    else send(refusal);
    service.observeCall({ collection, method, code: refusal?.code ?? OK, seconds: (clock.monotonicMs() - startedMs) / 1000 });
  };
}

type Outcome = { readonly answer?: Message; readonly refusal?: Refusal; readonly collection?: string | undefined };

/** By the names of OpenTelemetry's conventions: https://opentelemetry.io/docs/specs/semconv/rpc/grpc/ */
function tracedOutcomeOf(method: string, call: Call | undefined, unary: UnaryCall, options: Surroundings): Promise<Outcome> {
  const attributes = { 'rpc.system.name': 'grpc', 'rpc.method': method };
  return traced({ name: method, kind: 'server', attributes, parent: placeIn(unary.metadata) }, async (span) => {
    const outcome = await outcomeOf(method, call, unary, options);
    const code = outcome.refusal?.code ?? OK;
    const name = status[code] ?? String(code);
    span?.set({ 'rpc.response.status_code': name });
    if (SERVER_FAULTS.has(code)) span?.fail(name);
    return outcome;
  });
}

function placeIn(metadata: Metadata): TracePlace | undefined {
  const [traceparent] = metadata.get('traceparent');
  const [tracestate] = metadata.get('tracestate');
  if (typeof traceparent !== 'string') return undefined;
  return { traceparent, tracestate: typeof tracestate === 'string' ? tracestate : undefined };
}

async function outcomeOf(method: string, call: Call | undefined, unary: UnaryCall, options: Surroundings): Promise<Outcome> {
  try {
    if (method === 'qdrant.Qdrant/HealthCheck') return { answer: healthReply() };
    if (call === undefined) throw new ServiceError('not_implemented', { endpoint: method });
    return await run(method, call, unary, options);
  } catch (error) {
    return { refusal: refusalFor(error, method, options.log) };
  }
}

async function run(method: string, call: Call, unary: UnaryCall, { dispatch, admit, bodyBudget }: Surroundings): Promise<Outcome> {
  const caller = callerOf(unary.metadata, unary.getPeer());
  const principal = await admit(method, call, caller);
  const body = unary.request;
  const release = bodyBudget.take(body.length);
  try {
    const reply = await dispatch({ operation: call.operation, params: {}, query: {}, body, call: method, caller, principal });
    const refusal = refusalIn(reply);
    const { collection } = reply;
    if (refusal !== undefined) return { refusal, collection };
    // The envelope that every operation behind a call has.
    const { result, time } = parseJson(reply.body) as { readonly result: unknown; readonly time: number };
    return { answer: writeAnswer(call.output, { result, time }), collection };
  } finally {
    release();
  }
}

function healthReply(): Message {
  return create(HealthCheckReplySchema, { title: PRODUCT.title, version: API_COMPATIBILITY_VERSION });
}
