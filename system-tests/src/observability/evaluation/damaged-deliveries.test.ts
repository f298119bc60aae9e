// SPDX-License-Identifier: Apache-2.0
/**
 * Real tables are delivered day by day, with nine tenths of their rows and some that differ. All monitors are on: undamaged deliveries
 * raise nothing, each damage is noticed by the monitor that watches for it, and the delivery that follows is clear again.
 */
import { seededRandom } from '@sextant/foundation-std';
import { isLongRun, roundsOf, type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import type { Evaluation } from '@sextant/observability-monitors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAMAGES } from '../demo/damages.ts';
import { readTable, SMALL_DATA_SETS } from '../demo/data-sets.ts';
import { delivery } from '../demo/deliveries.ts';
import type { Table } from '../demo/tables.ts';
import { WatchedTable } from './watched-table.ts';

const SEED = 20_261_120;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const FIRST_MS = Date.UTC(2026, 0, 5, 6);
/** Deliveries until the monitors have enough history to say anything. */
const TEACHING = 6;
/** Those that follow each damage apart. */
const REDELIVERIES = roundsOf({ quick: 1, long: 4 });
const KEPT_SHARE = 0.95;
/** A file lies so long at most before it is scanned. */
const LATE_HOURS = 3;

/** One with segments and dates, and in the long run one with many kinds of columns; `npm run demo:observability` takes all. */
const TABLES = SMALL_DATA_SETS.filter(({ name }) => name === 'weather' || (name === 'movies' && isLongRun()));
/** Scans wait for processors when other tests run. */
const DELIVERING_TIMEOUT_MS = 240_000;

let directory: TemporaryDirectory;
beforeAll(async () => {
  directory = await temporaryDirectory();
});
afterAll(() => directory[Symbol.asyncDispose]());

describe.each(TABLES)('$name (seed 20261120)', (dataSet) => {
  /** After the others, which the quick run compares with the same undamaged deliveries, this one becomes the past of an undamaged one. */
  const last = DAMAGES.at(-1);
  const isRemembered = (damage: (typeof DAMAGES)[number]) => isLongRun() || damage === last;
  const random = seededRandom(SEED);
  const watched = (): WatchedTable => new WatchedTable({ file: dataSet.file, options: dataSet.options ?? {}, directory: directory.path });
  let deliveries: { readonly raised: readonly string[]; readonly name: string }[];
  let table: Table;

  beforeAll(async () => {
    table = await readTable(dataSet);
    const asset = watched();
    let nowMs = FIRST_MS;
    const undamaged = (): Table =>
      delivery({ ...table, rows: table.rows.filter(() => random.next() < KEPT_SHARE) }, { random, nowMs, dated: dataSet.damaged.dated });
    const deliver = async (name: string, delivered: Table, { ageDays = 0, isRemembered = true } = {}): Promise<void> => {
      const modifiedMs = nowMs - ageDays * DAY_MS - random.next() * LATE_HOURS * HOUR_MS;
      deliveries.push({ name, raised: raisedBy(await asset.deliver({ table: delivered, nowMs, modifiedMs, isRemembered })) });
      if (isRemembered) nowMs += DAY_MS;
    };
    deliveries = [];
    for (let number = 0; number < TEACHING + REDELIVERIES; number += 1) await deliver('undamaged', undamaged());
    for (const damage of DAMAGES) {
      const { name, apply, fileAgeDays: ageDays = 0 } = damage;
      await deliver(name, apply(undamaged(), dataSet.damaged, random), { ageDays, isRemembered: isRemembered(damage) });
      if (isRemembered(damage)) await deliver('undamaged', undamaged());
    }
  }, DELIVERING_TIMEOUT_MS);

  test('undamaged redeliveries raise nothing', () => {
    expect(deliveries.slice(TEACHING).filter(({ name }) => name === 'undamaged')).toHaveLength(
      REDELIVERIES + DAMAGES.filter(isRemembered).length,
    );
    expect(deliveries.filter(({ name, raised }) => name === 'undamaged' && raised.length > 0)).toEqual([]);
  });

  test.each(DAMAGES)('$name: $expected notices, and nobody who has no reason to', ({ name, expected, consequences }) => {
    const raised = new Set(
      deliveries.filter((one) => one.name === name).flatMap((one) => one.raised.map((sentence) => sentence.split(':')[0])),
    );
    expect([...raised]).toContain(expected);
    expect([...raised].filter((monitor) => monitor !== expected && !consequences.some((other) => other === monitor))).toEqual([]);
  });
});

/** `monitor: sentence` of each violation. */
function raisedBy({ verdicts }: Evaluation): readonly string[] {
  return verdicts.flatMap(({ monitor, violations }) => violations.map(({ sentence }) => `${monitor.id}: ${sentence}`));
}
