// SPDX-License-Identifier: Apache-2.0
/** Sends by OTLP over HTTP. Imported by `otlp-exporters.ts` alone, when it is needed: whoever imports it needs the packages. */
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import type { OtlpExporters } from './otlp-exporters.ts';

export const httpExporters: OtlpExporters = {
  traces: ({ url, headers }) => new OTLPTraceExporter({ url, headers: { ...headers } }),
  metrics: ({ url, headers }) => new OTLPMetricExporter({ url, headers: { ...headers } }),
};
