// SPDX-License-Identifier: Apache-2.0
import { createOutboundGuard } from '@sextant/foundation-service';
import { systemClock } from '@sextant/foundation-std';
import { afterAll, expect, test } from 'vitest';
import { localLauncher, remoteLauncher } from '../launcher.ts';
import { createSparkConnector } from '../spark-connector.ts';
import { clusterLaunchers } from './cluster-kinds.ts';

const clock = systemClock;
const outbound = createOutboundGuard();
const connector = createSparkConnector({
  remote: remoteLauncher(outbound),
  local: localLauncher({ memoryMb: 0, threads: 1, home: undefined, environments: [], temporaryDirectory: '', clock }),
  clusters: clusterLaunchers({ outbound, clock }),
  allowedDirectories: [],
  statementTimeoutMs: 1000,
  clock,
});
const token = { type: 'TOKEN', payload: { token: 't' } };
const keys = { type: 'AWS', payload: { access_key: 'a', secret_key: 's' } };
afterAll(() => outbound.close());

test.each([
  [{ cluster: 'DATABRICKS', host: 'dbc.example.com' }, token],
  [{ cluster: 'EMR', region: 'eu-central-1' }, keys],
])('a connection to the cluster %j is taken', async (payload, credential) => {
  await connector.validateConnection(payload, credential);
});

test.each([
  ['payload.cluster', { cluster: 'KUBERNETES' }, token],
  ['payload.host', { cluster: 'EMR', region: 'eu-central-1', host: 'spark.example.com' }, keys],
  ['payload.ssl', { cluster: 'DATABRICKS', host: 'dbc.example.com', ssl: false }, token],
  ['payload.local', { cluster: 'DATABRICKS', host: 'dbc.example.com', local: true }, token],
  ['credential.type', { cluster: 'EMR', region: 'eu-central-1' }, token],
  ['credential', { cluster: 'DATAPROC', region: 'europe-west3' }, null],
])('a connection to a cluster is refused for its %s', (member, payload, credential) => {
  expect(() => connector.validateConnection(payload, credential)).toThrow(expect.objectContaining({ name: 'SourceError', member }));
});
