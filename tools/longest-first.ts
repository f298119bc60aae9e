// SPDX-License-Identifier: Apache-2.0
/**
 * The order in which test files start. The longest go first, so that none of them is left to run alone while the other worker has nothing to
 * do. Vitest sorts by the durations of the run before, which a fresh clone does not have.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files, and folders of files, by what they took last. */
export const LONGEST: readonly string[] = [
  // It builds the packages that others share.
  'system-tests/src/deploy/image.integration.test.ts',
  'system-tests/src/cluster/',
  'observability/scan/src/scan-engines.integration.test.ts',
  'system-tests/src/clients/python.integration.test.ts',
  'system-tests/src/fuzz/grpc-fuzz.test.ts',
  'system-tests/src/crash/crash.test.ts',
  'system-tests/src/console/',
  'system-tests/src/packages/',
  'observability/metadata/src/metadata.test.ts',
  'observability/metadata/src/metadata.integration.test.ts',
  'observability/scan/src/hostile-files.test.ts',
  'tools/sdk/package.test.ts',
  'vector/replication/src/sharded-engine.test.ts',
  'system-tests/src/clients/',
  'system-tests/src/limits/',
  'system-tests/src/lifecycle/',
  'system-tests/src/observability/',
  'system-tests/src/',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    // `toSorted` keeps the order of those that weigh the same.
    return sorted.toSorted((one, other) => place(one) - place(other));
  }
}

function place({ moduleId }: TestSpecification): number {
  const index = LONGEST.findIndex((path) => moduleId.includes(path));
  return index === -1 ? LONGEST.length : index;
}
