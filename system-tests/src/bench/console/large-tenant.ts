// SPDX-License-Identifier: Apache-2.0
/**
 * A tenant of 1,000 assets, of which 300 come of one another, and 10,000 incidents. Ten thousand incidents by scans would take hours, so the service's own stores write them, before
 * the service that is measured starts.
 */
import { randomBytes } from 'node:crypto';
import { systemClock } from '@sextant/foundation-std';
import { openMetadata } from '@sextant/observability-metadata';

export type Size = {
  readonly assets: number;
  /** Those that come from another or go into one. */
  readonly linked: number;
  readonly incidents: number;
};

const IMPACTS = ['HIGH', 'MEDIUM', 'LOW', null] as const;
const POLICIES = [
  ['COMPLETENESS_DRIFTS', 'Completeness drifts'],
  ['RECORD_COUNT_DRIFTS', 'Record count drifts'],
  ['NUMERIC_VALUE_DRIFTS', 'Numeric value drifts'],
] as const;
const STEP_MS = 180_000;

/** What comes from nothing. */
const SOURCES = 40;

/** As of a warehouse: most come from one, some are joined from three, in six layers or so. */
function parentsOf(number: number): readonly number[] {
  if (number < 2 * SOURCES) return [number - SOURCES];
  const nearest = Math.floor(number / 1.6);
  return number % 4 === 0 ? [nearest, nearest - 1 - (number % 7), (number * 13) % nearest] : [nearest - (number % 5)];
}

/** `directory` is the data directory of a service that has started once and stands still. */
export async function growTenant(directory: string, { assets, linked, incidents }: Size): Promise<void> {
  const options = { clock: systemClock, randomBytes, encryptionKey: new Uint8Array(32) };
  await using metadata = await openMetadata({ directory }, options);
  const startMs = Date.now() - incidents * STEP_MS;
  await metadata.forTenant('default').atomically(async (tenant) => {
    const ids: string[] = [];
    for (let number = 0; number < assets; number += 1) {
      const { id } = await tenant.assets.create({
        project_id: 0,
        name: `table ${String(number).padStart(4, '0')}`,
        description: null,
        type: 'UPLOAD',
        options: {},
        payload: { upload_id: `upload${number}` },
        connection_id: null,
        db_type: null,
        tags: number % 10 === 0 ? ['daily'] : [],
        webhook_url: null,
        created_by: 'admin@localhost',
      });
      ids.push(id);
    }
    for (let number = SOURCES; number < linked; number += 1) {
      const parents = parentsOf(number).flatMap((parent) => ids[parent] ?? []);
      await tenant.lineage.replace(ids[number] ?? '', { parents });
    }
    for (let number = 0; number < incidents; number += 1) {
      const [alert_policy_id, alert_policy_name] = POLICIES[number % POLICIES.length] ?? POLICIES[0];
      const timestamp = new Date(startMs + number * STEP_MS).toISOString();
      await tenant.incidents.open({
        asset_id: ids[(number * 7) % ids.length] ?? '',
        last_upload_timestamp: timestamp,
        created_time: timestamp,
        severity: 'HIGH',
        impact: IMPACTS[number % IMPACTS.length] ?? null,
        alert_policy_id,
        alert_policy_name,
        description: `completeness of \`column_${number % 40}\` is ${60 + (number % 35)} %, expected 98 % to 100 %`,
        tags: number % 5 === 0 ? ['daily'] : [],
        metrics: [],
        history: { timestamp, state: 'NEW', alert_refs: [] },
      });
    }
  });
}
