// SPDX-License-Identifier: Apache-2.0
/** Proposals of cells as queries see them: names and types follow the migrations; `_ms` is milliseconds since 1970. */

export type WrongCellsSchema = {
  cell_findings: {
    tenant_id: string;
    asset_id: string;
    job_id: string;
    metric_ms: number;
    findings: string;
  };
  cell_verdicts: {
    tenant_id: string;
    asset_id: string;
    attribute: string;
    value_key: string;
    is_wrong: number;
    detectors: string;
    actor: string;
    event_ms: number;
  };
};
