// SPDX-License-Identifier: Apache-2.0
import { availableParallelism, totalmem } from 'node:os';
import { builtCapabilities } from '@sextant/contracts-vector';
import { describe, expect, test } from 'vitest';
import { openAccessProblem, publicHosts, readVectorConfiguration } from './configuration.ts';

test('without any setting the service is private, on its own ports', () => {
  const outcome = readVectorConfiguration({}, []);
  expect(outcome).toMatchObject({ kind: 'ready', warnings: [] });
  expect(outcome.kind === 'ready' && outcome.configuration).toEqual({
    configurationFile: undefined,
    host: '127.0.0.1',
    restPort: 6573,
    grpcPort: 6574,
    dataDirectory: './data/vector',
    authEnabled: false,
    allowOpenAccess: false,
    allowPrivateNetworks: false,
    observabilityUrl: 'http://{host}:6580',
    jwtSecret: undefined,
    bodyLimitBytes: 33_554_432,
    threads: availableParallelism(),
    unknownMembers: 'known',
    vectorMemoryBytes: expect.any(Number),
    collectionsOpenMax: 0,
    connectionsMax: 0,
    diskReserveBytes: 67_108_864,
    recoverySeconds: 3600,
    shutdownSeconds: 30,
    capabilities: [],
    clusterReplaceSeconds: 600,
    writeStatusCase: 'auto',
    snapshotsDirectory: undefined,
    allowedOrigins: [],
    auditLog: undefined,
    trustedProxies: [],
    requestLog: 'none',
    slowRequestMs: 1000,
    publicUrl: undefined,
    embeddingUrl: undefined,
    embeddingApiKey: undefined,
    embeddingModels: [],
    embeddingOnnxFolders: [],
    embeddingThreads: Math.max(1, Math.floor(availableParallelism() / 2)),
    embeddingTimeoutSeconds: 30,
    embeddingBatch: 64,
    embeddingCacheBytes: 67_108_864,
    tlsCertificateFile: undefined,
    tlsKeyFile: undefined,
    tlsClientCaFile: undefined,
    allowedHosts: [],
    otlpProtocol: 'http/protobuf',
    tracesExporter: 'otlp',
    metricsExporter: 'otlp',
    metricExportIntervalMs: 60_000,
    tracesSampler: 'parentbased_always_on',
    telemetryDisabled: false,
    logLevel: 'info',
  });
});

test('without a setting vectors may take most of the memory, and leave some to everything else', () => {
  const outcome = readVectorConfiguration({}, []);
  const bytes = outcome.kind === 'ready' ? outcome.configuration.vectorMemoryBytes : 0;
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(totalmem());
});

test('capabilities are named, or are all', () => {
  const capabilitiesOf = (text: string) => readVectorConfiguration({ SERVICE_CAPABILITIES: text }, []);
  expect(capabilitiesOf('groups, discovery')).toMatchObject({ configuration: { capabilities: ['groups', 'discovery'] } });
  expect(capabilitiesOf('all')).toMatchObject({ configuration: { capabilities: builtCapabilities } });
  expect(capabilitiesOf('groups,telepathy')).toMatchObject({
    problems: [expect.stringMatching(/^SERVICE_CAPABILITIES is "groups,telepathy"; expected all, or some of .*groups/)],
  });
});

test('both listeners on one port are refused, unless the system chooses', () => {
  expect(readVectorConfiguration({ SERVICE_REST_PORT: '7000', SERVICE_GRPC_PORT: '7000' }, [])).toEqual({
    kind: 'refused',
    problems: ['SERVICE_REST_PORT and SERVICE_GRPC_PORT are both 7000; expected two different ports'],
  });
  expect(readVectorConfiguration({ SERVICE_REST_PORT: '0', SERVICE_GRPC_PORT: '0' }, []).kind).toBe('ready');
});

test.each([
  ['SERVICE_REST_PORT', '65536', 'SERVICE_REST_PORT is "65536"; expected an integer from 0 to 65535'],
  ['SERVICE_GRPC_PORT', '-1', 'SERVICE_GRPC_PORT is "-1"; expected an integer from 0 to 65535'],
  ['SERVICE_AUTH_ENABLED', 'yes', 'SERVICE_AUTH_ENABLED is "yes"; expected true or false'],
  ['SERVICE_BODY_LIMIT_BYTES', '32MB', 'SERVICE_BODY_LIMIT_BYTES is "32MB"; expected an integer from 1024 to 1073741824'],
  ['SERVICE_THREADS', '0', 'SERVICE_THREADS is "0"; expected an integer from 1 to 56'],
  ['SERVICE_VECTOR_MEMORY_BYTES', '8GB', 'SERVICE_VECTOR_MEMORY_BYTES is "8GB"; expected an integer from 1048576 to 9007199254740991'],
  ['SERVICE_LOG_LEVEL', 'loud', 'SERVICE_LOG_LEVEL is "loud"; expected one of trace, debug, info, warn, error, fatal, silent'],
])('%s=%s stops the start', (name, value, problem) => {
  expect(readVectorConfiguration({ [name]: value }, [])).toEqual({ kind: 'refused', problems: [problem] });
});

test.each([
  [{ SERVICE_EMBEDDING_MODELS: 'a' }, 'SERVICE_EMBEDDING_MODELS needs SERVICE_EMBEDDING_URL'],
  [{ SERVICE_EMBEDDING_API_KEY: 'k' }, 'SERVICE_EMBEDDING_API_KEY needs SERVICE_EMBEDDING_URL'],
  [
    { SERVICE_EMBEDDING_URL: 'http://127.0.0.1:1/v1' },
    'SERVICE_EMBEDDING_URL needs SERVICE_EMBEDDING_MODELS: set the models that requests may use',
  ],
  [{ SERVICE_EMBEDDING_URL: 'file:///v1', SERVICE_EMBEDDING_MODELS: 'a' }, /^SERVICE_EMBEDDING_URL: expected an http or https address/],
  [{ SERVICE_EMBEDDING_URL: 'http://u:p@host/v1', SERVICE_EMBEDDING_MODELS: 'a' }, /without user information or a query$/],
])('an endpoint of embeddings that is set by halves stops the start: %j', (env, problem) => {
  const expected = typeof problem === 'string' ? problem : expect.stringMatching(problem);
  expect(readVectorConfiguration(env, [])).toEqual({ kind: 'refused', problems: [expected] });
});

test('models in folders are called as these are, or otherwise, and no two alike', () => {
  const read = (folders: string, more = {}) => readVectorConfiguration({ SERVICE_EMBEDDING_ONNX_FOLDERS: folders, ...more }, []);
  expect(read('/srv/a, small=/srv/b')).toMatchObject({
    kind: 'ready',
    configuration: { embeddingOnnxFolders: ['/srv/a', 'small=/srv/b'] },
  });
  const problems = [expect.stringMatching(/^two models are named "a"; use name=folder/)];
  expect(read('/srv/a, /opt/a')).toEqual({ kind: 'refused', problems });
  expect(read('/srv/a', { SERVICE_EMBEDDING_URL: 'http://127.0.0.1:1/v1', SERVICE_EMBEDDING_MODELS: 'a' })).toEqual({
    kind: 'refused',
    problems,
  });
});

test('an endpoint of embeddings has models', () => {
  const env = { SERVICE_EMBEDDING_URL: 'https://api.example.com/v1', SERVICE_EMBEDDING_MODELS: 'small, org/large:7b' };
  expect(readVectorConfiguration(env, [])).toMatchObject({ kind: 'ready', configuration: { embeddingModels: ['small', 'org/large:7b'] } });
});

test('a public address adds its name to those that the service answers to', () => {
  const read = readVectorConfiguration({ SERVICE_PUBLIC_URL: 'https://vectors.example.com:8443/', SERVICE_ALLOWED_HOSTS: 'db' }, []);
  expect(read.kind === 'ready' && publicHosts(read.configuration)).toEqual(['db', 'vectors.example.com']);
  expect(readVectorConfiguration({ SERVICE_PUBLIC_URL: 'vectors.example.com' }, [])).toEqual({
    kind: 'refused',
    problems: [expect.stringMatching(/^SERVICE_PUBLIC_URL is "vectors\.example\.com"; expected an http or https address/)],
  });
});

describe('listening beyond loopback', () => {
  test.each(['0.0.0.0', '::', '192.168.1.4', 'db.example.com'])('on %s is refused while nothing is enforced', (host) => {
    const problem = openAccessProblem({ host, allowOpenAccess: false }, false);
    expect(problem).toContain(JSON.stringify(host));
    expect(problem).toContain('SERVICE_ALLOW_OPEN_ACCESS=true');
  });

  test('is allowed with enforcement, or when the operator says so', () => {
    expect(openAccessProblem({ host: '0.0.0.0', allowOpenAccess: false }, true)).toBeUndefined();
    expect(openAccessProblem({ host: '0.0.0.0', allowOpenAccess: true }, false)).toBeUndefined();
  });

  test.each(['127.0.0.1', '::1', 'localhost'])('is not what %s is', (host) => {
    expect(openAccessProblem({ host, allowOpenAccess: false }, false)).toBeUndefined();
  });
});

describe('a cluster', () => {
  const node = {
    SERVICE_CLUSTER_LOG: 'nats://a:4222,b:4222/points?replicas=3',
    SERVICE_CLUSTER_NODE: 'north',
    SERVICE_CLUSTER_ADDRESS: 'http://north:6573',
  };

  test('needs a log, a name and an address', () => {
    expect(readVectorConfiguration(node, [])).toMatchObject({ kind: 'ready' });
    expect(readVectorConfiguration({ ...node, SERVICE_CLUSTER_LOG: 'postgresql://u:p@db/log' }, [])).toMatchObject({ kind: 'ready' });
    const enforcing = { ...node, SERVICE_AUTH_ENABLED: 'true', SERVICE_CLUSTER_SECRET: 'x'.repeat(16) };
    expect(readVectorConfiguration(enforcing, [])).toMatchObject({ kind: 'ready' });
  });

  test.each([
    [{ SERVICE_CLUSTER_LOG: 'mysql://db/log' }, /^SERVICE_CLUSTER_LOG is not the URL of a log; expected postgresql:/],
    [{ SERVICE_CLUSTER_LOG: undefined }, /^SERVICE_CLUSTER_NODE is set, but SERVICE_CLUSTER_LOG is not$/],
    [{ SERVICE_CLUSTER_NODE: undefined }, /^SERVICE_CLUSTER_NODE is missing; expected a name/],
    [{ SERVICE_CLUSTER_NODE: 'a b' }, /^SERVICE_CLUSTER_NODE is "a b"; expected/],
    [{ SERVICE_CLUSTER_ADDRESS: undefined }, /^SERVICE_CLUSTER_ADDRESS is missing; expected/],
    [{ SERVICE_CLUSTER_ADDRESS: 'north' }, /^SERVICE_CLUSTER_ADDRESS is "north"; expected an http or https address$/],
    [{ SERVICE_AUTH_ENABLED: 'true' }, /^SERVICE_AUTH_ENABLED in a cluster needs SERVICE_CLUSTER_SECRET/],
  ])('is refused with %o', (changed, problem) => {
    const outcome = readVectorConfiguration({ ...node, ...changed }, []);
    expect(outcome).toMatchObject({ kind: 'refused', problems: expect.arrayContaining([expect.stringMatching(problem)]) });
    expect(JSON.stringify(outcome)).not.toContain('mysql');
  });
});
