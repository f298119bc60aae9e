// SPDX-License-Identifier: Apache-2.0
/**
 * Traces and metrics of one thread by OpenTelemetry. Its packages are loaded where a receiver is configured and nowhere else; they are optional extras of a
 * clone, and part of what is published.
 */
import type { Clock } from '@sextant/foundation-std';
import type { GatheredMetric } from '../metrics.ts';
import { type OtlpProtocol, type TelemetryConfiguration, telemetryTargets } from './telemetry-settings.ts';

export type MetricSource = () => Promise<readonly GatheredMetric[]>;

export type TelemetryOptions = {
  readonly configuration: TelemetryConfiguration;
  readonly service: { readonly name: string; readonly version: string; readonly instanceId: string; readonly startedMs: number };
  /** What this thread is for. */
  readonly thread: string;
  /** Of the thread that tells the metrics of the whole service. */
  readonly metrics?: MetricSource;
  readonly clock: Clock;
  readonly log: { warn(details: object, message: string): void };
};

export type Telemetry = {
  /** Sends what was recorded, as far as the receiver takes it within a moment. */
  close(): Promise<void>;
};

const PACKAGES = [
  '@opentelemetry/api',
  '@opentelemetry/context-async-hooks',
  '@opentelemetry/core',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-metrics',
  '@opentelemetry/sdk-trace',
];

const EXPORTER_PACKAGES: { readonly [Protocol in OtlpProtocol]: readonly string[] } = {
  'http/protobuf': ['@opentelemetry/exporter-metrics-otlp-proto', '@opentelemetry/exporter-trace-otlp-proto'],
  grpc: ['@grpc/grpc-js', '@opentelemetry/exporter-metrics-otlp-grpc', '@opentelemetry/exporter-trace-otlp-grpc'],
};

/** Undefined where no receiver is configured. `missingTelemetry` says beforehand whether the packages are there. */
export async function openTelemetry(options: TelemetryOptions): Promise<Telemetry | undefined> {
  const targets = telemetryTargets(options.configuration);
  if (targets === undefined) return undefined;
  const { exporters, startTelemetry } = await load(options.configuration.otlpProtocol);
  return startTelemetry(targets, exporters, options);
}

/** Why telemetry cannot be sent as it is configured, for the operator; undefined where it can, or need not. */
export async function missingTelemetry(configuration: TelemetryConfiguration): Promise<string | undefined> {
  if (telemetryTargets(configuration) === undefined) return undefined;
  const { otlpProtocol } = configuration;
  try {
    await load(otlpProtocol);
    return undefined;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    const sentence = 'OTEL_EXPORTER_OTLP_ENDPOINT needs packages that are not installed with the service; run';
    return `${sentence} \`npm install ${[...PACKAGES, ...EXPORTER_PACKAGES[otlpProtocol]].join(' ')}\` beside it and start it again`;
  }
}

async function load(protocol: OtlpProtocol) {
  const { startTelemetry } = await import('./otel-sdk.ts');
  const { loadExporters } = await import('./otlp-exporters.ts');
  return { startTelemetry, exporters: await loadExporters(protocol) };
}
