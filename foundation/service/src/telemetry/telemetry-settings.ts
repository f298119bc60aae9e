// SPDX-License-Identifier: Apache-2.0
/**
 * Where traces and metrics are sent, by the names of OpenTelemetry (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/).
 * Other variables of that specification, such as OTEL_BSP_SCHEDULE_DELAY or OTEL_EXPORTER_OTLP_CERTIFICATE, are read by its packages themselves.
 */
import { isIP } from 'node:net';
import type { Configuration } from '../configuration.ts';
import { choice, integer, text, toggle } from '../setting.ts';

const EXPORTERS = ['otlp', 'none'] as const;
const PROTOCOLS = ['http/protobuf', 'grpc'] as const;
export type OtlpProtocol = (typeof PROTOCOLS)[number];
export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export const telemetrySettings = {
  otlpEndpoint: text({
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    meaning:
      'OTLP endpoint for traces and metrics, such as http://localhost:4318 (http://localhost:4317 with gRPC). If not set, the service sends no traces or metrics',
  }),
  otlpTracesEndpoint: text({
    name: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    meaning: 'Full address of the OTLP endpoint for traces',
    fallbackText: 'OTEL_EXPORTER_OTLP_ENDPOINT, with the path /v1/traces over HTTP',
  }),
  otlpMetricsEndpoint: text({
    name: 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
    meaning: 'Full address of the OTLP endpoint for metrics',
    fallbackText: 'OTEL_EXPORTER_OTLP_ENDPOINT, with the path /v1/metrics over HTTP',
  }),
  otlpHeaders: text({
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    meaning: 'Headers of the requests to the OTLP endpoints, as name=value,name=value with percent-encoded values',
    secret: true,
  }),
  otlpProtocol: choice({
    name: 'OTEL_EXPORTER_OTLP_PROTOCOL',
    meaning: 'OTLP protocol: protobuf over HTTP, or gRPC',
    fallback: 'http/protobuf',
    words: PROTOCOLS,
  }),
  tracesExporter: choice({ name: 'OTEL_TRACES_EXPORTER', meaning: 'Whether traces are sent', fallback: 'otlp', words: EXPORTERS }),
  metricsExporter: choice({ name: 'OTEL_METRICS_EXPORTER', meaning: 'Whether metrics are sent', fallback: 'otlp', words: EXPORTERS }),
  telemetryDisabled: toggle({
    name: 'OTEL_SDK_DISABLED',
    meaning: 'Disable OpenTelemetry, whatever its other settings are',
    fallback: false,
  }),
  telemetryServiceName: text({
    name: 'OTEL_SERVICE_NAME',
    meaning: 'Name of the service in traces and metrics',
    fallbackText: 'sextant-vector or sextant-observability',
  }),
  telemetryResourceAttributes: text({
    name: 'OTEL_RESOURCE_ATTRIBUTES',
    meaning: 'Further resource attributes of traces and metrics, as name=value,name=value',
  }),
  tracesSampler: choice({
    name: 'OTEL_TRACES_SAMPLER',
    meaning: 'Sampler of traces. The parentbased_ samplers follow the decision of the caller if the request already belongs to a trace',
    fallback: 'parentbased_always_on',
    words: SAMPLERS,
  }),
  tracesSamplerArg: text({
    name: 'OTEL_TRACES_SAMPLER_ARG',
    meaning: 'Share of requests that the traceidratio samplers trace, from 0 to 1',
    fallbackText: '1',
  }),
  metricExportIntervalMs: integer({
    name: 'OTEL_METRIC_EXPORT_INTERVAL',
    meaning: 'Interval at which metrics are sent, in milliseconds',
    fallback: 60_000,
    min: 100,
    max: 86_400_000,
  }),
} as const;

export type TelemetryConfiguration = Configuration<typeof telemetrySettings>;

export type TelemetryTargets = { readonly traces: string | undefined; readonly metrics: string | undefined };

/** Undefined where nothing is sent. */
export function telemetryTargets(configuration: TelemetryConfiguration): TelemetryTargets | undefined {
  const { otlpEndpoint, otlpProtocol, telemetryDisabled, tracesExporter, metricsExporter } = configuration;
  if (telemetryDisabled) return undefined;
  const below = (path: string) => {
    // Over gRPC the service is part of the call, and an address has no path.
    if (otlpEndpoint === undefined || otlpProtocol === 'grpc') return otlpEndpoint;
    return `${otlpEndpoint.replace(/\/+$/, '')}${path}`;
  };
  const traces = tracesExporter === 'none' ? undefined : (configuration.otlpTracesEndpoint ?? below('/v1/traces'));
  const metrics = metricsExporter === 'none' ? undefined : (configuration.otlpMetricsEndpoint ?? below('/v1/metrics'));
  return traces === undefined && metrics === undefined ? undefined : { traces, metrics };
}

/** Of most receivers. */
const PORTS: { readonly [Protocol in OtlpProtocol]: number } = { 'http/protobuf': 4318, grpc: 4317 };

/** What is wrong with the settings, in sentences for the operator. */
export function telemetryProblems(configuration: TelemetryConfiguration): readonly string[] {
  const { otlpProtocol } = configuration;
  const addresses = (['otlpEndpoint', 'otlpTracesEndpoint', 'otlpMetricsEndpoint'] as const).flatMap((key) => {
    const given = configuration[key];
    const { name } = telemetrySettings[key];
    // The address may hold a password, and is not repeated.
    if (given === undefined) return [];
    if (!isAddress(given)) return [`${name}: expected an http or https address such as http://localhost:${PORTS[otlpProtocol]}`];
    if (otlpProtocol !== 'grpc') return [];
    if (!isOrigin(given))
      return [`${name}: expected an address without a path, since OTEL_EXPORTER_OTLP_PROTOCOL is grpc, such as http://localhost:4317`];
    // The client names the host in the handshake, which takes no address (RFC 6066, section 3), and Node.js refuses one.
    return given.startsWith('https:') && isIP(hostOf(given)) !== 0
      ? [`${name}: expected a host name, since gRPC over TLS takes no IP address, such as https://localhost:4317`]
      : [];
  });
  const lists = (['otlpHeaders', 'telemetryResourceAttributes'] as const).flatMap((key) => {
    const given = configuration[key];
    return given === undefined || pairsIn(given) !== undefined
      ? []
      : [`${telemetrySettings[key].name}: expected name=value,name=value, with values percent-encoded`];
  });
  const share = sampledShare(configuration);
  const isShare = share >= 0 && share <= 1;
  return [
    ...addresses,
    ...lists,
    ...(isShare ? [] : [`OTEL_TRACES_SAMPLER_ARG is ${JSON.stringify(configuration.tracesSamplerArg)}; expected a number from 0 to 1`]),
  ];
}

export function sampledShare({ tracesSamplerArg }: Pick<TelemetryConfiguration, 'tracesSamplerArg'>): number {
  return tracesSamplerArg === undefined ? 1 : Number(tracesSamplerArg);
}

/** Undefined where the text is no list of this kind. */
export function pairsIn(list: string | undefined): { readonly [name: string]: string } | undefined {
  const pairs: { [name: string]: string } = {};
  for (const pair of (list ?? '').split(',').filter((each) => each.trim() !== '')) {
    const at = pair.indexOf('=');
    if (at < 1) return undefined;
    try {
      pairs[decodeURIComponent(pair.slice(0, at).trim())] = decodeURIComponent(pair.slice(at + 1).trim());
    } catch {
      return undefined;
    }
  }
  return pairs;
}

function isAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && ['http:', 'https:'].includes(url.protocol);
}

function hostOf(text: string): string {
  return URL.parse(text)?.hostname.replace(/^\[|\]$/g, '') ?? '';
}

function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && url.pathname === '/' && url.search === '';
}
