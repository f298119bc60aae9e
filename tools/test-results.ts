// SPDX-License-Identifier: Apache-2.0
/** Where a test run leaves its results, and what they come to in one line. */
import { readFileSync } from 'node:fs';

export const RESULTS_PATH = '.cache/test-results.json';

/** The part of Vitest's JSON report that we read. */
type Report = {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
};

/** `12 passed, 0 failed, 1 skipped`, counted over every test of the last run. */
export function resultLine(path: string = RESULTS_PATH): string {
  // Vitest wrote it.
  const report = JSON.parse(readFileSync(path, 'utf8')) as Report;
  return `${report.numPassedTests} passed, ${report.numFailedTests} failed, ${report.numPendingTests + report.numTodoTests} skipped`;
}

if (import.meta.main) console.log(resultLine());
