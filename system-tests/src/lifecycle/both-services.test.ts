// SPDX-License-Identifier: Apache-2.0
/** What `npm start` runs: both services as processes of one program. */
import {
  type ChildServer,
  isLongRun,
  jsonClient,
  startServer,
  type TemporaryDirectory,
  temporaryDirectory,
} from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { adminApi, observabilityEnvironment } from '../observability/observability-server.ts';
import { until } from '../until.ts';
import { LAUNCHER_ENTRY } from './launched-services.ts';

const START_TIMEOUT_MS = 120_000;

type Listening = { readonly pid: number; readonly address: string };

test('both services answer, and SIGTERM ends both with exit code 0', async () => {
  await using directory = await temporaryDirectory();
  await using program = await startBoth(directory);
  const [vector, observability] = await bothListening(program);
  using _left = endedWithTheTest([vector, observability]);
  using vectors = jsonClient({ baseUrl: vector.address });
  expect((await vectors.request('GET', '/collections')).status).toBe(200);
  using client = jsonClient({ baseUrl: observability.address });
  expect(await (await adminApi({ client })).call('list_projects', {})).toHaveLength(1);
  await program.stop();
  for (const { pid } of [vector, observability]) expect(isAlive(pid)).toBe(false);
});

// The launcher treats both alike.
test.each(isLongRun() ? (['vector', 'observability'] as const) : (['vector'] as const))(
  'when the %s service dies, the other one ends, and so does the program with an error',
  async (name) => {
    await using directory = await temporaryDirectory();
    await using program = await startBoth(directory);
    const [vector, observability] = await bothListening(program);
    using _left = endedWithTheTest([vector, observability]);
    const [dying, left] = name === 'vector' ? [vector, observability] : [observability, vector];
    process.kill(dying.pid, 'SIGKILL');
    await until('the program ends', START_TIMEOUT_MS, async () => (program.running ? undefined : true));
    expect(isAlive(left.pid)).toBe(false);
    await expect(program.stop()).rejects.toThrow('exit code 1');
    expect(program.log.join('\n')).toMatch(new RegExp(`the ${name} service ended \\(SIGKILL\\); ending the other`));
  },
);

function startBoth(directory: TemporaryDirectory): Promise<ChildServer> {
  return startServer({
    entry: LAUNCHER_ENTRY,
    until: 'listening',
    startTimeoutMs: START_TIMEOUT_MS,
    environment: {
      ...observabilityEnvironment(`${directory.path}/observability`),
      SERVICE_HOST: '127.0.0.1',
      SERVICE_REST_PORT: '0',
      SERVICE_GRPC_PORT: '0',
      SERVICE_DATA_DIR: `${directory.path}/vector`,
      SERVICE_AUTH_ENABLED: 'false',
      SERVICE_LOG_LEVEL: 'info',
      SERVICE_THREADS: '1',
    },
  });
}

/** The vector service and the observability service, as their own log lines distinguish them. */
async function bothListening(program: ChildServer): Promise<readonly [Listening, Listening]> {
  return until('both services listen', START_TIMEOUT_MS, async () => {
    const records = program.log
      .filter((line) => line.includes('"msg":"listening"'))
      // A service of ours wrote it.
      .map((line) => JSON.parse(line) as Listening & { service?: string });
    const observability = records.find(({ service }) => service === 'observability');
    const vector = records.find(({ service, address }) => service !== 'observability' && address.startsWith('http'));
    return vector && observability ? ([vector, observability] as const) : undefined;
  });
}

/** Services outlive a program that is killed; a test that fails leaves none. */
function endedWithTheTest(services: readonly Listening[]): Disposable {
  return {
    [Symbol.dispose]: () => {
      for (const { pid } of services) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
