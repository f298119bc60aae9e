// SPDX-License-Identifier: Apache-2.0
/** Sizes at which engines work on several threads and spill. */
import { missingPostgres, temporaryDirectory } from '@sextant/foundation-testing';
import { missingSpark, sparkHome, startLocalSpark } from '@sextant/observability-connectors/spark-for-tests';
import { expect, test } from 'vitest';
import type { Oddities } from '../testing/engine-tables.ts';
import { sourceDatabase } from '../testing/source-database.ts';
import { type Compared, expectSameIncidents } from './engines.conformance.ts';

const missing = missingPostgres();
const withoutSpark = missingSpark();
const ROWS = 200_000;
const ODD: Oddities = {
  doubles: ['NaN', 'Infinity', '-0', '5e-324', '0.1', '123456789012345680'],
  texts: ['', 'x'.repeat(20_000), 'jane@example.com'],
  days: ['0044-03-15 BC', '300000-01-01', 'infinity'],
  times: ['4712-01-01 00:00:00 BC', '294246-12-31 23:59:59.999999'],
  damage: 'scale',
  missing: 4,
  salt: 18,
  restriction: {},
};

async function expectSame(other: Compared['other']): Promise<void> {
  for (const restriction of [{}, { sample_fraction: 10 }]) {
    await expectSameIncidents({ odd: { ...ODD, restriction }, rows: ROWS, earlier: 5, later: 1, other });
  }
  expect.assertions(2 * 7);
}

test('two scans of 200,000 rows of a file come to the same incidents', () => expectSame({ kind: 'file' }));

test.skipIf(missing !== undefined)(
  `200,000 rows of a file and of a table come to the same incidents (${missing ?? 'PostgreSQL is installed'})`,
  async () => {
    await using database = await sourceDatabase();
    await expectSame({ kind: 'table', client: database.client });
  },
);

test.skipIf(withoutSpark !== undefined)(
  `200,000 rows of a file come to the same incidents on Spark (${withoutSpark ?? 'Spark is installed'})`,
  async () => {
    await using directory = await temporaryDirectory();
    // That of all tests makes no code for its statements, which takes longer here than to make it.
    const size = { memoryMb: 2000, threads: 2 };
    await using spark = await startLocalSpark({ home: sparkHome() ?? '', directory: directory.path, lifeOf: process.pid, ...size });
    await expectSame({ kind: 'spark', address: spark.address });
  },
);
