/**
 * Runs before every property and system test file: one seed rules all generated cases of a run, and fast-check prints it with each
 * counterexample. `TEST_SEED=n npm test` runs with another.
 */
import { chooseSeed } from '@sextant/foundation-testing';
import fc from 'fast-check';

fc.configureGlobal({ seed: chooseSeed() });
