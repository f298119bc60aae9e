// SPDX-License-Identifier: Apache-2.0
/**
 * Runs before every test file: one seed rules all generated cases of a run, and fast-check prints it with each
 * counterexample. `TEST_SEED=n npm test` runs with another. A property that names no number of runs has this one.
 */
import { chooseSeed, roundsOf } from '@sextant/foundation-testing';
import fc from 'fast-check';

fc.configureGlobal({ seed: chooseSeed(), numRuns: roundsOf({ quick: 35, long: 1000 }) });
