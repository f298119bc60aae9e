// SPDX-License-Identifier: Apache-2.0
/** Configuration files of both services: what they set, what is refused, what changes while a service runs, and how the command line shows it all. */
import { writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { type ChildServer, temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { type Environment, environmentOf, sextantProcess } from '../clients/sextant.ts';
import { startObservabilityServer } from '../observability/observability-server.ts';
import { until } from '../until.ts';
import { startVectorServer, TWO_THREADS } from '../vector-server.ts';

const SECRET = 'a-secret-of-32-characters-or-more';
const NAME = 'data.example';
/** The services look at the file every five seconds; only what hangs takes so long. */
const TAKEN_OVER_MS = 120_000;

const SERVICES = [
  { prefix: 'SERVICE', start: startVectorServer, environment: TWO_THREADS },
  { prefix: 'OBSERVABILITY', start: startObservabilityServer, environment: {} },
] as const;

/** The status of an answer to a request under another name, over a connection of its own, so that each thread is asked. */
function statusUnderName({ address }: ChildServer): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(`${address}/readyz`, { headers: { host: NAME }, agent: false }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode));
    }).once('error', reject);
  });
}

async function statusesUnderName(server: ChildServer): Promise<ReadonlySet<number | undefined>> {
  return new Set(await Promise.all(Array.from({ length: 20 }, () => statusUnderName(server))));
}

function logged({ log }: ChildServer, words: string): object | undefined {
  const line = log.find((each) => each.startsWith('{') && each.includes(words));
  return line === undefined ? undefined : (JSON.parse(line) as object);
}

test.concurrent.each(SERVICES)(
  'a running $prefix service takes over what its file changes, and says what waits',
  async ({ prefix, start, environment }) => {
    await using directory = await temporaryDirectory();
    const path = join(directory.path, 'sextant.yaml');
    const write = (lines: readonly string[]) => writeFile(path, lines.map((line) => `${prefix}_${line}\n`).join(''), { mode: 0o600 });
    await write(['SHUTDOWN_SECONDS: 20', 'LOG_LEVEL: info']);
    await using server = await start({
      directory: join(directory.path, 'data'),
      environment: { ...environment, [`${prefix}_CONFIG_FILE`]: path, [`${prefix}_LOG_LEVEL`]: undefined },
    });
    expect(await statusesUnderName(server)).toEqual(new Set([403]));

    await write(['SHUTDOWN_SECONDS: 21', 'LOG_LEVEL: debug', 'ALLOWED_HOSTS:']);
    const refused = await until('the refusal', TAKEN_OVER_MS, async () => logged(server, 'is refused; the previous settings stay'));
    expect(refused).toMatchObject({
      level: 'error',
      file: path,
      problems: [expect.stringContaining(`${path}:3: ${prefix}_ALLOWED_HOSTS has no value; expected names or addresses`)],
    });

    await write(['SHUTDOWN_SECONDS: 21', 'LOG_LEVEL: debug', `ALLOWED_HOSTS: [${NAME}]`]);
    const waiting = await until('the warning', TAKEN_OVER_MS, async () => logged(server, 'takes effect after a restart'));
    expect(waiting).toMatchObject({ level: 'warn', setting: `${prefix}_SHUTDOWN_SECONDS`, value: '21' });
    const taken = server.log.filter((line) => line.includes('applied the changed setting')).map((line) => JSON.parse(line) as object);
    expect(taken).toMatchObject([
      { level: 'info', setting: `${prefix}_ALLOWED_HOSTS`, value: NAME },
      { level: 'info', setting: `${prefix}_LOG_LEVEL`, value: 'debug' },
    ]);
    await until('every thread answers under the name', TAKEN_OVER_MS, async () => {
      const statuses = await statusesUnderName(server);
      return statuses.size === 1 && statuses.has(200) ? true : undefined;
    });
    await server.stop();
  },
);

test.each(SERVICES)('a $prefix service does not start with a file that is wrong', async ({ prefix, start }) => {
  await using directory = await temporaryDirectory();
  const path = join(directory.path, 'sextant.yaml');
  await writeFile(path, `${prefix}_LOG_LEVLE: debug\n${prefix}_SHUTDOWN_SECONDS: soon\n`);
  const started = start({ directory: join(directory.path, 'data'), environment: { [`${prefix}_CONFIG_FILE`]: path } });
  const error: unknown = await started.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  expect(String(error)).toContain(`${path}:1: ${prefix}_LOG_LEVLE is not a setting; did you mean ${prefix}_LOG_LEVEL?`);
  expect(String(error)).toContain(`${path}:2: ${prefix}_SHUTDOWN_SECONDS is "soon"; expected an integer from 1 to 86400`);
});

function shown(args: readonly string[], environment: Environment) {
  return sextantProcess(['config', 'show', ...args], environment);
}

test('the command line shows each setting with its value and origin, and no secret', async () => {
  await using directory = await temporaryDirectory();
  const path = join(directory.path, 'vector.yaml');
  await writeFile(path, `SERVICE_JWT_SECRET: ${SECRET}\nSERVICE_REST_PORT: 7000\n`, { mode: 0o644 });
  const environment = environmentOf(directory.path, { SERVICE_CONFIG_FILE: path, OBSERVABILITY_PLATFORM_TOKEN: SECRET });
  const all = await shown(['--json'], environment);
  expect(all.code).toBe(0);
  const { vector, observability } = JSON.parse(all.stdout) as { readonly [service: string]: readonly object[] };
  expect(vector).toContainEqual({ name: 'SERVICE_JWT_SECRET', value: '(set)', origin: `${path}:1`, reloadable: false });
  expect(vector).toContainEqual({ name: 'SERVICE_REST_PORT', value: '7000', origin: `${path}:2`, reloadable: false });
  expect(vector).toContainEqual({ name: 'SERVICE_LOG_LEVEL', value: 'info', origin: 'default', reloadable: true });
  expect(observability).toContainEqual({
    name: 'OBSERVABILITY_PLATFORM_TOKEN',
    value: '(set)',
    origin: 'environment',
    reloadable: false,
  });
  const table = await shown(['--only', 'vector', '--changed', '--', '--service-rest-port=7001'], environment);
  expect(table.stdout.split('\n').map((line) => line.split(/ {2,}/).slice(0, 3))).toEqual([
    ['SETTING', 'VALUE', 'ORIGIN'],
    ['SERVICE_CONFIG_FILE', path, 'environment'],
    ['SERVICE_REST_PORT', '7001', 'flag'],
    ['SERVICE_JWT_SECRET', '(set)', `${path}:1`],
    [''],
  ]);
  if (process.platform !== 'win32') expect(table.stderr).toContain(`${path} holds a secret, and other users can read the file`);
  for (const { stdout, stderr } of [all, table]) expect(stdout + stderr).not.toContain(SECRET);
});

test('the command line refuses to show settings that a service would refuse', async () => {
  await using directory = await temporaryDirectory();
  const path = join(directory.path, 'vector.yaml');
  await writeFile(path, 'rest-port: 7000\n');
  const environment = environmentOf(directory.path, { SERVICE_CONFIG_FILE: path });
  const { code, stdout, stderr } = await shown(['--only', 'vector'], environment);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(`${path}:1: rest-port is not a setting; did you mean SERVICE_REST_PORT?`);
  expect(await shown(['--', '--service-rest-port=1'], environment)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--only vector'),
  });
});
