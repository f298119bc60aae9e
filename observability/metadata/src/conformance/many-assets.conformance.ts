// SPDX-License-Identifier: Apache-2.0
/** Lists that have one entry for each asset end with the assets, not where other lists are cut off. */
import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase } from '../database/open-database.ts';
import type { Schema } from '../database/schema.ts';
import { copyRow, numbered } from './copied-rows.conformance.ts';
import type { Fixture } from './engines.conformance.ts';
import { ASSET, RESULT, runningJob } from './samples.conformance.ts';

/** One more than a page holds, which is the same for every database. */
const ASSETS = 10_001;
const ASSETS_OF_POSTGRESQL = 101;

export function manyAssetsSuite({ location, metadata, tenant }: Fixture): void {
  test('scores and most recent jobs are those of every asset', async () => {
    const own = await tenant();
    const { id: asset_id } = await own.assets.create(ASSET);
    await own.jobs.finish(await runningJob(metadata(), own, asset_id), RESULT);
    const count = 'databaseUrl' in location() ? ASSETS_OF_POSTGRESQL : ASSETS;
    const { kysely } = openDatabase(location());
    try {
      await copyAsset(kysely, asset_id, count - 1);
    } finally {
      await kysely.destroy();
    }
    expect(await own.dqScores.standings()).toHaveLength(count);
    expect(new Set((await own.jobs.list({ most_recent: true })).map((job) => job.asset_id)).size).toBe(count);
    expect(await own.jobs.list({ most_recent: true, limit: 3 })).toHaveLength(3);
  });
}

/** Writes the asset and its job again under other ids. */
async function copyAsset(kysely: Kysely<Schema>, assetId: string, copies: number): Promise<void> {
  await copyRow(kysely, { table: 'assets', of: 'id', assetId, copies, changed: { id: numbered('id') } });
  await copyRow(kysely, {
    table: 'jobs',
    of: 'asset_id',
    assetId,
    copies,
    changed: { id: numbered('id'), asset_id: numbered('asset_id'), number: sql`number + n` },
  });
}
