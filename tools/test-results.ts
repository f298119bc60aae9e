// SPDX-License-Identifier: Apache-2.0
/** Where test runs leave their results, and what they come to in one line. */
import { readFileSync } from 'node:fs';

/** Of `npm run test:integration`, and of `npm test`. */
export const RESULTS = { integration: '.cache/integration-results.json', others: '.cache/test-results.json' };

/** The part of Vitest's JSON report that we read. */
type Report = {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
};

/** `12 passed, 0 failed, 1 skipped`, counted over every test of the runs. */
export function resultLine(paths: readonly string[]): string {
  // Vitest wrote them.
  const reports = paths.map((path) => JSON.parse(readFileSync(path, 'utf8')) as Report);
  const sum = (count: (report: Report) => number) => reports.reduce((total, report) => total + count(report), 0);
  const skipped = sum(({ numPendingTests, numTodoTests }) => numPendingTests + numTodoTests);
  return `${sum(({ numPassedTests }) => numPassedTests)} passed, ${sum(({ numFailedTests }) => numFailedTests)} failed, ${skipped} skipped`;
}

if (import.meta.main) console.log(resultLine(Object.values(RESULTS)));
