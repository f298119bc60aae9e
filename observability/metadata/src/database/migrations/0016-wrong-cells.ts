// SPDX-License-Identifier: Apache-2.0
/** What searches for wrong cells found, what people said of it, and the pre-built monitor of it; later positions are those of monitors that people made. */
import type { Migration } from '../migration.ts';

const POSITION = 20;
const NAME = 'Wrong cells drifts';
const ID = 'WRONG_CELLS_DRIFTS';
const DEFINITION = JSON.stringify({ predefined_metric: ID, attributes: [] });
const THRESHOLD = JSON.stringify({
  threshold_type: 'ML',
  threshold1: null,
  threshold2: null,
  extrapolation_strategy: 'IGNORE',
  history_limit: 0,
});

export const wrongCells: Migration = [
  // Of the newest search alone; findings are JSON.
  `create table cell_findings (
    tenant_id text not null,
    asset_id text not null,
    job_id text not null,
    metric_ms bigint not null,
    findings text not null,
    primary key (tenant_id, asset_id),
    foreign key (tenant_id, asset_id) references assets (tenant_id, id) on delete cascade
  )`,
  // value_key is a hash, so that no value is kept; detectors are JSON.
  `create table cell_verdicts (
    tenant_id text not null,
    asset_id text not null,
    attribute text not null,
    value_key text not null,
    is_wrong bigint not null,
    detectors text not null,
    actor text not null,
    event_ms bigint not null,
    primary key (tenant_id, asset_id, attribute, value_key),
    foreign key (tenant_id, asset_id) references assets (tenant_id, id) on delete cascade
  )`,
  'update monitors set position = position + 1 where is_prebuilt = 0',
  // A person may have given a monitor this name.
  `insert into monitors (tenant_id, asset_id, id, position, is_prebuilt, type, name, is_enabled, definition, threshold, created_by, created_ms, modified_by, modified_ms)
    select tenant_id, id, '${ID}', ${POSITION}, 1, 'PREDEFINED_METRIC', '${NAME}', 1, '${DEFINITION}', '${THRESHOLD}', created_by, created_ms, created_by, created_ms
    from assets where true on conflict do nothing`,
];
