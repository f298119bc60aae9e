// SPDX-License-Identifier: Apache-2.0
/** What a scan of a test may take. */
import type { ScanLimits } from '../scan.ts';

export function testLimits(directory: string): ScanLimits {
  return { memoryBytes: 512 * 2 ** 20, temporaryDirectory: directory, temporaryBytes: 2 ** 30, threads: 2, timeoutMs: 60_000 };
}
