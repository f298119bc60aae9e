// SPDX-License-Identifier: Apache-2.0
import { systemClock, traced, tracePlace } from '@sextant/foundation-std';
import {
  certificateAuthority,
  loadedModules,
  OTLP_PROTOCOLS,
  opensslProblem,
  otlpReceiver,
  temporaryDirectory,
} from '@sextant/foundation-testing';
import { describe, expect, test, vi } from 'vitest';
import { readConfiguration } from '../configuration.ts';
import type { GatheredMetric } from '../metrics.ts';
import { openTelemetry, type Telemetry } from './open-telemetry.ts';
import { SAMPLERS, telemetryProblems, telemetrySettings, telemetryTargets } from './telemetry-settings.ts';

const OUTER = '4bf92f3577b34da6a3ce929d0e0e4736';

function configurationOf(environment: { readonly [name: string]: string }) {
  const outcome = readConfiguration(telemetrySettings, environment, []);
  if (outcome.kind !== 'ready') throw new Error(JSON.stringify(outcome));
  return outcome.configuration;
}

async function opened(environment: { readonly [name: string]: string }, metrics?: () => Promise<readonly GatheredMetric[]>) {
  const warnings: string[] = [];
  const telemetry = await openTelemetry({
    configuration: configurationOf(environment),
    service: { name: 'tested', version: '1', instanceId: 'i', startedMs: 1_700_000_000_000 },
    thread: 'main',
    ...(metrics && { metrics }),
    clock: systemClock,
    log: { warn: (_details, message) => void warnings.push(message) },
  });
  return { telemetry, warnings };
}

const close = (telemetry: Telemetry | undefined) => telemetry?.close();

test('without a receiver no package of OpenTelemetry is loaded, and a step is run as it is', async () => {
  const { telemetry } = await opened({});
  expect(telemetry).toBeUndefined();
  expect(await traced({ name: 'step' }, async (span) => [span, tracePlace()])).toEqual([undefined, undefined]);
  expect(loadedModules(['./open-telemetry.ts'], import.meta.url).filter((url) => url.includes('@opentelemetry'))).toEqual([]);
});

test.each([
  [{}, undefined],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/' }, { traces: 'http://c:4318/v1/traces', metrics: 'http://c:4318/v1/metrics' }],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_SDK_DISABLED: 'true' }, undefined],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c/x', OTEL_TRACES_EXPORTER: 'none' },
    { traces: undefined, metrics: 'http://c/x/v1/metrics' },
  ],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://t/in' }, { traces: 'https://t/in', metrics: undefined }],
  [
    { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4317', OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'https://m' },
    { traces: 'http://c:4317', metrics: 'https://m' },
  ],
])('%j sends to %j', (environment, targets) => {
  expect(telemetryTargets(configurationOf(environment))).toEqual(targets);
});

test.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT: expected an http or https address'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'c:4317', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'such as http://localhost:4317'],
  [
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c:4318/v1/traces', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: expected an address without a path',
  ],
  [
    { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'https://10.0.0.7:4317', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: expected a host name, since gRPC over TLS takes no IP address',
  ],
  [
    { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'https://[::1]:4317', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: expected a host name, since gRPC over TLS takes no IP address',
  ],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'key' }, 'OTEL_EXPORTER_OTLP_HEADERS: expected name=value,name=value'],
  [{ OTEL_RESOURCE_ATTRIBUTES: 'a=%zz' }, 'OTEL_RESOURCE_ATTRIBUTES: expected name=value,name=value'],
  [{ OTEL_TRACES_SAMPLER_ARG: '2' }, 'OTEL_TRACES_SAMPLER_ARG is "2"; expected a number from 0 to 1'],
])('%j is refused', (environment, sentence) => {
  expect(telemetryProblems(configurationOf(environment))).toEqual([expect.stringContaining(sentence)]);
});

test.each(OTLP_PROTOCOLS)(
  'by %s: a caller who does not trace is followed, and a failing step is an error of its span',
  async (protocol) => {
    await using receiver = await otlpReceiver(protocol);
    const { telemetry } = await opened({
      OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b',
      OTEL_METRICS_EXPORTER: 'none',
    });
    const untraced = { traceparent: `00-${OUTER}-00f067aa0ba902b7-00` };
    await traced({ name: 'untraced', parent: untraced }, async () => {
      expect(tracePlace()?.traceparent).toMatch(new RegExp(`^00-${OUTER}-[0-9a-f]{16}-00$`));
    });
    const failing = traced({ name: 'failing', parent: { traceparent: 'nonsense' } }, async () => {
      throw new TypeError('of somebody');
    });
    await expect(failing).rejects.toThrow('of somebody');
    await close(telemetry);
    expect(receiver.spans.map(({ name, status, parentSpanId }) => [name, status, parentSpanId])).toEqual([['failing', 2, '']]);
    expect(receiver.headers[0]).toMatchObject({ 'x-key': 'a b' });
    expect(tracePlace()).toBeUndefined();
  },
);

test.each(SAMPLERS)('with %s a step is recorded with the step that it is part of, and all of a trace agree', async (sampler) => {
  await using receiver = await otlpReceiver();
  const { telemetry } = await opened({
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_METRICS_EXPORTER: 'none',
    OTEL_TRACES_SAMPLER: sampler,
    OTEL_TRACES_SAMPLER_ARG: '0.5',
  });
  const recorded: (readonly (boolean | undefined)[])[] = [];
  for (let request = 0; request < 40; request++) {
    await traced({ name: 'outer' }, async (outer) => {
      const place = tracePlace();
      await traced({ name: 'inner', attributes: { request } }, async (inner) => {
        expect(tracePlace()?.traceparent.split('-')[1]).toBe(place?.traceparent.split('-')[1]);
        recorded.push([outer?.isRecorded, inner?.isRecorded]);
      });
    });
  }
  await close(telemetry);
  const whole = recorded.filter(([outer]) => outer);
  expect(recorded.filter(([outer, inner]) => outer !== inner)).toEqual([]);
  if (sampler.endsWith('traceidratio')) expect(whole.length).toBeGreaterThan(0);
  if (!sampler.endsWith('always_on')) expect(whole.length).toBeLessThan(40);
  expect(receiver.spans.filter(({ name }) => name === 'inner').map(({ attributes }) => typeof attributes.request)).toEqual(
    whole.map(() => 'number'),
  );
  expect(receiver.spans.length).toBe(2 * whole.length);
});

test.each(OTLP_PROTOCOLS)('by %s: metrics keep their names, labels and counts; a histogram counts between its bounds', async (protocol) => {
  await using receiver = await otlpReceiver(protocol);
  const bucket = (le: number | string, value: number) => ({ labels: { le, endpoint: '/a' }, value, metricName: 'took_seconds_bucket' });
  const environment = { OTEL_EXPORTER_OTLP_PROTOCOL: protocol, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_TRACES_EXPORTER: 'none' };
  const { telemetry } = await opened(environment, async () => [
    { name: 'open', help: 'Open', type: 'gauge', values: [{ labels: { id: 'c' }, value: 3 }] },
    { name: 'answers_total', help: 'Answers', type: 'counter', values: [{ labels: {}, value: 7 }] },
    {
      name: 'took_seconds',
      help: 'Took',
      type: 'histogram',
      values: [
        bucket(1, 2),
        bucket(5, 5),
        bucket('+Inf', 6),
        { labels: { endpoint: '/a' }, value: 30, metricName: 'took_seconds_sum' },
        { labels: { endpoint: '/a' }, value: 6, metricName: 'took_seconds_count' },
      ],
    },
  ]);
  await close(telemetry);
  expect(receiver.metrics.map(({ name, kind, points }) => ({ name, kind, points }))).toEqual([
    { name: 'open', kind: 'gauge', points: [{ attributes: { id: 'c' }, value: 3, bucketCounts: [] }] },
    { name: 'answers_total', kind: 'sum', points: [{ attributes: {}, value: 7, bucketCounts: [] }] },
    { name: 'took_seconds', kind: 'histogram', points: [{ attributes: { endpoint: '/a' }, value: 30, bucketCounts: [2, 3, 1] }] },
  ]);
});

test('the protocol that is not in use is not loaded', () => {
  const loaded = (path: string) => loadedModules([path], import.meta.url).filter((url) => /otlp-(http|grpc)|grpc-js/.test(url));
  expect(loaded('./otel-sdk.ts')).toEqual([]);
  expect(loaded('./otlp-http.ts').filter((url) => url.includes('grpc'))).toEqual([]);
});

test.each(OTLP_PROTOCOLS)('by %s: a receiver that refuses is logged once', async (protocol) => {
  await using receiver = await otlpReceiver('http/protobuf');
  const elsewhere = protocol === 'grpc' ? receiver.url : `${receiver.url}/elsewhere`;
  const { telemetry, warnings } = await opened(
    { OTEL_EXPORTER_OTLP_PROTOCOL: protocol, OTEL_EXPORTER_OTLP_ENDPOINT: elsewhere, OTEL_METRIC_EXPORT_INTERVAL: '100' },
    async () => [],
  );
  await traced({ name: 'step' }, async () => undefined);
  await close(telemetry);
  expect(warnings).toEqual(['traces or metrics cannot be sent']);
});

describe.skipIf(opensslProblem() !== undefined)('over TLS', () => {
  test.each(OTLP_PROTOCOLS)('by %s: a receiver gets the spans where its authority is trusted, and none elsewhere', async (protocol) => {
    await using directory = await temporaryDirectory();
    const authority = await certificateAuthority(directory.path);
    const { client } = await authority.issue('collector');
    await using receiver = await otlpReceiver(protocol, { cert: client.cert ?? '', key: client.key ?? '' });
    const sent = async (step: string) => {
      const environment = {
        OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url.replace('127.0.0.1', 'localhost'),
        OTEL_METRICS_EXPORTER: 'none',
      };
      const { telemetry, warnings } = await opened(environment);
      await traced({ name: step }, async () => undefined);
      await close(telemetry);
      return warnings;
    };
    vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '1000');
    expect(await sent('distrusted')).toEqual(['traces or metrics cannot be sent']);
    vi.stubEnv('OTEL_EXPORTER_OTLP_CERTIFICATE', authority.caFile);
    expect(await sent('trusted')).toEqual([]);
    vi.unstubAllEnvs();
    expect(receiver.spans.map(({ name }) => name)).toEqual(['trusted']);
  });
});
