// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { incidentListQuerySchema, parseIncidentFilter } from './incident-filter.ts';
import { validate } from './validate.ts';

describe('the filters of incidents', () => {
  test.each([
    [{}, {}],
    [{ project_ids: '0, 12' }, { project_ids: [0, 12] }],
    [
      { severities: 'LOW,HIGH', impacts: 'MEDIUM,NONE' },
      { severities: ['LOW', 'HIGH'], impacts: ['MEDIUM', 'NONE'] },
    ],
    [
      { connection_ids: 'conn-123,4', alert_policy_ids: '4,SCHEMA_DRIFTS', connection_types: 'S3' },
      { connection_ids: ['conn-123', '4'], alert_policy_ids: ['4', 'SCHEMA_DRIFTS'], connection_types: ['S3'] },
    ],
    [
      { from_time: '2026-01-31T13:00:00+01:00', to_time: '2026-02-01T00:00:00.5Z' },
      { from_time: '2026-01-31T12:00:00.000Z', to_time: '2026-02-01T00:00:00.500Z' },
    ],
    [{ from_time: '2026-01-31' }, { from_time: '2026-01-31T00:00:00.000Z' }],
    [
      { asset_ids: 'a,b', statuses: 'OPEN' },
      { asset_ids: ['a', 'b'], statuses: ['OPEN'] },
    ],
    [
      { assignees: 'ada@example.com,nobody', tags: 'finance, Finance 100 %' },
      { assignees: ['ada@example.com', 'nobody'], tags: ['finance', 'Finance 100 %'] },
    ],
    [{ text_to_search: 'ab, c' }, { text_to_search: 'ab, c' }],
    [{ project_ids: '', severities: ',', from_time: '', text_to_search: '' }, {}],
  ])('%j are read', (query, filter) => {
    validate(incidentListQuerySchema, query, 'query');
    expect(parseIncidentFilter(query)).toEqual(filter);
  });

  test.each([
    [{ project_ids: '1,x' }, 'project_ids: expected integers separated by commas, got "x"'],
    [{ project_ids: '-1' }, 'project_ids: expected integers separated by commas, got "-1"'],
    [{ severities: 'LOW,low' }, 'severities: expected LOW, MEDIUM or HIGH separated by commas, got "low"'],
    [
      { connection_types: 'S3,SNOWFLAK' },
      'connection_types: expected FILE, UPLOAD, S3, GCS, AZURE, POSTGRESQL, SPARK, VECTOR_COLLECTION, QDRANT, PGVECTOR, LANCEDB, MILVUS, BIGQUERY, REDSHIFT, SNOWFLAKE, DELTALAKE, HIVE_ICEBERG, GENERIC_JDBC separated by commas, got "SNOWFLAK"',
    ],
    [{ severities: 'NONE' }, 'severities: expected LOW, MEDIUM or HIGH separated by commas, got "NONE"'],
    [{ impacts: 'CRITICAL' }, 'impacts: expected LOW, MEDIUM, HIGH or NONE separated by commas, got "CRITICAL"'],
    [{ statuses: 'open' }, 'statuses: expected OPEN or CLOSED separated by commas, got "open"'],
    [{ from_time: 'yesterday' }, 'from_time: expected an ISO 8601 timestamp such as 2026-01-31T12:00:00.000Z, got "yesterday"'],
    [{ to_time: '2026-02-30' }, 'to_time: expected an ISO 8601 timestamp such as 2026-01-31T12:00:00.000Z, got "2026-02-30"'],
    [{ project_ids: Array.from({ length: 1001 }, (_, id) => id).join() }, 'project_ids: expected at most 1000 values, got 1001'],
    [{ from_time: '2026-02-02', to_time: '2026-02-01' }, 'from_time: must not be after to_time'],
  ])('%j are refused with the name of the parameter', (query, message) => {
    expect(() => parseIncidentFilter(query)).toThrow(expect.objectContaining({ code: 'bad_request', message }));
  });

  test.each([
    [{ limit: '-1' }, 'limit: expected an integer of at least 0, got the string "-1"'],
    [{ severity: 'LOW' }, 'severity: unknown member; expected one of project_ids, connection_types'],
    [{ severitys: 'LOW' }, "severitys: unknown member; did you mean 'severities'?"],
  ])('%j is refused', (query, message) => {
    expect(() => validate(incidentListQuerySchema, query, 'query')).toThrow(message);
  });
});
