// SPDX-License-Identifier: Apache-2.0
/** The same deliveries come to the same metrics, bands, alerts, incidents and scores, whatever measures them and however often. */
import { join } from 'node:path';
import { temporaryDirectory } from '@sextant/foundation-testing';
import type { OpenedSource } from '@sextant/observability-connectors';
import type { SparkAddress } from '@sextant/observability-connectors/spark-for-tests';
import type pg from 'pg';
import { expect } from 'vitest';
import { differences, type NewMonitor, watchAsset } from '../testing/engine-scans.ts';
import { deliveredRows, fillTable, type Oddities, openOnSpark, openParquet, openTable, writeParquet } from '../testing/engine-tables.ts';

const rule = (name: string, expression: string): NewMonitor => ({
  name,
  type: 'RULE',
  monitor: { expression, options: { ignore_nulls: false, empty_values: [] }, variables: [] },
});
const metric = (name: string, expression: string): NewMonitor => ({
  name,
  type: 'METRIC',
  monitor: { expression, options: { ignore_nulls: true }, raw_sql: false },
});

const MONITORS = [
  rule('not negative', 'VALIDATE amount EXPECT NUMERIC_VALUE >= 0'),
  rule('short', 'VALIDATE `no"te` EXPECT LENGTH < 100'),
  rule('once', 'VALIDATE id EXPECT FREQUENCY = 1'),
  metric('spread', 'stddev(unix_timestamp(at))'),
  metric('years', 'max(year(day)) - min(dayofweek(day)) + count(unix_timestamp(day))'),
  metric('price by kind', 'avg(price) group by kind'),
] as const;

const OPTIONS = {
  id_attributes: ['id'],
  timestamp_attribute: 'at',
  segments: { kind: ['red', '__null__', 'gone'], flag: ['true'] },
  empty_values: ['', 'NaN', '0'],
  // Which statements are too slow is a matter of the machine.
  statement_timeout_seconds: 3600,
} as const;

export type Compared = {
  readonly odd: Oddities;
  readonly rows: number;
  /** Good deliveries before the damaged one: a series has a band from its fifth point on. */
  readonly earlier: number;
  /** Deliveries after the damaged one, in which incidents end. */
  readonly later: number;
  /** What is compared with a scan of the file. */
  readonly other:
    | { readonly kind: 'file' }
    | { readonly kind: 'table'; readonly client: pg.Client }
    | { readonly kind: 'spark'; readonly address?: SparkAddress };
};

/** Scans each delivery as a file, and once more. */
export async function expectSameIncidents({ odd, rows, earlier, later, other }: Compared): Promise<void> {
  await using files = await temporaryDirectory();
  await using first = await temporaryDirectory();
  await using second = await temporaryDirectory();
  const watched = { options: { ...OPTIONS, ...odd.restriction }, monitors: MONITORS };
  await using once = await watchAsset(first.path, watched);
  await using again = await watchAsset(second.path, watched);
  for (let delivery = 0; delivery <= earlier + later; delivery += 1) {
    const delivered = deliveredRows(rows, odd, { delivery, isDamaged: delivery === earlier });
    const file = await writeParquet(delivered, files.path);
    if (other.kind === 'table') await fillTable(other.client, delivered);
    await using source = await openOther(other, files.path, file);
    const [answer, compared] = await Promise.all([once.deliver(await openParquet(files.path, file)), again.deliver(source)]);
    // Metrics of one's own are sums of doubles: of many rows their last digit depends on which thread came first.
    expect(differences(compared, answer)).toEqual([]);
  }
}

async function openOther(other: Compared['other'], directory: string, file: string): Promise<OpenedSource> {
  switch (other.kind) {
    case 'file':
      return await openParquet(directory, file);
    case 'table':
      return openTable(other.client);
    case 'spark': {
      await using opened = await openParquet(directory, file);
      return await openOnSpark(join(directory, file), opened.description, other.address);
    }
  }
}
