// SPDX-License-Identifier: Apache-2.0
/** What a test run took of all processors, and which files took most: the report below the results of `npm test`. */
import type { Reporter } from 'vitest/node';

const LISTED = 15;

export type FileTime = { readonly path: string; readonly seconds: number };

/** The closing lines; none where a run is so short that nobody asks. */
export function costliestFiles(files: readonly FileTime[]): readonly string[] {
  if (files.length <= LISTED) return [];
  const total = files.reduce((sum, { seconds }) => sum + seconds, 0);
  const most = files.toSorted((one, other) => other.seconds - one.seconds).slice(0, LISTED);
  return [
    `Processor time: ${total.toFixed(0)} s in ${files.length} files. Most of it:`,
    ...most.map(({ path, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${path}`),
  ];
}

// biome-ignore lint/style/noDefaultExport: Vitest takes a reporter from the default export of its file.
export default class CostliestFiles implements Reporter {
  onTestRunEnd(...[modules]: Parameters<NonNullable<Reporter['onTestRunEnd']>>): void {
    const files = modules.map((module) => ({ path: module.relativeModuleId, seconds: module.meta().processorSeconds ?? 0 }));
    for (const line of costliestFiles(files)) console.log(line);
  }
}
