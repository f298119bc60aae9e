// SPDX-License-Identifier: Apache-2.0
/** The pre-built monitors of what files lose, for the assets that were there before; later positions are those of monitors that people made. */
import type { Migration } from '../migration.ts';

const BEFORE = 16;
const MONITORS = [
  { id: 'REJECTED_ROWS_VIOLATION', name: 'Rejected rows violation', limit: 0.1 },
  { id: 'TYPE_MISMATCH_VIOLATION', name: 'Type mismatch violation', limit: 0 },
];

export const fileMonitors: Migration = [
  `update monitors set position = position + ${MONITORS.length} where is_prebuilt = 0`,
  ...MONITORS.map(({ id, name, limit }, index) => {
    const definition = JSON.stringify({ predefined_metric: id, attributes: [] });
    const threshold = JSON.stringify({
      threshold_type: 'STATIC',
      threshold1: null,
      threshold2: limit,
      extrapolation_strategy: 'IGNORE',
      history_limit: 0,
    });
    const values = `'${id}', ${BEFORE + index}, 1, 'PREDEFINED_METRIC', '${name}', 1, '${definition}', '${threshold}', created_by, created_ms, created_by, created_ms`;
    // A person may have given a monitor this name.
    return `insert into monitors (tenant_id, asset_id, id, position, is_prebuilt, type, name, is_enabled, definition, threshold, created_by, created_ms, modified_by, modified_ms)
      select tenant_id, id, ${values} from assets where true on conflict do nothing`;
  }),
];
