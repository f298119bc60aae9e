// SPDX-License-Identifier: Apache-2.0
/** Traces and metrics of both services at a receiver of OpenTelemetry, and the log of requests, across threads, processes and calls that go out. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { QdrantClient } from '@qdrant/js-client-grpc';
import {
  embeddingEndpoint,
  type OTLP_PROTOCOLS,
  type OtlpReceiver,
  otlpReceiver,
  temporaryDirectory,
  wordVector,
} from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { adminApi, startObservabilityServer } from '../observability/observability-server.ts';
import { DEFAULT_PROJECT, scan, uploadAsset } from '../observability/scanning.ts';
import { grpcAddressOf, startVectorServer } from '../vector-server.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';
const HEADERS = { traceparent: `00-${TRACE}-${CALLER}-01`, tracestate: 'vendor=1' };

function telemetryTo(receiver: OtlpReceiver, protocol: (typeof OTLP_PROTOCOLS)[number]) {
  return {
    OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    OTEL_METRIC_EXPORT_INTERVAL: '60000',
  };
}

/** Follows the parents of a span to where its trace was taken up. */
function pathOf(receiver: OtlpReceiver, spanId: string): readonly string[] {
  const span = receiver.spans.find((each) => each.spanId === spanId);
  return span === undefined ? [spanId] : [...pathOf(receiver, span.parentSpanId), span.name];
}

function namedIn(receiver: OtlpReceiver, name: string) {
  const span = receiver.spans.find((each) => each.name === name);
  if (span === undefined) throw new Error(`no span ${name} among ${receiver.spans.map((each) => each.name).join(', ')}`);
  return span;
}

test('a request of the vector service is one trace over its threads and the endpoint that it asks, and is noted where it is slow', async () => {
  await using directory = await temporaryDirectory();
  await using receiver = await otlpReceiver('grpc');
  await using endpoint = await embeddingEndpoint();
  await using server = await startVectorServer({
    directory: directory.path,
    environment: {
      ...telemetryTo(receiver, 'grpc'),
      SERVICE_THREADS: '1',
      SERVICE_EMBEDDING_URL: endpoint.url,
      SERVICE_EMBEDDING_MODELS: 'words',
      SERVICE_REQUEST_LOG: 'slow',
      SERVICE_SLOW_REQUEST_MS: '0',
    },
  });
  const { client } = server;
  await client.request('PUT', '/collections/c', { vectors: { size: wordVector('').length, distance: 'Cosine' } }, { headers: HEADERS });
  const points = [{ id: 1, vector: { text: 'secret words', model: 'words' } }];
  await client.request('PUT', '/collections/c/points', { points }, { headers: HEADERS });
  await client.request('POST', '/collections/c/points/query', { query: wordVector('a dog') }, { headers: HEADERS });
  const grpc = new QdrantClient({ url: grpcAddressOf(server), https: false });
  await grpc.api('points').count({ collectionName: 'c' });
  const page = await (await fetch(`${server.address}/metrics`)).text();
  await server.stop();

  const search = namedIn(receiver, 'query_points');
  expect(search).toMatchObject({ traceId: TRACE, attributes: { 'db.collection.name': 'c', 'thread.name': 'serving' } });
  expect(search.attributes['sextant.search.plans']).toEqual([expect.stringMatching(/^[a-z-]+ for \d+/)]);
  expect(pathOf(receiver, search.spanId)).toEqual([CALLER, 'POST /collections/{collection_name}/points/query', 'query_points']);
  const write = namedIn(receiver, 'upsert_points');
  expect(write).toMatchObject({ traceId: TRACE, kind: 1, attributes: { 'thread.name': 'writer' } });
  const [call] = endpoint.calls;
  const [, traceOfCall, spanOfCall = ''] = call?.traceparent?.split('-') ?? [];
  expect(traceOfCall).toBe(TRACE);
  expect(pathOf(receiver, spanOfCall)).toEqual([CALLER, 'PUT /collections/{collection_name}/points', 'upsert_points', 'POST']);
  const own = namedIn(receiver, 'qdrant.Points/Count');
  expect(own).toMatchObject({ kind: 2, parentSpanId: '', attributes: { 'rpc.system.name': 'grpc', 'rpc.response.status_code': 'OK' } });
  expect(pathOf(receiver, namedIn(receiver, 'count_points').spanId)).toEqual(['', 'qdrant.Points/Count', 'count_points']);
  expect(search.resource).toMatchObject({ 'service.name': 'sextant-vector', 'deployment.environment.name': 'test' });
  expect(receiver.headers[0]).toMatchObject({ 'x-key': 'a b' });
  expect(JSON.stringify(receiver.spans)).not.toContain('secret');

  const sent = new Set(receiver.metrics.map(({ name }) => name));
  const shown = [...page.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
  expect(shown.filter((name) => name !== undefined && !sent.has(name))).toEqual([]);
  const responses = receiver.metrics.findLast(({ name }) => name === 'rest_responses_duration_seconds');
  const counts = responses?.points.find(
    ({ attributes }) => attributes.endpoint === '/collections/{collection_name}/points/query',
  )?.bucketCounts;
  expect(counts?.reduce((sum, count) => sum + count, 0)).toBe(1);

  const lines = server.log.filter((line) => line.includes('"slow request"'));
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { operation: 'create_collection', thread: 'writer', transport: 'rest', collection: 'c', actor: 'anonymous', status: 200 },
    { operation: 'upsert_points', thread: 'writer', endpoint: 'PUT /collections/{collection_name}/points' },
    {
      operation: 'query_points',
      thread: 'serving',
      plans: [{ plan: expect.any(String), vector: '', count: expect.any(Number), candidates: null }],
    },
    { operation: 'count_points', thread: 'serving', transport: 'grpc', endpoint: 'qdrant.Points/Count' },
  ]);
  expect(lines.join('\n')).not.toContain('secret');
});

test('a scan belongs to the trace of the request for it, with the statements of its process and the webhook that hears of it', async () => {
  await using directory = await temporaryDirectory();
  await using receiver = await otlpReceiver('http/protobuf');
  const heard: (string | undefined)[] = [];
  const hook = createServer((request, response) => {
    heard.push(request.headers.traceparent?.toString());
    response.end();
  });
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  const { port } = hook.address() as AddressInfo;
  await using server = await startObservabilityServer({
    directory: join(directory.path, 'observability'),
    environment: { ...telemetryTo(receiver, 'http/protobuf'), OBSERVABILITY_ALLOW_PRIVATE_NETWORKS: 'true' },
  });
  const api = await adminApi(server);
  const asset = await uploadAsset(api, { file: 'a.csv', bytes: Buffer.from('id,secret_name\n1,hidden\n2,\n') });
  const webhook = { webhook_url: `http://127.0.0.1:${port}/token-in-path` };
  await api.call('update_asset', { project_id: DEFAULT_PROJECT, asset_id: asset.id }, { body: webhook });
  expect((await scan(api, asset.id)).status).toBe('FINISHED');
  await expect.poll(() => heard.length).toBeGreaterThan(0);
  await server.stop();
  hook.closeAllConnections();
  hook.close();

  const work = namedIn(receiver, 'scan');
  const request = receiver.spans.find(({ spanId }) => spanId === work.parentSpanId);
  expect(request).toMatchObject({ kind: 2, traceId: work.traceId, resource: { 'service.name': 'sextant-observability' } });
  expect(request?.attributes).toMatchObject({ 'http.request.method': 'POST', 'http.response.status_code': 200 });
  expect(work).toMatchObject({ kind: 5, attributes: { 'sextant.asset': asset.id } });
  const statement = namedIn(receiver, 'duckdb query');
  expect(statement).toMatchObject({ traceId: request?.traceId, attributes: { 'db.system.name': 'duckdb' } });
  expect(pathOf(receiver, statement.spanId)).toContain('scan');
  expect(pathOf(receiver, namedIn(receiver, 'evaluate').spanId).slice(-2)).toEqual(['scan', 'evaluate']);
  const [, , spanOfCall = ''] = heard[0]?.split('-') ?? [];
  expect(pathOf(receiver, spanOfCall)).toEqual(['', 'deliver', 'POST']);
  expect(JSON.stringify(receiver.spans)).not.toMatch(/secret_name|hidden|token-in-path/);
  expect(receiver.metrics.map(({ name }) => name)).toContain('scans_running');
});
