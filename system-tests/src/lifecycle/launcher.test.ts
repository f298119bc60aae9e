// SPDX-License-Identifier: Apache-2.0
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { MALLOC_SETTINGS } from '@sextant/foundation-service';
import { isLongRun, temporaryDirectory } from '@sextant/foundation-testing';
import { describe, expect, test } from 'vitest';
import { PROGRAM } from '../clients/sextant.ts';
import { LAUNCHER_ENTRY, launch, longRequest } from './launched-services.ts';

const LAUNCHER = [process.execPath, LAUNCHER_ENTRY];
const SEXTANT = [process.execPath, PROGRAM, 'serve'];
const ONE_THREAD = { SERVICE_THREADS: '1' };
const hasScript = spawnSync('script', ['--version']).status === 0;

async function ended(child: { readonly exitCode: number | null; readonly signalCode: string | null } & NodeJS.EventEmitter) {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode ?? child.signalCode;
}

/** The vector service, and no other, has those that the environment lacks. */
function expectSettingsOfMalloc(pids: readonly number[]): void {
  const environments = pids.map((pid) => readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0'));
  expect(environments.every((each) => each.includes('MALLOC_ARENA_MAX=3'))).toBe(true);
  const trimmed = environments.filter((each) => each.includes(`MALLOC_TRIM_THRESHOLD_=${MALLOC_SETTINGS.MALLOC_TRIM_THRESHOLD_}`));
  expect(trimmed).toHaveLength(1);
}

describe('services end with their launcher, and finish what they have begun', () => {
  test.each([
    ['npm start', LAUNCHER, 'SIGKILL', 'SIGKILL', 2],
    ['sextant serve --only vector', [...SEXTANT, '--only', 'vector'], 'SIGHUP', 'SIGHUP', 1],
    // What is left of both signals with both launchers.
    ...(isLongRun()
      ? ([
          ['npm start', LAUNCHER, 'SIGHUP', 0, 2],
          ['npm start', LAUNCHER, 'SIGTERM', 0, 2],
          ['sextant serve --only vector', [...SEXTANT, '--only', 'vector'], 'SIGKILL', 'SIGKILL', 1],
        ] as const)
      : []),
  ] as const)('%s (%j) with %s', async (_name, command, signal, outcome, services) => {
    await using directory = await temporaryDirectory();
    await using started = await launch({
      command,
      directory: directory.path,
      services,
      environment: { ...ONE_THREAD, MALLOC_ARENA_MAX: '3' },
    });
    if (process.platform === 'linux') expectSettingsOfMalloc(started.servicePids);
    const { answered } = await longRequest(started.vectorAddress);
    started.launcher.kill(signal);
    expect(await answered).toBe(200);
    await started.servicesEnded();
    expect(await ended(started.launcher)).toBe(outcome);
  });

  test('a second start passes on why it cannot start, and ends; SIGINT twice ends the first at once', async () => {
    await using directory = await temporaryDirectory();
    await using started = await launch({ command: LAUNCHER, directory: directory.path, services: 2, environment: ONE_THREAD });
    await expect(launch({ command: LAUNCHER, directory: directory.path, services: 2 })).rejects.toThrow(/is in use by process \d+/);
    expect(started.launcher.exitCode).toBe(null);
    // The service would wait for the rest of this body for seconds.
    const { hostname, port, host } = new URL(started.vectorAddress);
    const socket = connect(Number(port), hostname);
    const head = `PUT /collections/a HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 99\r\nExpect: 100-continue\r\n\r\n{`;
    let answer = '';
    socket.on('data', (bytes: Buffer) => {
      answer += bytes.toString();
    });
    socket.on('error', () => undefined);
    socket.write(head);
    // The service has read the head by then.
    await once(socket, 'data');
    started.launcher.kill('SIGINT');
    // To a service that has not taken the first yet, two signals of a kind are one.
    const stopping = () => started.log.filter((line) => line.includes('"stopping"') && line.includes('SIGINT'));
    while (stopping().length < started.servicePids.length) await new Promise((turn) => setTimeout(turn, 5));
    started.launcher.kill('SIGINT');
    await started.servicesEnded();
    socket.destroy();
    expect(answer).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    expect(await ended(started.launcher)).toBe(1);
  });

  test.skipIf(!hasScript)('a terminal that is closed', async () => {
    await using directory = await temporaryDirectory();
    const command = ['script', '--quiet', '--flush', '--command', LAUNCHER.join(' '), '/dev/null'];
    await using started = await launch({ command, directory: directory.path, services: 2, environment: ONE_THREAD });
    started.launcher.kill('SIGKILL');
    await started.servicesEnded();
  });
});

describe('scripts of npm end with npm, which passes signals to its shell alone', () => {
  test.each([
    // One that ends in order leaves compiled code for the next.
    ['start:vector', 'SIGTERM', 1],
    ['start', 'SIGKILL', 2],
    // One way for both signals and both scripts.
    ...(isLongRun()
      ? ([
          ['start', 'SIGTERM', 2],
          ['start:vector', 'SIGKILL', 1],
        ] as const)
      : []),
  ] as const)('npm run %s with %s', async (script, signal, services) => {
    await using directory = await temporaryDirectory();
    // What the script needs is there, so what runs before it is left out.
    const command = ['npm', 'run', '--ignore-scripts', script];
    await using started = await launch({ command, directory: directory.path, services, environment: ONE_THREAD });
    started.launcher.kill(signal);
    await started.servicesEnded();
  });
});
