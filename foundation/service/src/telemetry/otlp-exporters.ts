// SPDX-License-Identifier: Apache-2.0
/** What sends traces and metrics, by the protocol of the receivers: only that of the one in use is loaded. */
import type { PushMetricExporter } from '@opentelemetry/sdk-metrics';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { OtlpProtocol } from './telemetry-settings.ts';

export type OtlpTarget = { readonly url: string; readonly headers: { readonly [name: string]: string } };

export type OtlpExporters = {
  traces(target: OtlpTarget): SpanExporter;
  metrics(target: OtlpTarget): PushMetricExporter;
};

export async function loadExporters(protocol: OtlpProtocol): Promise<OtlpExporters> {
  switch (protocol) {
    case 'http/protobuf':
      return (await import('./otlp-http.ts')).httpExporters;
    case 'grpc':
      return (await import('./otlp-grpc.ts')).grpcExporters;
  }
}
