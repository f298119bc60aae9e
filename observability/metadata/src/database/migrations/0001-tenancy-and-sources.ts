// SPDX-License-Identifier: Apache-2.0
/** Tenants, who may enter them, and the sources that they watch. */
import type { Migration } from '../migration.ts';

export const tenancyAndSources: Migration = [
  `create table tenants (
    id text primary key,
    name text not null,
    created_ms bigint not null
  )`,
  `create table settings (
    key text primary key,
    value text not null
  )`,
  `create table counters (
    tenant_id text not null references tenants (id),
    kind text not null,
    next bigint not null,
    primary key (tenant_id, kind)
  )`,
  `create table users (
    tenant_id text not null references tenants (id),
    id text not null,
    email text not null,
    email_key text not null,
    first_name text not null,
    last_name text not null,
    role text not null,
    password_hash text,
    password_version integer not null,
    created_ms bigint not null,
    primary key (tenant_id, id),
    unique (tenant_id, email_key)
  )`,
  `create table projects (
    tenant_id text not null references tenants (id),
    id bigint not null,
    name text not null,
    description text,
    created_by text not null,
    created_ms bigint not null,
    primary key (tenant_id, id),
    unique (tenant_id, name)
  )`,
  `create table project_roles (
    tenant_id text not null,
    user_id text not null,
    project_id bigint not null,
    role text not null,
    primary key (tenant_id, user_id, project_id),
    foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade,
    foreign key (tenant_id, project_id) references projects (tenant_id, id) on delete cascade
  )`,
  'create index project_roles_by_project on project_roles (tenant_id, project_id)',
  `create table refresh_tokens (
    token_hash text primary key,
    tenant_id text not null,
    user_id text not null,
    family text not null,
    expires_ms bigint not null,
    is_used integer not null,
    foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
  )`,
  'create index refresh_tokens_by_user on refresh_tokens (tenant_id, user_id)',
  'create index refresh_tokens_by_family on refresh_tokens (tenant_id, family)',
  `create table api_keys (
    tenant_id text not null references tenants (id),
    id text not null,
    name text not null,
    secret_hash text not null unique,
    role text not null,
    creator_id text,
    created_ms bigint not null,
    primary key (tenant_id, id),
    foreign key (tenant_id, creator_id) references users (tenant_id, id) on delete cascade
  )`,
  'create index api_keys_by_creator on api_keys (tenant_id, creator_id)',
  `create table connections (
    tenant_id text not null,
    id bigint not null,
    project_id bigint not null,
    name text not null,
    scope text not null,
    type text not null,
    payload text not null,
    db_type text,
    credential text,
    credential_key_id text,
    created_by text not null,
    created_ms bigint not null,
    primary key (tenant_id, id),
    foreign key (tenant_id, project_id) references projects (tenant_id, id)
  )`,
  'create index connections_by_project on connections (tenant_id, project_id)',
  // name_key is the name in lower case as JavaScript makes it: the same search on both databases, in any script.
  `create table assets (
    tenant_id text not null,
    id text not null,
    project_id bigint not null,
    name text not null,
    name_key text not null,
    description text,
    type text not null,
    options text not null,
    payload text not null,
    connection_id bigint,
    db_type text,
    tags text not null,
    webhook_url text,
    created_by text not null,
    created_ms bigint not null,
    primary key (tenant_id, id),
    foreign key (tenant_id, project_id) references projects (tenant_id, id),
    foreign key (tenant_id, connection_id) references connections (tenant_id, id)
  )`,
  'create index assets_by_project on assets (tenant_id, project_id)',
  'create index assets_by_connection on assets (tenant_id, connection_id)',
  'create index assets_by_type on assets (tenant_id, type)',
  `create table attributes (
    tenant_id text not null,
    asset_id text not null,
    id text not null,
    position bigint not null,
    name text not null,
    source_type text not null,
    data_type text not null,
    is_monitored integer not null,
    primary key (tenant_id, asset_id, name),
    foreign key (tenant_id, asset_id) references assets (tenant_id, id) on delete cascade
  )`,
  `create table lineage_edges (
    tenant_id text not null,
    parent_id text not null,
    child_id text not null,
    primary key (tenant_id, parent_id, child_id),
    foreign key (tenant_id, parent_id) references assets (tenant_id, id) on delete cascade,
    foreign key (tenant_id, child_id) references assets (tenant_id, id) on delete cascade
  )`,
  'create index lineage_edges_by_child on lineage_edges (tenant_id, child_id)',
  `create table schedules (
    tenant_id text not null,
    asset_id text not null,
    schedule text not null,
    is_enabled integer not null,
    is_delta_only integer not null,
    sample_fraction double precision,
    skips_investigator integer not null,
    timestamp_attribute text,
    next_run_ms bigint,
    primary key (tenant_id, asset_id),
    foreign key (tenant_id, asset_id) references assets (tenant_id, id) on delete cascade
  )`,
  'create index schedules_by_next_run on schedules (next_run_ms)',
  `create table uploads (
    tenant_id text not null references tenants (id),
    id text not null,
    file_name text not null,
    bytes bigint not null,
    sha256 text not null,
    path text not null,
    created_by text not null,
    created_ms bigint not null,
    primary key (tenant_id, id)
  )`,
];
