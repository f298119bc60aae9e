// SPDX-License-Identifier: Apache-2.0
/** The monitors that every asset has from the start; they can be changed and disabled, not deleted. */
import type { Threshold } from '@sextant/contracts-observability';
import type { Schema } from '../database/schema.ts';
import { insertAll, type Queries } from '../database/scope.ts';
import { toFlag, toJson } from '../database/values.ts';

/** Names as users of such platforms know them; the id is the name in upper snake case. */
const NAMES = [
  'Record count drifts',
  'Record count correlation drifts',
  'Freshness drifts',
  'Completeness drifts',
  'DQ rules violation',
  'Record id uniqueness drifts',
  'Uniqueness drifts',
  'Uniqueness correlation drifts',
  'Schema drifts',
  'Data drifts',
  'Numeric value drifts',
  'Top values drifts',
  'Value distribution drifts',
  'Data difference',
  'PII exposure',
  'Data process failure',
  'Rejected rows violation',
  'Type mismatch violation',
  'Vector drifts',
  'Search recall drifts',
  'Wrong cells drifts',
] as const;

/** Off until somebody asks for it; a data difference needs an asset to compare with, which cannot be set up. */
const DISABLED: readonly string[] = ['PII exposure', 'Data difference'];

const LEARNED_BAND: Threshold = {
  threshold_type: 'ML',
  threshold1: null,
  threshold2: null,
  extrapolation_strategy: 'IGNORE',
  history_limit: 0,
};

/** Percent. These are right or wrong whatever was before, so their monitors need no history. */
const LIMITS: ReadonlyMap<string, number> = new Map([
  ['Rejected rows violation', 0.1],
  ['Type mismatch violation', 0],
]);

function thresholdOf(name: string): Threshold {
  const limit = LIMITS.get(name);
  return limit === undefined ? LEARNED_BAND : { ...LEARNED_BAND, threshold_type: 'STATIC', threshold2: limit };
}

/** Later positions are those of monitors that people make. */
export const PREBUILT_COUNT = NAMES.length;

export async function insertPrebuiltMonitors(db: Queries, asset: Schema['assets']): Promise<void> {
  const { tenant_id, id: asset_id, created_by, created_ms } = asset;
  const rows = NAMES.map((name, position): Schema['monitors'] => {
    const id = name.toUpperCase().replaceAll(' ', '_');
    return {
      tenant_id,
      asset_id,
      id,
      position,
      is_prebuilt: 1,
      type: 'PREDEFINED_METRIC',
      name,
      is_enabled: toFlag(!DISABLED.includes(name)),
      description: null,
      impact: null,
      tags: null,
      definition: toJson({ predefined_metric: id, attributes: [] }),
      threshold: toJson(thresholdOf(name)),
      notification: null,
      ticketing: null,
      ticket_template_id: null,
      created_by,
      created_ms,
      modified_by: created_by,
      modified_ms: created_ms,
    };
  });
  await insertAll(db, 'monitors', rows);
}
