// SPDX-License-Identifier: Apache-2.0
import { chooseSeed, roundsOf } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillRows, openTestEngines } from '../expressions/sql-engines.conformance.ts';
import { generatedRules, modelVerdicts } from './expectation-arbitraries.ts';
import { testRows } from './rule-arbitraries.ts';
import { definition, verdictsOf } from './verdicts.conformance.ts';

const ROWS = 12;
const ROW_SETS = roundsOf({ quick: 2, long: 60 });
const RULES_PER_SET = 30;

let opened: Awaited<ReturnType<typeof openTestEngines>>;
beforeAll(async () => {
  opened = await openTestEngines();
});
afterAll(() => opened[Symbol.asyncDispose]());

test('[R10] whatever the rule and the rows, every engine gives the verdicts of the model', async () => {
  const seed = chooseSeed();
  const rowSets = fc.sample(fc.array(testRows, { minLength: ROWS, maxLength: ROWS }), { numRuns: ROW_SETS, seed });
  for (const [index, rows] of rowSets.entries()) {
    for (const engine of opened.engines) await fillRows(engine, rows);
    await fc.assert(
      fc.asyncProperty(generatedRules, fc.boolean(), async (rule, ignoresNulls) => {
        const expected = modelVerdicts(rule, rows, ignoresNulls);
        for (const engine of opened.engines) {
          const verdicts = await verdictsOf(engine, definition(rule.expression, { ignore_nulls: ignoresNulls }));
          expect(verdicts, `${engine.dialect.name}: ${rule.expression}`).toEqual(expected);
        }
      }),
      { seed: seed + index, numRuns: RULES_PER_SET, endOnFailure: false },
    );
  }
});
