// SPDX-License-Identifier: Apache-2.0
/**
 * Stands in for somebody else's collector: takes traces and metrics by OTLP over HTTP or gRPC, with messages as they are published
 * (https://github.com/open-telemetry/opentelemetry-proto), as far as tests look at them.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Server, ServerCredentials, type ServiceDefinition, type UntypedServiceImplementation } from '@grpc/grpc-js';
import protobuf from 'protobufjs';

type ReceivedValue = string | number | boolean | readonly ReceivedValue[] | undefined;
type Attributes = { readonly [name: string]: ReceivedValue };

export type ReceivedSpan = {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty where the trace begins. */
  readonly parentSpanId: string;
  readonly name: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number;
  readonly durationMs: number;
  readonly attributes: Attributes;
  /** 2 for an error. */
  readonly status: number;
  readonly resource: Attributes;
};

export type ReceivedMetric = {
  readonly name: string;
  readonly kind: 'gauge' | 'sum' | 'histogram';
  readonly points: readonly { readonly attributes: Attributes; readonly value: number; readonly bucketCounts: readonly number[] }[];
  readonly resource: Attributes;
};

export type OtlpReceiver = AsyncDisposable & {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  readonly metrics: readonly ReceivedMetric[];
  readonly headers: readonly IncomingMessage['headers'][];
};

const MESSAGES = protobuf.parse(
  `syntax = "proto3";
  message Traces { repeated ResourceSpans resource = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope = 2; }
  message ScopeSpans { repeated Span spans = 2; }
  message Span {
    bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5; int32 kind = 6;
    fixed64 start = 7; fixed64 end = 8; repeated KeyValue attributes = 9; Status status = 15;
  }
  message Status { int32 code = 3; }
  message Metrics { repeated ResourceMetrics resource = 1; }
  message ResourceMetrics { Resource resource = 1; repeated ScopeMetrics scope = 2; }
  message ScopeMetrics { repeated Metric metrics = 2; }
  message Metric { string name = 1; oneof data { Points gauge = 5; Points sum = 7; Histogram histogram = 9; } }
  message Points { repeated Point points = 1; }
  message Point { double as_double = 4; sfixed64 as_int = 6; repeated KeyValue attributes = 7; }
  message Histogram { repeated HistogramPoint points = 1; }
  message HistogramPoint { fixed64 count = 4; double sum = 5; repeated fixed64 bucket_counts = 6; repeated KeyValue attributes = 9; }
  message Resource { repeated KeyValue attributes = 1; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue { oneof value { string s = 1; bool b = 2; int64 i = 3; double d = 4; Array a = 5; } }
  message Array { repeated AnyValue values = 1; }`,
  { keepCase: true },
).root;

type Json = { readonly [name: string]: unknown };

export const OTLP_PROTOCOLS = ['http/protobuf', 'grpc'] as const;
type OtlpProtocol = (typeof OTLP_PROTOCOLS)[number];

/** What was sent, kept. */
type Take = (kind: 'Traces' | 'Metrics', body: Uint8Array, headers: IncomingMessage['headers']) => void;

/** The certificate that it shows, and the key, as PEM. */
type ReceiverTls = { readonly cert: string; readonly key: string };

/** @param tls without it, it speaks plain text */
export async function otlpReceiver(protocol: OtlpProtocol = 'http/protobuf', tls?: ReceiverTls): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const metrics: ReceivedMetric[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const { url, close } = await (protocol === 'grpc' ? listenByGrpc : listenByHttp)(tls, (kind, body, headersOfRequest) => {
    headers.push(headersOfRequest);
    for (const group of listIn(decode(kind, body).resource)) {
      const resource = attributesIn(membersOf(group.resource).attributes);
      const scopes = listIn(group.scope);
      if (kind === 'Traces') spans.push(...scopes.flatMap((scope) => listIn(scope.spans).map((span) => spanOf(span, resource))));
      else metrics.push(...scopes.flatMap((scope) => listIn(scope.metrics).map((metric) => metricOf(metric, resource))));
    }
  });
  return { url, spans, metrics, headers, [Symbol.asyncDispose]: close };
}

type Listener = { readonly url: string; readonly close: () => Promise<void> };

async function listenByHttp(tls: ReceiverTls | undefined, take: Take): Promise<Listener> {
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request as AsyncIterable<Uint8Array>) chunks.push(chunk);
    const isTraces = request.url === '/v1/traces';
    if (request.headers['content-type'] !== 'application/x-protobuf' || !(isTraces || request.url === '/v1/metrics')) {
      return void response.writeHead(404).end();
    }
    take(isTraces ? 'Traces' : 'Metrics', Buffer.concat(chunks), request.headers);
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  };
  const listener = (request: IncomingMessage, response: ServerResponse) => void handle(request, response);
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    // A server on a host and port has an address of this form.
    url: `${schemeOf(tls)}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function listenByGrpc(tls: ReceiverTls | undefined, take: Take): Promise<Listener> {
  const server = new Server();
  for (const [kind, name] of [
    ['Traces', 'trace.v1.TraceService'],
    ['Metrics', 'metrics.v1.MetricsService'],
  ] as const) {
    const bytes = (message: Buffer) => message;
    const path = `/opentelemetry.proto.collector.${name}/Export`;
    const codecs = { requestSerialize: bytes, requestDeserialize: bytes, responseSerialize: bytes, responseDeserialize: bytes };
    const service: ServiceDefinition = { Export: { path, requestStream: false, responseStream: false, ...codecs } };
    const implementation: UntypedServiceImplementation = {
      Export: (
        call: { readonly request: Buffer; readonly metadata: { getMap(): { readonly [key: string]: unknown } } },
        reply: (error: Error | null, answer: Buffer) => void,
      ) => {
        const headers = Object.entries(call.metadata.getMap()).map(([key, value]) => [key, String(value)]);
        take(kind, call.request, Object.fromEntries(headers));
        reply(null, Buffer.alloc(0));
      },
    };
    server.addService(service, implementation);
  }
  const credentials =
    tls === undefined
      ? ServerCredentials.createInsecure()
      : ServerCredentials.createSsl(null, [{ cert_chain: Buffer.from(tls.cert), private_key: Buffer.from(tls.key) }]);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', credentials, (error, bound) => (error === null ? resolve(bound) : reject(error)));
  });
  return { url: `${schemeOf(tls)}://127.0.0.1:${port}`, close: async () => server.forceShutdown() };
}

function schemeOf(tls: ReceiverTls | undefined): string {
  return tls === undefined ? 'http' : 'https';
}

function decode(name: string, bytes: Uint8Array): Json {
  const type = MESSAGES.lookupType(name);
  return type.toObject(type.decode(bytes), { longs: Number, bytes: String, arrays: true });
}

function spanOf(span: Json, resource: Attributes): ReceivedSpan {
  const hex = (bytes: unknown) => Buffer.from(typeof bytes === 'string' ? bytes : '', 'base64').toString('hex');
  return {
    traceId: hex(span.trace_id),
    spanId: hex(span.span_id),
    parentSpanId: hex(span.parent_span_id),
    name: String(span.name),
    kind: Number(span.kind),
    durationMs: (Number(span.end) - Number(span.start)) / 1e6,
    attributes: attributesIn(span.attributes),
    status: Number(membersOf(span.status).code ?? 0),
    resource,
  };
}

function metricOf(metric: Json, resource: Attributes): ReceivedMetric {
  const kind = metric.gauge !== undefined ? 'gauge' : metric.sum !== undefined ? 'sum' : 'histogram';
  const points = listIn(membersOf(metric[kind]).points).map((point) => ({
    attributes: attributesIn(point.attributes),
    value: Number(point.as_double ?? point.as_int ?? point.sum ?? 0),
    bucketCounts: (Array.isArray(point.bucket_counts) ? point.bucket_counts : []).map(Number),
  }));
  return { name: String(metric.name), kind, points, resource };
}

function attributesIn(list: unknown): Attributes {
  return Object.fromEntries(listIn(list).map(({ key, value }) => [String(key), anyValueOf(membersOf(value))]));
}

function anyValueOf({ s, b, i, d, a }: Json): ReceivedValue {
  if (a !== undefined) return listIn(membersOf(a).values).map(anyValueOf);
  // By their messages.
  return (s ?? b ?? i ?? d) as ReceivedValue;
}

function listIn(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(membersOf) : [];
}

function membersOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
