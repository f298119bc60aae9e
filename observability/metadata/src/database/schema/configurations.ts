// SPDX-License-Identifier: Apache-2.0
/** What tenants and assets configure, and the log of background errors. */
import { OF_ASSET, OF_TENANT, table } from './table.ts';

export const CONFIGURATIONS = {
  spark_configs: table(['primary key (tenant_id)', OF_TENANT], {
    tenant_id: 'text',
    config: 'text',
  }),
  dq_score_configs: table(['primary key (tenant_id, asset_id)', OF_ASSET], {
    tenant_id: 'text',
    asset_id: 'text',
    config: 'text',
  }),
  dq_reporting_configs: table(
    ['primary key (tenant_id)', OF_TENANT, 'foreign key (tenant_id, connection_id) references connections (tenant_id, id)'],
    {
      tenant_id: 'text',
      is_enabled: 'integer',
      path: 'text',
      connection_id: 'bigint',
    },
  ),
  background_errors: table(['primary key (tenant_id, number)', OF_TENANT], {
    tenant_id: 'text',
    number: 'bigint',
    event_ms: 'bigint',
    error_class: 'text',
    message: 'text',
    exception_type: 'text',
    stack_trace: 'text',
  }),
};
