// SPDX-License-Identifier: Apache-2.0
/** Traces of a thread of this service, and metrics of the service from one of them. */
import { type Log, type MetricSource, openTelemetry, type Telemetry } from '@sextant/foundation-service';
import { systemClock } from '@sextant/foundation-std';
import { PRODUCT } from '../product.ts';
import type { NamedRun } from './messages.ts';

export function openThreadTelemetry(
  { configuration, startedMs, instanceId }: NamedRun,
  { thread, metrics, log }: { readonly thread: string; readonly metrics?: MetricSource | undefined; readonly log: Log },
): Promise<Telemetry | undefined> {
  return openTelemetry({
    configuration,
    service: { name: 'sextant-vector', version: PRODUCT.version, instanceId, startedMs },
    thread,
    ...(metrics && { metrics }),
    clock: systemClock,
    log,
  });
}
