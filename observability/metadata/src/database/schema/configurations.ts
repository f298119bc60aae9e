// SPDX-License-Identifier: Apache-2.0
/** Configurations and background errors as queries see them: names and types follow the migrations; a flag is 0 or 1, `_ms` is milliseconds since 1970. */

export type ConfigurationsSchema = {
  spark_configs: {
    tenant_id: string;
    config: string;
  };
  dq_score_configs: {
    tenant_id: string;
    asset_id: string;
    config: string;
  };
  dq_reporting_configs: {
    tenant_id: string;
    is_enabled: number;
    path: string;
    connection_id: number;
  };
  background_errors: {
    tenant_id: string;
    number: number;
    event_ms: number;
    error_class: string;
    message: string;
    exception_type: string;
    stack_trace: string;
  };
};
