// SPDX-License-Identifier: Apache-2.0
/** Every format that an asset of Spark may have, as Spark itself writes it. */
import { join } from 'node:path';
import { systemClock } from '@sextant/foundation-std';
import { type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { missingLakes, missingSpark, openSparkForTests, openSparkTable } from '../testing/spark-for-tests.ts';
import type { SparkSession } from './spark-session.ts';

/** On a machine with other work Java takes minutes to start. */
const START_TIMEOUT_MS = 600_000;
const ROWS = 'SELECT id, CAST(id AS STRING) AS name, id / 2D AS half FROM range(3)';

const missing = missingSpark();
const noLakes = missingLakes();
let directory: TemporaryDirectory;
let session: SparkSession;

beforeAll(async () => {
  if (missing !== undefined) return;
  directory = await temporaryDirectory();
  session = await openSparkForTests(systemClock);
}, START_TIMEOUT_MS);
afterAll(async () => {
  await session?.[Symbol.asyncDispose]();
  await directory?.[Symbol.asyncDispose]();
});

async function write(format: string): Promise<string> {
  const path = join(directory.path, format);
  await session.query(`INSERT OVERWRITE DIRECTORY USING ${format} OPTIONS (path '${path}') ${ROWS}`);
  return path;
}

/** What a scan would see. */
async function read(payload: Parameters<typeof openSparkTable>[0]) {
  await using source = await openSparkTable(payload, { clock: systemClock });
  if (source.data.kind !== 'spark') throw new Error('another kind');
  const rows = await source.data.connect.query(`SELECT CAST(id AS STRING), name, half FROM ${source.data.view} ORDER BY id`);
  await source.confirmUnchanged();
  return { rows, columns: source.description.columns.map(({ name, data_type }) => [name, data_type]) };
}

describe.skipIf(missing !== undefined)(
  missing === undefined ? 'Spark' : `Spark (skipped: ${missing})`,
  { timeout: START_TIMEOUT_MS },
  () => {
    // Parquet is what Spark writes where it is not told otherwise, and what scans of it are tested with.
    test.each(['orc', 'json'])('%s files are read', async (format) => {
      const { rows, columns } = await read({ path: await write(format), format });
      expect(rows).toEqual([0, 1, 2].map((id) => [String(id), String(id), id / 2]));
      // JSON has its members in the order of their names.
      expect(new Map(columns.map(([name, type]) => [name, type]))).toEqual(
        new Map([
          ['id', 'INTEGER'],
          ['name', 'STRING'],
          ['half', 'DECIMAL'],
        ]),
      );
    });

    test('an Iceberg table is refused with a sentence where Spark has no package of Iceberg', async () => {
      const payload = { path: join(directory.path, 'orders'), format: 'iceberg' };
      await expect(read(payload)).rejects.toThrow(/^the asset cannot be read: Spark lacks the Iceberg package/);
    });

    describe.skipIf(noLakes !== undefined)(noLakes === undefined ? 'with packages' : `with packages (skipped: ${noLakes})`, () => {
      test('avro files are read', async () => {
        const { rows } = await read({ path: await write('avro'), format: 'avro' });
        expect(rows).toEqual([0, 1, 2].map((id) => [String(id), String(id), id / 2]));
      });

      test('a Delta table is read as it is, at a version and at a time, and stays at the version that a scan began with', async () => {
        const path = join(directory.path, "lake's delta");
        const table = `delta.\`${path}\``;
        await session.query(`CREATE TABLE ${table} USING delta AS ${ROWS}`);
        const [[at] = []] = await session.query(`DESCRIBE HISTORY ${table} LIMIT 1`, { columns: ['timestamp'] });
        const payload = { path, format: 'delta' };
        await using begun = await openSparkTable(payload, { clock: systemClock });
        await session.query(`INSERT INTO ${table} SELECT id + 3, 'more', 0D FROM range(2)`);
        expect((await read(payload)).rows).toHaveLength(5);
        const count = async (changes: object) => {
          await using source = await openSparkTable({ ...payload, ...changes }, { clock: systemClock });
          return source.data.kind === 'spark' && (await source.data.connect.query(`SELECT count(*) FROM ${source.data.view}`));
        };
        expect([await count({ version: 0 }), await count({ timestamp: String(at) })]).toEqual([[[3n]], [[3n]]]);
        if (begun.data.kind !== 'spark') throw new Error('another kind');
        expect(await begun.data.connect.query(`SELECT count(*) FROM ${begun.data.view}`)).toEqual([[3n]]);
        await expect(read({ ...payload, version: 7 })).rejects.toThrow(/^the asset cannot be read: .*version/i);
        await expect(read({ path: join(directory.path, 'nothing'), format: 'delta' })).rejects.toThrow(/^the asset cannot be read: ./);
      });
    });
  },
);
