// SPDX-License-Identifier: Apache-2.0
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { systemClock } from '@sextant/foundation-std';
import { missingNats, pauseProcess, type TemporaryNats, temporaryNats } from '@sextant/foundation-testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openNatsLog } from './nats-log.ts';
import { natsPlaceOf } from './nats-place.ts';
import { describeOperationLog } from './operation-log.conformance.ts';

const missing = missingNats();

describe.skipIf(missing !== undefined)(missing ?? 'on a server of its own', () => {
  let server: TemporaryNats;
  let streams = 0;
  beforeAll(async () => {
    server = await temporaryNats();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  describeOperationLog('NATS JetStream', async () => {
    streams += 1;
    const url = `${server.url}/log${streams}`;
    return { open: () => openNatsLog({ url, clock: systemClock }), [Symbol.asyncDispose]: async () => undefined };
  });

  test('asking for the members leaves nothing on the server, which keeps a thousand readers at most', async () => {
    const log = await openNatsLog({ url: `${server.url}/asked`, clock: systemClock });
    await log.announce({ node: 'north', address: 'http://north', applied: 1, isFull: false });
    for (let time = 0; time < 5; time++) expect(await log.members()).toMatchObject([{ node: 'north', applied: 1 }]);
    const connection = await connect({ servers: natsPlaceOf(server.url)?.servers.slice() ?? [] });
    expect((await (await jetstreamManager(connection)).streams.info('KV_asked-members')).state.consumer_count).toBe(0);
    await connection.close();
    await log.close();
  });

  test('[L8] a server that was paused is an error, and then works again', async () => {
    const log = await openNatsLog({ url: `${server.url}/paused`, clock: systemClock });
    await pauseProcess(server.pid);
    await expect(log.append({ id: 'a', entry: Uint8Array.of(7) })).rejects.toThrow();
    process.kill(server.pid, 'SIGCONT');
    await expect.poll(() => log.append({ id: 'a', entry: Uint8Array.of(7) }).catch(() => 0)).toBe(1);
    expect((await log.read({ after: 0, waitMs: 0 }))[0]?.entry).toEqual(Buffer.of(7));
    await log.close();
  });
});

test('[L8] a server that is not there is an error, not a wait', async () => {
  await expect(openNatsLog({ url: 'nats://127.0.0.1:1', clock: systemClock })).rejects.toThrow();
});

test.each([
  ['nats://host', { servers: ['host'], stream: 'sextant', replicas: 1 }],
  ['nats://a:4222,b:4222/points?replicas=3', { servers: ['a:4222', 'b:4222'], stream: 'points', replicas: 3 }],
  ['nats://me:s%40crt@host:4222', { servers: ['host:4222'], user: 'me', pass: 's@crt', stream: 'sextant', replicas: 1 }],
  ['nats://', undefined],
  ['nats://host/a.b', undefined],
  ['nats://host/a?replicas=2', undefined],
  ['postgresql://host/a', undefined],
])('the URL %s', (url, place) => {
  expect(natsPlaceOf(url)).toEqual(place);
});
