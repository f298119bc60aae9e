// SPDX-License-Identifier: Apache-2.0
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryPostgres } from './postgres.ts';
import { missingPostgres } from './postgres-binaries.ts';

const missing = missingPostgres();

test.skipIf(missing !== undefined)(
  `a temporary PostgreSQL accepts connections and is gone afterwards${missing ? `: ${missing}` : ''}`,
  async () => {
    let port: number;
    {
      await using server = await temporaryPostgres();
      port = server.port;
      expect(await accepts(port)).toBe(true);
      expect(await server.createDatabase('second')).toBe(`postgresql://${server.user}:${server.password}@127.0.0.1:${port}/second`);
      await expect(server.createDatabase('second')).rejects.toThrow('already exists');
    }
    expect(await accepts(port)).toBe(false);
    await using next = await temporaryPostgres();
    expect(await next.createDatabase('second'), 'what was in another one is not there').toContain(`:${next.port}/second`);
  },
);

test.skipIf(missing !== undefined)(
  `a shared PostgreSQL gives each an empty database, and ends when the process is killed${missing ? `: ${missing}` : ''}`,
  async () => {
    const owner = spawn(process.execPath, [fileURLToPath(new URL('./fixture/postgres-owner.ts', import.meta.url))]);
    const [text] = (await once(owner.stdout, 'data')) as [Buffer];
    const databases = new Set(JSON.parse(text.toString()) as readonly string[]);
    const [port, ...otherPorts] = new Set([...databases].map((url) => Number(new URL(url).port)));
    expect([databases.size, otherPorts]).toEqual([4, []]);
    expect(await accepts(Number(port))).toBe(true);
    owner.kill('SIGKILL');
    await expect.poll(() => accepts(Number(port))).toBe(false);
  },
);

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
