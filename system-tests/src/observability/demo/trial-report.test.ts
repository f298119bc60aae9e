// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { Trial } from './damage-trial.ts';
import { DAMAGES, type Damage } from './damages.ts';
import { DATA_SETS } from './data-sets.ts';
import { trialPage } from './page.ts';
import { falselyRaised, isCaught, trialReport, trialTables } from './trial-report.ts';
import type { RaisedIncident } from './watched-file.ts';

function damage(name: string): Damage {
  const found = DAMAGES.find((each) => each.name === name);
  if (found === undefined) throw new RangeError(name);
  return found;
}

function raised(alert_policy_id: string, sentences: readonly string[] = []): RaisedIncident {
  const words = alert_policy_id.toLowerCase().replaceAll('_', ' ');
  return { id: 7, alert_policy_id, alert_policy_name: `${words.charAt(0).toUpperCase()}${words.slice(1)}`, severity: 'HIGH', sentences };
}

const dropped = {
  damage: damage('rows dropped'),
  opened: [raised('RECORD_COUNT_DRIFTS', ['one', 'two', 'three']), raised('PII_EXPOSURE')],
  leftOpen: [],
};
const missed = { damage: damage('stale data'), opened: [], leftOpen: [] };
const left = { damage: damage('ids duplicated'), opened: [raised('UNIQUENESS_DRIFTS')], leftOpen: [raised('UNIQUENESS_DRIFTS')] };

function trial(outcomes: Trial['outcomes'], falseAlarms: readonly RaisedIncident[] = []): Trial {
  const [dataSet] = DATA_SETS;
  if (dataSet === undefined) throw new RangeError('there are data sets');
  return { dataSet, base: 10, redeliveries: 12, outcomes, falseAlarms };
}

test('what the damage explains is no false alarm, and only the monitor that it is for catches it', () => {
  expect([dropped, missed, left].map(isCaught)).toEqual([true, false, false]);
  expect(falselyRaised(dropped).map(({ alert_policy_id }) => alert_policy_id)).toEqual(['PII_EXPOSURE']);
  expect(falselyRaised(left)).toEqual([]);
});

test('the report names what was opened, what was closed and what nobody noticed', () => {
  expect(trialReport(trial([dropped, missed, left]))).toBe(`movies: 10 undamaged deliveries, then each damage
  rows dropped: 30 % of the rows are missing
    incident 7 HIGH   Record count drifts
      one
      two
      and 1 more
    incident 7 HIGH   Pii exposure
    the undamaged delivery closed all of them
  stale data: the file is 30 days old
    nobody noticed
  ids duplicated: 10 % of the rows have the Title of another
    incident 7 HIGH   Uniqueness drifts
    still open after the undamaged delivery: Uniqueness drifts
  22 undamaged deliveries in all: no false alarm`);
  expect(trialReport(trial([], [raised('DATA_DRIFTS')]))).toContain(
    '22 undamaged deliveries in all: 1 false alarms\n    incident 7 HIGH   Data drifts',
  );
});

test('the table has four rows for each damage; what was not tried is left out', () => {
  const table = trialTables([trial([dropped, left], [raised('DATA_DRIFTS')])]);
  expect(table).toContain(
    '| rows dropped | caught by `RECORD_COUNT_DRIFTS` | yes |\n|  | noticed too | – |\n|  | falsely raised | pii exposure |',
  );
  expect(table).toContain('| ids duplicated | caught by `RECORD_ID_UNIQUENESS_DRIFTS` | **no** |\n|  | noticed too | uniqueness drifts |');
  expect(table).toContain('|  | closed by the next delivery | **no** |');
  expect(table).toContain('| stale data | caught by `FRESHNESS_DRIFTS` | – |');
  expect(table).toContain('| false alarms | data drifts |');
  expect(trialPage([trial([dropped])])).toContain('- movies, rows dropped: 30 % of the rows are missing');
});
