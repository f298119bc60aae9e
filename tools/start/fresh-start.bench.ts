// SPDX-License-Identifier: Apache-2.0
/**
 * How long `npm start` takes in a fresh clone with an empty cache of npm, over a connection of 10 megabytes a second, until both services are ready.
 * `node tools/start/fresh-start.bench.ts [megabytes a second]`
 */
import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort, temporaryDirectory } from '@sextant/foundation-testing';
import { limitedRegistry } from './limited-registry.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const MEGABYTE = 1_000_000;
const GIVEN_UP_MS = 600_000;
const TICKS_A_SECOND = 100;

const rate = Number(process.argv[2] ?? 10);
if (!(rate > 0)) throw new Error(`megabytes a second must be a number above 0, not ${process.argv[2]}`);
const environment = withoutOwnPackages(process.env);
const upstream = await registryOf(environment);
await using directory = await temporaryDirectory();
const clone = join(directory.path, 'clone');
await run('git', ['clone', '--quiet', '--depth', '1', `file://${ROOT}`, clone]);
await using registry = await limitedRegistry(upstream, rate * MEGABYTE);

const ports = { vector: await freePort(), grpc: await freePort(), observability: await freePort() };
const startedMs = performance.now();
const child = spawn('npm', ['start'], {
  cwd: clone,
  detached: true,
  stdio: ['ignore', 'pipe', 'inherit'],
  env: {
    ...environment,
    npm_config_registry: registry.url,
    npm_config_cache: join(directory.path, 'npm-cache'),
    SERVICE_REST_PORT: String(ports.vector),
    SERVICE_GRPC_PORT: String(ports.grpc),
    OBSERVABILITY_PORT: String(ports.observability),
  },
});
let installedMs = 0;
child.stdout.setEncoding('utf8').on('data', (text: string) => {
  for (const line of text.split('\n').filter((each) => each.startsWith('bootstrap') || each.startsWith('build')))
    console.error(`${seconds()} s  ${line}`);
  if (installedMs === 0 && text.includes('"msg":"listening"')) installedMs = performance.now() - startedMs;
});
const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
try {
  for (const port of [ports.vector, ports.observability]) await untilReady(port);
  const ready = seconds();
  const processor = processorSecondsOf(child.pid ?? 0);
  console.log('| rate | ready after | processor time | downloaded | packages |');
  console.log('| ---: | ---: | ---: | ---: | ---: |');
  console.log(
    `| ${rate} MB/s | ${ready} s | ${processor.toFixed(0)} s | ${(registry.passed.bytes / MEGABYTE).toFixed(0)} MB | ${registry.passed.packages} |`,
  );
} finally {
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
  await ended;
}

function seconds(): string {
  return ((performance.now() - startedMs) / 1000).toFixed(1);
}

async function untilReady(port: number): Promise<void> {
  while (true) {
    if (performance.now() - startedMs > GIVEN_UP_MS) throw new Error('the services were not ready after ten minutes');
    if (child.exitCode !== null) throw new Error('`npm start` ended before the services were ready');
    const isReady = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await sleep(100);
  }
}

/** What a process and its ended children took of all processors, by the kernel's count (man 5 proc); the services themselves run on, and are not in it. */
function processorSecondsOf(pid: number): number {
  const [, fields = ''] = /^.*\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
  return (
    fields
      .split(' ')
      .slice(11, 15)
      .map(Number)
      .reduce((sum, each) => sum + each, 0) / TICKS_A_SECOND
  );
}

/** As a new user has it: npm of the machine, and no setting of the npm that runs this. */
function withoutOwnPackages(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const path = (env.PATH ?? '').split(':').filter((folder) => !folder.includes('node_modules'));
  const kept = Object.entries(env).filter(([name]) => !/^npm_/i.test(name) && name !== 'NODE_COMPILE_CACHE');
  return { ...Object.fromEntries(kept), PATH: path.join(':') };
}

async function registryOf(env: NodeJS.ProcessEnv): Promise<string> {
  const { stdout } = await run('npm', ['config', 'get', 'registry'], { env });
  return stdout.trim().replace(/\/$/, '');
}
