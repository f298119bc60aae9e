// SPDX-License-Identifier: Apache-2.0
import { isLongRun, missingPostgres, roundsOf } from '@sextant/foundation-testing';
import { missingSpark } from '@sextant/observability-connectors/spark-for-tests';
import fc from 'fast-check';
import { test } from 'vitest';
import { oddities } from '../testing/engine-tables.ts';
import { sourceDatabase } from '../testing/source-database.ts';
import { type Compared, expectSameIncidents } from './engines.conformance.ts';

const missing = missingPostgres();
const withoutSpark = missingSpark();
const ROUNDS = roundsOf({ quick: 1, long: 20 });
/** In the quick run there are no bands yet: which come of equal values is not a matter of the engine. */
const EARLIER = roundsOf({ quick: 1, long: 5 });
const LATER = roundsOf({ quick: 0, long: 2 });

function expectSame(other: Compared['other'], rounds = ROUNDS): Promise<void> {
  const property = fc.asyncProperty(oddities, fc.integer({ min: 20, max: 300 }), (odd, rows) =>
    expectSameIncidents({ odd, rows, earlier: EARLIER, later: LATER, other }),
  );
  // Shrinking would scan for hours.
  return fc.assert(property, { numRuns: rounds, endOnFailure: true });
}

// A file of which two scans differ differs from a table too.
test.skipIf(missing === undefined && !isLongRun())('two scans of a file come to the same incidents', () => expectSame({ kind: 'file' }));

test.skipIf(missing !== undefined)(`a file and a table come to the same incidents (${missing ?? 'PostgreSQL is installed'})`, async () => {
  await using database = await sourceDatabase();
  await expectSame({ kind: 'table', client: database.client });
});

// Six deliveries take Spark two minutes of processor time.
test.skipIf(withoutSpark !== undefined || !isLongRun())(
  `a file comes to the same incidents on Spark (${withoutSpark ?? 'Spark is installed; in the long run only'})`,
  () => expectSame({ kind: 'spark' }, 5),
);
