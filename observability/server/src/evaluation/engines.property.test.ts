// SPDX-License-Identifier: Apache-2.0
import { missingPostgres, roundsOf } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { test } from 'vitest';
import { oddities } from '../testing/engine-tables.ts';
import { sourceDatabase } from '../testing/source-database.ts';
import { type Compared, expectSameIncidents } from './engines.conformance.ts';

const missing = missingPostgres();
/** Shrinking would scan for hours. */
const ROUNDS = { numRuns: roundsOf({ quick: 1, long: 20 }), endOnFailure: true };
const LATER = roundsOf({ quick: 0, long: 2 });

function expectSame(other: Compared['other']): Promise<void> {
  const property = fc.asyncProperty(oddities, fc.integer({ min: 20, max: 300 }), (odd, rows) =>
    expectSameIncidents({ odd, rows, later: LATER, other }),
  );
  return fc.assert(property, ROUNDS);
}

test('two scans of a file come to the same incidents', () => expectSame({ kind: 'file' }));

test.skipIf(missing !== undefined)(`a file and a table come to the same incidents (${missing ?? 'PostgreSQL is installed'})`, async () => {
  await using database = await sourceDatabase();
  await expectSame({ kind: 'table', client: database.client });
});
