// SPDX-License-Identifier: Apache-2.0
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ChildServerError, startServer } from './child-server.ts';
import { jsonClient } from './json-client.ts';

const entry = fileURLToPath(new URL('./fixture/small-server.ts', import.meta.url));

function misbehaving(kind: string) {
  return { entry, environment: { SMALL_SERVER: kind } };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('a child server', () => {
  test('is ready when started, and is gone when its scope ends', async () => {
    let pid = 0;
    {
      await using server = await startServer({ entry });
      pid = server.pid;
      expect((await server.client.request('GET', '/readyz')).status).toBe(200);
      expect(server.log[0]).toBe('not a record');
      expect(isAlive(pid)).toBe(true);
    }
    expect(isAlive(pid)).toBe(false);
  });

  test('can be had as soon as its port is open, and waited for', async () => {
    await using server = await startServer({ entry, until: 'listening' });
    expect((await server.client.request('GET', '/readyz')).status).toBe(503);
    await server.ready();
    expect((await server.client.request('GET', '/readyz')).status).toBe(200);
  });

  test('stops on SIGTERM after the answers that it owes', async () => {
    await using server = await startServer({ entry });
    using other = jsonClient({ baseUrl: server.address, keepAlive: false });
    const owed = other.request('POST', '/slow', {});
    // The other connection may be slower than this one.
    while ((await server.client.request('GET', '/owed')).body !== 1);
    await server.stop();
    expect((await owed).body).toBe('slow');
    expect(server.running).toBe(false);
  });

  test('is killed at once, and twice does no harm', async () => {
    await using server = await startServer({ entry });
    const owed = expect(server.client.request('POST', '/slow', {})).rejects.toThrow(/socket hang up|ECONN/);
    await server.kill();
    await owed;
    await server.kill();
    expect(isAlive(server.pid)).toBe(false);
  });

  test('ends when the program that started it is killed', async () => {
    const owner = spawn(process.execPath, [fileURLToPath(new URL('./fixture/killed-owner.ts', import.meta.url))]);
    const pid = Number(await once(owner.stdout, 'data'));
    expect(isAlive(pid)).toBe(true);
    owner.kill('SIGKILL');
    await expect.poll(() => isAlive(pid), { timeout: 60_000 }).toBe(false);
  });

  test('that refuses to start says its last words', async () => {
    await expect(startServer(misbehaving('refuses'))).rejects.toThrow(/exit code 3.*SERVICE_REST_PORT is "x"/s);
  });

  test('that does not listen in time is ended', async () => {
    await expect(startServer({ ...misbehaving('never listens'), startTimeoutMs: 400 })).rejects.toThrow('did not start in time');
  });

  test('that ignores SIGTERM is ended, and the stop fails', async () => {
    await using server = await startServer({ ...misbehaving('ignores SIGTERM'), stopTimeoutMs: 100 });
    await expect(server.stop()).rejects.toThrow('did not stop on SIGTERM');
    expect(server.running).toBe(false);
  });

  test('that leaves with another exit code than 0 fails the stop', async () => {
    await using server = await startServer(misbehaving('stops with an error'));
    await expect(server.stop()).rejects.toThrow(ChildServerError);
  });

  test('carries 64-bit integers both ways, and bytes as they are', async () => {
    await using server = await startServer({ entry });
    const body = { id: 18446744073709551615n, near: 9007199254740993n, small: 7, text: '18446744073709551615' };
    expect((await server.client.request('POST', '/', body)).body).toEqual(body);
    expect((await server.client.request('POST', '/', Buffer.from('[1, 2]'))).body).toEqual([1, 2]);
    await expect(server.client.request('POST', '/', Buffer.from('{"torn'))).rejects.toThrow(SyntaxError);
  });
});
