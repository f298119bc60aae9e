// SPDX-License-Identifier: Apache-2.0
import { join } from 'node:path';
import { isLongRun } from '@sextant/foundation-testing';
import { defineConfig } from 'vitest/config';
import { INTEGRATION_TESTS, isIntegrationTest, LONG_TESTS, testsOfTwoSizes } from './tools/kinds-of-tests.ts';
import { LongestFirst } from './tools/longest-first.ts';

/** Property tests run from one seed, so that a run can be repeated; see tools/seed.ts. */
const SEED_SETUP = './tools/seed.ts';
const PROCESSOR_TIME_SETUP = './tools/processor-time.ts';
const PACKAGES = '{clients,contracts,foundation,observability,vector,tools}';
const SYSTEM_TESTS = 'system-tests';
/** Under the condition `development`, which Vitest starts Node.js with, a package that it imports answers with TypeScript, which Node.js loads of no package. */
const VITE_LOADED_TESTS = 'tools/sdk/package.test.ts';

const isLong = isLongRun();
const LONG_TIMEOUT_MS = 4 * 3_600_000;

/**
 * A process runs one file after the other: most of what a small file takes is a new process and the loading of its modules. So no module has a state that
 * a test could leave behind, and what a test changes of the process it puts back.
 */
const SHARED_PROCESS = { isolate: false };

/** In the long run only the files that differ from the quick one. */
function testsIn(directories: string): string[] {
  return isLong ? [`${directories}/${LONG_TESTS}`, ...testsOfTwoSizes(import.meta.dirname, directories)] : [`${directories}/**/*.test.ts`];
}

function integrationTests(): string[] {
  const everywhere = [PACKAGES, SYSTEM_TESTS];
  return isLong
    ? everywhere.flatMap((directories) => testsOfTwoSizes(import.meta.dirname, directories)).filter(isIntegrationTest)
    : [INTEGRATION_TESTS];
}

// Processes and threads that tests start load the same modules again and again.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled-for-tests');

function timeLimit(quickMs: number) {
  const ms = isLong ? LONG_TIMEOUT_MS : quickMs;
  return { testTimeout: ms, hookTimeout: ms };
}

const STARTS_SERVICES = {
  setupFiles: [SEED_SETUP],
  globalSetup: ['./tools/bundle/for-tests.ts', './tools/shared-directory.ts'],
  ...timeLimit(300_000),
};

export default defineConfig({
  test: {
    // Processes, not threads: the code under test starts worker threads and opens LMDB environments of its own.
    // Node.js loads the modules, as it does those of the services; with Vite's own loader the suite takes 5 % more processor time.
    experimental: { viteModuleRunner: false },
    pool: 'forks',
    // Twice the cores that the suite is measured on: a file waits a fifth of its time, for processes that it starts and for the disk.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    setupFiles: [PROCESSOR_TIME_SETUP],
    passWithNoTests: false,
    // Only what hangs takes so long, on however busy a machine.
    ...timeLimit(120_000),
    exclude: ['**/node_modules/**', ...(isLong ? [] : [LONG_TESTS])],
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          ...SHARED_PROCESS,
          include: testsIn(PACKAGES),
          exclude: [VITE_LOADED_TESTS, INTEGRATION_TESTS],
          setupFiles: [SEED_SETUP],
        },
      },
      {
        extends: true,
        test: {
          name: 'vite-loaded',
          include: isLong ? [] : [VITE_LOADED_TESTS],
          experimental: { viteModuleRunner: true },
        },
      },
      {
        extends: true,
        test: {
          name: 'system',
          ...SHARED_PROCESS,
          include: testsIn(SYSTEM_TESTS),
          exclude: [INTEGRATION_TESTS],
          ...STARTS_SERVICES,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          ...SHARED_PROCESS,
          include: integrationTests(),
          ...STARTS_SERVICES,
        },
      },
    ],
  },
});
