import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tools/longest-first.ts';

/** Property tests run from one seed, so that a run can be repeated; see tools/seed.ts. */
const SEED_SETUP = './tools/seed.ts';
const PROPERTY_TESTS = '**/*.property.test.ts';

export default defineConfig({
  test: {
    // Processes, not threads: the code under test starts worker threads and opens LMDB environments of its own.
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    passWithNoTests: false,
    // Only what hangs takes so long, on however busy a machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{clients,contracts,foundation,observability,vector,tools}/**/*.test.ts'],
          exclude: ['**/node_modules/**', PROPERTY_TESTS],
        },
      },
      {
        extends: true,
        test: {
          name: 'property',
          include: [`{clients,contracts,foundation,observability,vector,tools}/${PROPERTY_TESTS}`],
          setupFiles: [SEED_SETUP],
        },
      },
      {
        extends: true,
        test: {
          name: 'system',
          include: ['system-tests/**/*.test.ts'],
          setupFiles: [SEED_SETUP],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
