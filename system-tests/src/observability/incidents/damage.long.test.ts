// SPDX-License-Identifier: Apache-2.0
/**
 * All damages of the demo to two tables: each opens the incidents that one expects and nothing else, and the next
 * delivery closes them. That monitors notice each damage is tested without a service, in `damaged-deliveries.test.ts`.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { damageTrial } from '../demo/damage-trial.ts';
import { DAMAGES } from '../demo/damages.ts';
import { SMALL_DATA_SETS } from '../demo/data-sets.ts';
import { statusLine } from '../demo/status-line.ts';
import { falselyRaised, isCaught } from '../demo/trial-report.ts';
import { adminApi, startObservabilityServer } from '../observability-server.ts';

const BASE = 6;
const REDELIVERIES = 10;
const SEED = 11;

const TABLES = SMALL_DATA_SETS.filter(({ name }) => name === 'flights' || name === 'airports');

test.concurrent.each(TABLES)(
  'each damage to $name is noticed for what it is and closed by the next delivery; undamaged deliveries raise nothing',
  async (dataSet) => {
    await using directory = await temporaryDirectory();
    const deliveries = join(directory.path, 'deliveries');
    await mkdir(deliveries);
    const environment = { OBSERVABILITY_ALLOWED_DIRECTORIES: deliveries };
    await using server = await startObservabilityServer({ directory: join(directory.path, 'data'), environment });
    const api = await adminApi(server);
    const connection = { name: 'deliveries', type: 'FILE', payload: { directory: deliveries } } as const;
    const { id: connectionId } = await api.call('create_connection', {}, { body: connection });
    const status = statusLine({ write: () => undefined });

    const options = { directory: deliveries, connectionId, base: BASE, redeliveries: REDELIVERIES, seed: SEED, damages: DAMAGES, status };
    const { outcomes, falseAlarms } = await damageTrial(api, dataSet, options);
    expect(falseAlarms).toEqual([]);
    expect(outcomes.map(({ damage }) => damage.name)).toEqual(DAMAGES.map(({ name }) => name));
    for (const outcome of outcomes) {
      const { name } = outcome.damage;
      expect(isCaught(outcome), `${name} is caught`).toBe(true);
      expect(falselyRaised(outcome), `falsely raised by ${name}`).toEqual([]);
      expect(outcome.leftOpen, `left open after ${name}`).toEqual([]);
      for (const { sentences } of outcome.opened) expect(sentences.join(' '), name).not.toMatch(/undefined|NaN|^$/);
    }
    await server.stop();
  },
);
