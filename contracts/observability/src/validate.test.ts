// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { createAssetSchema, putAttributesSchema, putScheduleSchema, updateAssetSchema } from './asset-schemas.ts';
import {
  createChannelSchema,
  putDqReportingSchema,
  putDqScoreSchema,
  putTicketTemplateSchema,
  updateChannelSchema,
} from './configuration-schemas.ts';
import { alertsByFiltersSchema } from './incident-schemas.ts';
import { createMonitorSchema, monitorDefinitionSchema, previewMonitorSchema, updateMonitorSchema } from './monitor-schemas.ts';
import { uploadQuerySchema } from './query-schemas.ts';
import { createConnectionSchema, updateConnectionSchema } from './source-schemas.ts';
import { putSparkJobConfigSchema } from './spark-schemas.ts';
import { assignRoleSchema, createTenantSchema, createUserSchema } from './tenancy-schemas.ts';
import { validate } from './validate.ts';

const weights = { completeness: 0.25, accuracy: 0.25, consistency: 0.25, timeliness: 0.25 };
const template = { name: 'a', type: 'TRACKER', props: { tracker_project_id: '10000', tracker_issue_type_id: '10001' } };
const learned = { threshold_type: 'ML' };
const monitor = { name: 'a', enabled: true, threshold: learned };
const completeness = { ...monitor, type: 'PREDEFINED_METRIC', monitor: { predefined_metric: 'COMPLETENESS', attributes: ['a'] } };
const rule = { ...monitor, type: 'RULE', monitor: { expression: 'VALIDATE `a` EXPECT VALUE > 1' } };
const banded = (threshold: object) => ({ ...completeness, threshold });
const { type: _type, ...replacement } = rule;
const asset = { name: 'a', type: 'S3', payload: { path: 'a.csv' } };
const POLICY = 'projects/p/locations/europe-west1/autoscalingPolicies/x';

describe('a spark job configuration', () => {
  test.each([
    [{}],
    [{ spark_properties: { 'spark.driver.memory': '4g' } }],
    [{ spark_properties: null, cluster_a_config: null, cluster_b_config: null, cluster_c_config: null }],
    [{ cluster_a_config: { spark_master_disk_size_in_gb: 10, spark_worker_disk_size_in_gb: 500, autoscale_policy: POLICY } }],
    [{ cluster_a_config: { autoscale_policy: `https://dataproc.googleapis.com/v1/${POLICY}` } }],
    [{ cluster_b_config: { worker_instance_option: 'SPOT', min_instance_count: 0, max_instance_count: 0 } }],
    [{ cluster_c_config: { node_type: 'x', driver_instance_pool_id: 'p', min_instance_count: 1 } }],
  ])('%j is let through', (body) => {
    expect(() => validate(putSparkJobConfigSchema, body, 'body')).not.toThrow();
  });

  test.each([
    [[], 'body: expected an object, got an empty array'],
    [{ cluster_d_config: {} }, "cluster_d_config: unknown member; did you mean 'cluster_a_config'?"],
    [{ spark_properties: { a: 1 } }, 'spark_properties.a: expected a string, got 1'],
    [{ spark_properties: { 'a\nb': 1 } }, 'spark_properties."a\\nb": expected a string, got 1'],
    [{ spark_properties: { '': 'x' } }, 'spark_properties."": this name is not allowed: it must have 1 to 1024 characters'],
    [
      { cluster_a_config: { spark_master_disk_size_in_gb: '100' } },
      'cluster_a_config.spark_master_disk_size_in_gb: expected an integer from 10 to 65536, got the string "100"',
    ],
    [
      { cluster_a_config: { spark_worker_disk_size_in_gb: 12.5 } },
      'cluster_a_config.spark_worker_disk_size_in_gb: expected an integer from 10 to 65536, got 12.5',
    ],
    [
      { cluster_a_config: { spark_worker_disk_size_in_gb: 9 } },
      'cluster_a_config.spark_worker_disk_size_in_gb: expected an integer from 10 to 65536, got 9',
    ],
    [
      { cluster_a_config: { autoscale_policy: 'x' } },
      'cluster_a_config.autoscale_policy: expected projects/<project>/locations/<region>/autoscalingPolicies/<id>, or the same behind https://<host>/v1/, got the string "x"',
    ],
    [{ cluster_a_config: { node_type: 'x' } }, /^cluster_a_config\.node_type: unknown member/],
    [
      { cluster_b_config: { worker_instance_option: 'SPOTS' } },
      'cluster_b_config.worker_instance_option: expected "ON_DEMAND" or "SPOT", got the string "SPOTS"; did you mean \'SPOT\'?',
    ],
    [
      { cluster_b_config: { min_instance_count: 3, max_instance_count: 2 } },
      'cluster_b_config: min_instance_count (3) must not be above max_instance_count (2)',
    ],
    [{ cluster_c_config: { min_instance_count: -1 } }, 'cluster_c_config.min_instance_count: expected an integer from 0 to 100000, got -1'],
    [
      { cluster_c_config: { node_type: 'a', instance_pool_id: 'b' } },
      'cluster_c_config: give either `node_type` or `instance_pool_id`: a pool brings its own node type',
    ],
    [
      { cluster_c_config: { min_instance_count: 3, max_instance_count: 2 } },
      'cluster_c_config: min_instance_count (3) must not be above max_instance_count (2)',
    ],
  ])('%j is refused with its reason', (body, message) => {
    expect(() => validate(putSparkJobConfigSchema, body, 'body')).toThrow(refusal(message));
  });
});

describe('a configuration', () => {
  test.each([
    [putDqScoreSchema, { enabled: true, weights }],
    [putDqScoreSchema, { enabled: false, weights: { completeness: 40, accuracy: 60, consistency: 0, timeliness: 0 } }],
    [putDqScoreSchema, { enabled: true, weights, thresholds: { critical: 60, warning: 80 } }],
    [putDqReportingSchema, { enabled: true, path: 'reports/dq', connection_id: 1 }],
    [putDqReportingSchema, { enabled: true, path: 'a..b/.c/', connection_id: 1 }],
    [putTicketTemplateSchema, template],
    [
      putTicketTemplateSchema,
      { ...template, description: null, props: { ...template.props, custom_fields: { customfield_1: { a: [1] } } } },
    ],
    [createChannelSchema, { name: 'a', type: 'EMAIL', addresses: ['a@b.c'] }],
    [createChannelSchema, { name: 'a', type: 'SLACK', addresses: ['#alerts', 'https://hooks.example.com/x'] }],
    [updateChannelSchema, { type: 'WEBHOOK', addresses: ['http://127.0.0.1:9/x'] }],
  ])('%# is let through', (schema, body) => {
    expect(() => validate(schema, body, 'body')).not.toThrow();
  });

  test.each([
    [putDqScoreSchema, { weights }, 'body: required member `enabled` is missing'],
    [putDqScoreSchema, { enabled: 'true', weights }, 'enabled: expected true or false, got the string "true"'],
    [
      putDqScoreSchema,
      { enabled: true, weights: { ...weights, accuracy: -1 } },
      'weights.accuracy: expected a number of at least 0, got -1',
    ],
    [putDqScoreSchema, { enabled: true, weights: { ...weights, accuracy: Number.POSITIVE_INFINITY } }, /too large$/],
    [
      putDqScoreSchema,
      { enabled: true, weights: { completeness: 1e308, accuracy: 1e308, consistency: 0, timeliness: 0 } },
      'weights: the sum of the weights is too large',
    ],
    [
      putDqScoreSchema,
      { enabled: true, weights: { completeness: 0, accuracy: 0, consistency: 0, timeliness: 0 } },
      'weights: at least one weight must be above 0',
    ],
    [putDqScoreSchema, { enabled: true, weights: { ...weights, validity: 1 } }, /^weights\.validity: unknown member/],
    [
      putDqReportingSchema,
      { enabled: true, path: '/a', connection_id: 1 },
      'path: must be relative: a path inside the bucket of the connection',
    ],
    [
      putDqReportingSchema,
      { enabled: true, path: 's3://b/a', connection_id: 1 },
      'path: must be relative: a path inside the bucket of the connection',
    ],
    [
      putDqReportingSchema,
      { enabled: true, path: 'C:\\a', connection_id: 1 },
      'path: must be relative: a path inside the bucket of the connection',
    ],
    [putDqReportingSchema, { enabled: true, path: 'a/../../b', connection_id: 1 }, 'path: must not have steps `.` or `..`'],
    [putDqReportingSchema, { enabled: true, path: '..', connection_id: 1 }, 'path: must not have steps `.` or `..`'],
    [putDqReportingSchema, { enabled: true, path: 'a\\..\\b', connection_id: 1 }, 'path: must not have steps `.` or `..`'],
    [putDqReportingSchema, { enabled: true, path: 'a\u0000', connection_id: 1 }, 'path: must not have backslashes or control characters'],
    [putDqReportingSchema, { enabled: true, path: '', connection_id: 1 }, 'path: must not be empty'],
    [
      putDqReportingSchema,
      { enabled: true, path: 'a', connection_id: '1' },
      'connection_id: expected an integer of at least 1, got the string "1"',
    ],
    [putTicketTemplateSchema, { ...template, type: 'OTHER' }, 'type: expected "TRACKER", got the string "OTHER"'],
    [
      putTicketTemplateSchema,
      { ...template, props: { tracker_project_id: '1' } },
      'props: required member `tracker_issue_type_id` is missing',
    ],
    [putTicketTemplateSchema, { type: 'TRACKER', props: template.props }, 'body: required member `name` is missing'],
    [createChannelSchema, { name: 'a', type: 'EMAIL', addresses: [] }, 'addresses: expected at least 1 item, got 0'],
    [createChannelSchema, { name: 'a', type: 'EMAIL', addresses: ['a@b', 'x'] }, 'body: addresses[1]: expected an e-mail address, got "x"'],
    [createChannelSchema, { name: 'a', type: 'WEBHOOK', addresses: ['file:///etc'] }, /expected an http or https address/],
  ])('%# is refused with its reason', (schema, body, message) => {
    expect(() => validate(schema, body, 'body')).toThrow(refusal(message));
  });
});

describe('a monitor', () => {
  test.each([
    [createMonitorSchema, completeness],
    [createMonitorSchema, { ...completeness, monitor: { predefined_metric: 'SCHEMA_DRIFTS' }, tags: null, impact: 'HIGH' }],
    [
      createMonitorSchema,
      { ...monitor, type: 'METRIC', monitor: { expression: 'avg(`a`)', options: { ignore_nulls: true }, raw_sql: false } },
    ],
    [createMonitorSchema, { ...rule, notification: { send_notifications: true, notification_channel_names: null } }],
    [createMonitorSchema, { ...rule, ticketing: { type: 'TRACKER', create_ticket: true, ticket_template_id: 4 } }],
    [createMonitorSchema, { ...rule, monitor: { ...rule.monitor, variables: [{ name: 'v', type: 'RANGE', value: [1, '-2d'] }] } }],
    [createMonitorSchema, banded({ threshold_type: 'STATIC', threshold1: 1, threshold2: 1, history_limit: 0 })],
    [createMonitorSchema, banded({ threshold_type: 'RELATIVE', threshold1: null, threshold2: 5, extrapolation_strategy: 'ZERO' })],
    [updateMonitorSchema, replacement],
    [monitorDefinitionSchema('RULE'), rule.monitor],
    [previewMonitorSchema, { type: 'RULE', monitor: { expression: 'x' } }],
    [previewMonitorSchema, { type: 'PREDEFINED_METRIC', monitor: completeness.monitor, threshold: { threshold_type: 'ML' } }],
  ])('%# is let through', (schema, body) => {
    expect(() => validate(schema, body, 'body')).not.toThrow();
  });

  test.each([
    [createMonitorSchema, { ...replacement }, 'body: required member `type` is missing; it is "PREDEFINED_METRIC", "METRIC" or "RULE"'],
    [createMonitorSchema, { ...rule, type: 'SQL' }, 'type: expected "PREDEFINED_METRIC", "METRIC" or "RULE", got the string "SQL"'],
    [createMonitorSchema, { ...rule, monitor: {} }, 'monitor: required member `expression` is missing'],
    [createMonitorSchema, { ...rule, monitor: { expression: '' } }, 'monitor.expression: must not be empty'],
    [
      createMonitorSchema,
      { ...completeness, monitor: { predefined_metric: 'COMPLETNESS' } },
      /^monitor\.predefined_metric: .*did you mean 'COMPLETENESS'\?$/,
    ],
    [createMonitorSchema, { ...rule, impact: 'CRITICAL' }, 'impact: expected "LOW", "MEDIUM" or "HIGH", got the string "CRITICAL"'],
    [createMonitorSchema, { ...rule, enabled: undefined }, 'enabled: expected true or false, got a value that JSON cannot represent'],
    [
      createMonitorSchema,
      banded({ threshold_type: 'STATIC' }),
      'threshold: a STATIC threshold needs `threshold1` (lower bound), `threshold2` (upper bound) or both',
    ],
    [
      createMonitorSchema,
      banded({ threshold_type: 'RELATIVE', threshold1: 5, threshold2: -5 }),
      'threshold: `threshold1` (5) must not be above `threshold2` (-5)',
    ],
    [
      createMonitorSchema,
      banded({ threshold_type: 'ML', history_limit: -1 }),
      'threshold.history_limit: expected an integer from 0 to 1000, got -1',
    ],
    [updateMonitorSchema, rule, 'type: the type of a monitor cannot be changed; leave it out'],
    [monitorDefinitionSchema('RULE'), completeness.monitor, /^predefined_metric: unknown member/],
    [previewMonitorSchema, { type: 'SQL', monitor: {} }, 'type: expected "PREDEFINED_METRIC", "METRIC" or "RULE", got the string "SQL"'],
  ])('%# is refused with its reason', (schema, body, message) => {
    expect(() => validate(schema, body, 'body')).toThrow(refusal(message));
  });
});

describe('a source', () => {
  test.each([
    [
      createConnectionSchema,
      { name: 'a', type: 'S3', payload: { bucket: 'b' }, credential: { type: 'AWS', payload: { access_key: 'a' } } },
    ],
    [createConnectionSchema, { name: 'a', type: 'SNOWFLAKE', payload: {} }],
    [updateConnectionSchema, {}],
    [updateConnectionSchema, { credential: null }],
    [createAssetSchema, asset],
    [
      createAssetSchema,
      { ...asset, options: { segments: { 'a\nb': ['__null__', 'x'] }, delta_only: 'true', sample_fraction: 25, separator: '\t' } },
    ],
    [updateAssetSchema, { options: { limit: null } }],
    [putAttributesSchema, { monitored: ['a', 'b'] }],
    [putAttributesSchema, { all: true }],
    [putScheduleSchema, { schedule: '*/5 * * * 1-5' }],
    [alertsByFiltersSchema, { sources: ['a'], upload_dates: ['2026-01-31T12:00:00.000Z'], violation_names: [] }],
    [uploadQuerySchema, { name: 'sales 2026.csv.gz' }],
  ])('%# is let through', (schema, body) => {
    expect(() => validate(schema, body, 'body')).not.toThrow();
  });

  test.each([
    [createConnectionSchema, { name: 'a', type: 's3', payload: {} }, /^type: expected .*did you mean 'S3'\?$/],
    [createConnectionSchema, { name: 'a', type: 'S3' }, 'body: required member `payload` is missing'],
    [
      createConnectionSchema,
      { name: 'a\u0007', type: 'S3', payload: {} },
      /^name: expected 1 to 255 characters without control characters/,
    ],
    [
      createConnectionSchema,
      { name: 'a', type: 'S3', payload: {}, credential: { payload: {} } },
      'credential: required member `type` is missing',
    ],
    [createAssetSchema, { ...asset, options: { delta_only: true } }, 'options.delta_only: expected "true" or "false", got true'],
    [
      createAssetSchema,
      { ...asset, options: { sample_fraction: 0 } },
      'options.sample_fraction: expected a percentage above 0, at most 100, got 0',
    ],
    [
      createAssetSchema,
      { ...asset, options: { separator: '"' } },
      'options.separator: expected one character that is neither a quote nor a line break, got the string "\\""',
    ],
    [
      createAssetSchema,
      { ...asset, options: { segments: { a: 'x' } } },
      'options.segments.a: expected an array of strings, got the string "x"',
    ],
    [createAssetSchema, { ...asset, options: { filters: {} } }, "options.filters: unknown member; did you mean 'filter'?"],
    [createAssetSchema, { ...asset, webhook_url: 'ftp://x' }, 'webhook_url: expected an http or https address, got the string "ftp://x"'],
    [putAttributesSchema, {}, 'body: give either `monitored`, the names of the attributes to monitor, or `all`'],
    [putAttributesSchema, { monitored: [], all: true }, 'body: give either `monitored`, the names of the attributes to monitor, or `all`'],
    [putScheduleSchema, { schedule: 'daily' }, 'schedule: expected five fields of cron, such as 0 6 * * *, got the string "daily"'],
    [
      alertsByFiltersSchema,
      { sources: [], upload_dates: ['2026-02-30T00:00:00Z'], violation_names: [] },
      'upload_dates[0]: expected an ISO 8601 timestamp such as 2026-01-31T12:00:00.000Z, got "2026-02-30T00:00:00Z"',
    ],
    [uploadQuerySchema, { name: '../x' }, 'name: expected the name of a file, without slashes, got the string "../x"'],
    [uploadQuerySchema, {}, 'body: required member `name` is missing'],
  ])('%# is refused with its reason', (schema, body, message) => {
    expect(() => validate(schema, body, 'body')).toThrow(refusal(message));
  });
});

describe('a tenant or user', () => {
  test.each([
    [createTenantSchema, { id: 'acme-1', admin_email: 'a@b.c' }],
    [createUserSchema, { email: 'a@localhost', first_name: '', last_name: 'B', role: 'viewer' }],
    [assignRoleSchema, { project_roles: { 0: 'editor', 12: 'operator' } }],
  ])('%# is let through', (schema, body) => {
    expect(() => validate(schema, body, 'body')).not.toThrow();
  });

  test.each([
    [createTenantSchema, { id: 'api', admin_email: 'a@b.c' }, 'id: "api" is reserved; choose another id'],
    [createTenantSchema, { id: '../x', admin_email: 'a@b.c' }, /^id: expected 1 to 63 of a-z/],
    [
      createUserSchema,
      { email: 'x', first_name: '', last_name: '', role: 'viewer' },
      'email: expected an e-mail address, got the string "x"',
    ],
    [
      createUserSchema,
      { email: 'a@b', first_name: '', last_name: '', role: 'user' },
      /^role: expected "admin", "editor", "operator" or "viewer"/,
    ],
    [assignRoleSchema, {}, 'body: give `role`, the role in the tenant, `project_roles`, or both'],
    [
      assignRoleSchema,
      { project_roles: { 0: 'admin' } },
      'project_roles."0": expected "editor", "operator" or "viewer", got the string "admin"',
    ],
    [assignRoleSchema, { project_roles: { x: 'editor' } }, 'project_roles.x: this name is not allowed: it must have the id of a project'],
  ])('%# is refused with its reason', (schema, body, message) => {
    expect(() => validate(schema, body, 'body')).toThrow(refusal(message));
  });
});

function refusal(message: string | RegExp) {
  return expect.objectContaining({ code: 'bad_request', message: typeof message === 'string' ? message : expect.stringMatching(message) });
}
