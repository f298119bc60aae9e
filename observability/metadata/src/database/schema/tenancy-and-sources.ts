// SPDX-License-Identifier: Apache-2.0
/** Tenants, users and sources as queries see them: names and types follow the migrations; a flag is 0 or 1, `_ms` is milliseconds since 1970. */

export type TenancyAndSourcesSchema = {
  tenants: {
    id: string;
    name: string;
    created_ms: number;
  };
  settings: {
    key: string;
    value: string;
  };
  spent_times: {
    key: string;
    spent_ms: number;
  };
  counters: {
    tenant_id: string;
    kind: string;
    next: number;
  };
  users: {
    tenant_id: string;
    id: string;
    email: string;
    email_key: string;
    first_name: string;
    last_name: string;
    role: string;
    password_hash: string | null;
    password_version: number;
    created_ms: number;
  };
  projects: {
    tenant_id: string;
    id: number;
    name: string;
    description: string | null;
    created_by: string;
    created_ms: number;
  };
  project_roles: {
    tenant_id: string;
    user_id: string;
    project_id: number;
    role: string;
  };
  refresh_tokens: {
    token_hash: string;
    tenant_id: string;
    user_id: string;
    family: string;
    expires_ms: number;
    /** When it was first used; null for one that can be. */
    used_ms: number | null;
  };
  api_keys: {
    tenant_id: string;
    id: string;
    name: string;
    secret_hash: string;
    role: string;
    creator_id: string | null;
    created_ms: number;
  };
  connections: {
    tenant_id: string;
    id: number;
    project_id: number;
    name: string;
    scope: string;
    type: string;
    payload: string;
    db_type: string | null;
    credential: string | null;
    credential_key_id: string | null;
    created_by: string;
    created_ms: number;
  };
  assets: {
    tenant_id: string;
    id: string;
    project_id: number;
    name: string;
    name_key: string;
    description: string | null;
    type: string;
    options: string;
    payload: string;
    connection_id: number | null;
    db_type: string | null;
    tags: string;
    webhook_url: string | null;
    created_by: string;
    created_ms: number;
  };
  attributes: {
    tenant_id: string;
    asset_id: string;
    id: string;
    position: number;
    name: string;
    source_type: string;
    data_type: string;
    is_monitored: number;
  };
  schedules: {
    tenant_id: string;
    asset_id: string;
    schedule: string;
    is_enabled: number;
    is_delta_only: number;
    sample_fraction: number | null;
    skips_investigator: number;
    timestamp_attribute: string | null;
    next_run_ms: number | null;
  };
  uploads: {
    tenant_id: string;
    id: string;
    file_name: string;
    bytes: number;
    sha256: string;
    path: string;
    created_by: string;
    created_ms: number;
  };
};
