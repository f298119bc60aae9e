// SPDX-License-Identifier: Apache-2.0
import { MessageChannel } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { Broadcaster, BroadcastListener } from './broadcast.ts';

const channels: MessageChannel[] = [];
afterEach(() => {
  for (const { port1 } of channels.splice(0)) port1.close();
});

function connected<Event>(take: (event: Event) => Promise<void> | void, listeners = 1) {
  const counter = Broadcaster.allocateCounter();
  const made = Array.from({ length: listeners }, () => new MessageChannel());
  channels.push(...made);
  return {
    broadcaster: new Broadcaster<Event>(
      counter,
      made.map(({ port1 }) => port1),
    ),
    listeners: made.map(({ port2 }) => new BroadcastListener<Event>(counter, port2, take)),
  };
}

test('what was sent before is known after catching up, without waiting for the event loop', () => {
  const seen: number[] = [];
  const { broadcaster, listeners } = connected<number>((event) => void seen.push(event));
  for (const event of [1, 2, 3]) broadcaster.send(event);
  listeners[0]?.catchUp();
  expect(seen).toEqual([1, 2, 3]);
});

test('each event is taken in once, in order, whether by catching up or by message', async () => {
  const seen: number[] = [];
  const { broadcaster, listeners } = connected<number>((event) => void seen.push(event));
  broadcaster.send(1);
  listeners[0]?.catchUp();
  broadcaster.send(2);
  await broadcaster.sendAndConfirm(3);
  listeners[0]?.catchUp();
  expect(seen).toEqual([1, 2, 3]);
});

test('a confirmed event waits for every listener to finish with what it ends', async () => {
  const finish: (() => void)[] = [];
  const { broadcaster } = connected<string>(() => new Promise((resolve) => finish.push(resolve)), 2);
  let confirmed = false;
  const sent = broadcaster.sendAndConfirm('end').then(() => {
    confirmed = true;
  });
  while (finish.length < 2) await new Promise((resolve) => setImmediate(resolve));
  finish[0]?.();
  await new Promise((resolve) => setImmediate(resolve));
  expect(confirmed).toBe(false);
  finish[1]?.();
  await sent;
});

test('a listener that has stopped is not waited for', async () => {
  const { broadcaster, listeners } = connected<string>(() => new Promise(() => undefined), 1);
  const sent = broadcaster.sendAndConfirm('end');
  listeners[0]?.catchUp();
  for (const { port2 } of channels) port2.close();
  await sent;
  await broadcaster.sendAndConfirm('after');
});
