// SPDX-License-Identifier: Apache-2.0
/** Sends by OTLP over gRPC. Imported by `otlp-exporters.ts` alone, when it is needed: whoever imports it needs the packages. */
import { Metadata } from '@grpc/grpc-js';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-grpc';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-grpc';
import type { OtlpExporters, OtlpTarget } from './otlp-exporters.ts';

export const grpcExporters: OtlpExporters = {
  traces: ({ url, headers }) => new OTLPTraceExporter({ url, metadata: metadataOf(headers) }),
  metrics: ({ url, headers }) => new OTLPMetricExporter({ url, metadata: metadataOf(headers) }),
};

function metadataOf(headers: OtlpTarget['headers']): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
  return metadata;
}
