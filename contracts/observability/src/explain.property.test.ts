// SPDX-License-Identifier: Apache-2.0
import { explain, type SchemaNode } from '@sextant/foundation-contract';
import { changedJson, jsonWith, roundsOf } from '@sextant/foundation-testing';
import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { describe, expect, test } from 'vitest';
import type { Endpoint } from './endpoints/endpoint.ts';
import { endpoints, type OperationId } from './endpoints.ts';

const threshold = { threshold_type: 'STATIC', threshold1: 1, threshold2: null };

/** Bodies that are let through; the property changes them somewhere. */
const samples: { readonly [Id in OperationId]?: object } = {
  create_tenant: { id: 'acme', name: 'Acme', admin_email: 'a@b.c', admin_password: 'p' },
  get_token: { grant_type: 'refresh_token', refresh_token: 'r', tenant: 't' },
  assign_role: { role: 'viewer', project_roles: { 1: 'editor' } },
  create_connection: { name: 'a', type: 'S3', payload: { bucket: 'b' }, credential: { type: 'AWS', payload: { access_key: 'a' } } },
  create_asset: { name: 'a', type: 'S3', payload: { path: 'a' }, options: { segments: { a: ['x'] }, limit: 3 }, tags: ['t'] },
  update_asset: { options: { limit: null, filter: { a: ['x'] } }, webhook_url: 'https://example.com' },
  put_attributes: { monitored: ['a'] },
  put_schedule: { schedule: '0 6 * * *', sample_fraction: 5 },
  create_monitor: {
    type: 'RULE',
    name: 'a',
    enabled: true,
    threshold,
    monitor: { expression: 'x', variables: [{ name: 'v', type: 'RANGE', value: [1, 'b'] }] },
    notification: { send_notifications: true, notification_channel_names: ['c'] },
    ticketing: { type: 'TRACKER', create_ticket: null, ticket_template_id: 1 },
  },
  update_monitor: { name: 'a', enabled: true, threshold, monitor: { predefined_metric: 'COMPLETENESS', attributes: ['a'] } },
  preview_monitor: { type: 'METRIC', monitor: { expression: 'x', raw_sql: true } },
  alerts_by_filters: { sources: ['a'], upload_dates: ['2026-01-31T12:00:00.000Z'], violation_names: ['v'] },
  create_ticket_template: {
    name: 'a',
    type: 'TRACKER',
    props: { tracker_project_id: '1', tracker_issue_type_id: '2', custom_fields: { a: { b: [1] } } },
  },
  put_spark_job_config: {
    spark_properties: { a: 'b' },
    cluster_a_config: { spark_master_disk_size_in_gb: 100 },
    cluster_b_config: { min_instance_count: 1, max_instance_count: 2 },
    cluster_c_config: { node_type: 'x', policy_id: 'y' },
  },
  put_dq_score: { enabled: true, weights: { completeness: 1, accuracy: 0, consistency: 0, timeliness: 0 } },
  put_dq_reporting: { enabled: true, path: 'a/b', connection_id: 1 },
  create_channel: { name: 'a', type: 'EMAIL', addresses: ['a@b'] },
};

const changes = {
  anything: jsonWith(['name', 'type', 'expression', 'completeness', 'zz']),
  added: ['zz', 'name', 'type', 'monitor', 'instance_pool_id', 'all', 'thresholds'],
};

const rows: { readonly [id: string]: Endpoint } = endpoints;

describe('a refusal', () => {
  test.each(Object.entries(samples))('of %s has a reason exactly where the validator says no', (id, body) => {
    const schema = rows[id]?.body as TSchema;
    const validator = Compile(schema);
    expect(validator.Check(body)).toBe(true);
    fc.assert(
      fc.property(changedJson(body, changes), (value) => {
        expect(explain(schema as SchemaNode, value) === undefined).toBe(validator.Check(value));
      }),
      { numRuns: roundsOf({ quick: 150, long: 5000 }) },
    );
  });
});
