// SPDX-License-Identifier: Apache-2.0
import type { ScanLimits } from '@sextant/observability-scan';
import type { ObservabilityConfiguration } from '../configuration.ts';

/** Files that scans put on disk for a while. */
export const TEMPORARY_BYTES = 64 * 1024 ** 3;
const THREADS = 2;

/** What each scan may take. */
export function scanLimits(configuration: ObservabilityConfiguration, temporaryDirectory: string): ScanLimits {
  return {
    memoryBytes: configuration.scanMemoryBytes,
    temporaryDirectory,
    temporaryBytes: TEMPORARY_BYTES,
    threads: THREADS,
    timeoutMs: configuration.scanTimeoutSeconds * 1000,
  };
}
