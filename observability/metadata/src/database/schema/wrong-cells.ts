// SPDX-License-Identifier: Apache-2.0
/** What searches for wrong cells found, and what people said of it. */
import { OF_ASSET, table } from './table.ts';

export const WRONG_CELLS = {
  // Of the newest search alone.
  cell_findings: table(['primary key (tenant_id, asset_id)', OF_ASSET], {
    tenant_id: 'text',
    asset_id: 'text',
    job_id: 'text',
    metric_ms: 'bigint',
    // JSON.
    findings: 'text',
  }),
  cell_verdicts: table(['primary key (tenant_id, asset_id, attribute, value_key)', OF_ASSET], {
    tenant_id: 'text',
    asset_id: 'text',
    attribute: 'text',
    // A hash, so that no value is kept.
    value_key: 'text',
    is_wrong: 'bigint',
    // JSON.
    detectors: 'text',
    actor: 'text',
    event_ms: 'bigint',
  }),
};
