// SPDX-License-Identifier: Apache-2.0
import { chooseSeed } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fillRows, type SqlEngine } from '../expressions/sql-engines.conformance.ts';
import { generatedRules, modelVerdicts } from './expectation-arbitraries.ts';
import { testRows } from './rule-arbitraries.ts';
import { definition, verdictsOf } from './verdicts.conformance.ts';

const ROWS = 12;
const RULES_PER_SET = 30;

export function generatedRulesSuite(engine: SqlEngine, numberOfRowSets: number): void {
  test('[R10] whatever the rule and the rows, the verdicts are those of the model', async () => {
    const seed = chooseSeed();
    const rowSets = fc.sample(fc.array(testRows, { minLength: ROWS, maxLength: ROWS }), { numRuns: numberOfRowSets, seed });
    for (const [index, rows] of rowSets.entries()) {
      await fillRows(engine, rows);
      await fc.assert(
        fc.asyncProperty(generatedRules, fc.boolean(), async (rule, ignoresNulls) => {
          const verdicts = await verdictsOf(engine, definition(rule.expression, { ignore_nulls: ignoresNulls }));
          expect(verdicts, rule.expression).toEqual(modelVerdicts(rule, rows, ignoresNulls));
        }),
        { seed: seed + index, numRuns: RULES_PER_SET, endOnFailure: false },
      );
    }
  });
}
