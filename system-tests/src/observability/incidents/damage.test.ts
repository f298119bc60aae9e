/** The demo's damages to two of its tables: each opens the incidents that one expects and nothing else, and the next delivery closes them. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { describe, expect, test } from 'vitest';
import { type DamageOutcome, damageTrial } from '../demo/damage-trial.ts';
import { SMALL_DATA_SETS } from '../demo/data-sets.ts';
import { statusLine } from '../demo/status-line.ts';
import { adminApi, startObservabilityServer } from '../observability-server.ts';

const BASE = 8;
const REDELIVERIES = 10;
const SEED = 11;

describe.each(SMALL_DATA_SETS.filter(({ name }) => name === 'flights' || name === 'airports'))('$name', (dataSet) => {
  test('each damage is noticed for what it is and closed by the next delivery; undamaged deliveries raise nothing', async () => {
    await using directory = await temporaryDirectory();
    const deliveries = join(directory.path, 'deliveries');
    await mkdir(deliveries);
    const environment = { OBSERVABILITY_ALLOWED_DIRECTORIES: deliveries };
    await using server = await startObservabilityServer({ directory: join(directory.path, 'data'), environment });
    const api = await adminApi(server);
    const connection = { name: 'deliveries', type: 'FILE', payload: { directory: deliveries } } as const;
    const { id: connectionId } = await api.call('create_connection', {}, { body: connection });
    const status = statusLine({ write: () => undefined });

    const options = { directory: deliveries, connectionId, base: BASE, redeliveries: REDELIVERIES, seed: SEED, status };
    const { outcomes, falseAlarms } = await damageTrial(api, dataSet, options);
    expect(falseAlarms).toEqual([]);
    expect(Object.fromEntries(outcomes.map((outcome) => [outcome.damage.name, policiesOf(outcome)]))).toEqual(EXPECTED[dataSet.name]);
    for (const { damage, opened, leftOpen } of outcomes) {
      expect(leftOpen, `left open after ${damage.name}`).toEqual([]);
      for (const { sentences } of opened) expect(sentences.join(' '), damage.name).not.toMatch(/undefined|NaN|^$/);
    }
    await server.stop();
  });
});

function policiesOf({ opened }: DamageOutcome): readonly string[] {
  return opened.map(({ alert_policy_id }) => alert_policy_id).toSorted();
}

const COMMON = {
  'rows dropped': ['RECORD_COUNT_DRIFTS'],
  'column renamed': ['SCHEMA_DRIFTS'],
  'nulls injected': ['COMPLETENESS_DRIFTS'],
  'stale data': ['FRESHNESS_DRIFTS'],
  'ids duplicated': ['RECORD_ID_UNIQUENESS_DRIFTS', 'UNIQUENESS_DRIFTS'],
};

const EXPECTED: { readonly [table: string]: { readonly [damage: string]: readonly string[] } } = {
  flights: { ...COMMON, 'values shifted': ['NUMERIC_VALUE_DRIFTS', 'VALUE_DISTRIBUTION_DRIFTS'] },
  // Without their signs some longitudes are the same.
  airports: { ...COMMON, 'values shifted': ['NUMERIC_VALUE_DRIFTS'] },
};
