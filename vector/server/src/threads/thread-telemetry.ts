// SPDX-License-Identifier: Apache-2.0
/** Traces of a thread of this service, and metrics of the service from one of them. */
import { type Log, openTelemetry, type Telemetry } from '@sextant/foundation-service';
import { gatherMetrics, type MetricsPage } from '@sextant/foundation-service/http';
import { systemClock } from '@sextant/foundation-std';
import { PRODUCT } from '../product.ts';
import type { NamedRun } from './messages.ts';

export function openThreadTelemetry(
  { configuration, startedMs, instanceId }: NamedRun,
  { thread, metrics, log }: { readonly thread: string; readonly metrics?: (() => Promise<MetricsPage>) | undefined; readonly log: Log },
): Promise<Telemetry | undefined> {
  return openTelemetry({
    configuration,
    service: { name: 'sextant-vector', version: PRODUCT.version, instanceId, startedMs },
    thread,
    ...(metrics && { metrics: async () => gatherMetrics(await metrics()) }),
    clock: systemClock,
    log,
  });
}
