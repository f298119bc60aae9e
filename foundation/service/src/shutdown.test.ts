// SPDX-License-Identifier: Apache-2.0
import { EventEmitter } from 'node:events';
import { manualClock } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import { drainOnSignals, Pending, type Shutdown } from './shutdown.ts';

/** A process that was asked to drain in this way; what it logs is kept by level. */
function fakeProcess(drain: Shutdown['drain']) {
  const exits: number[] = [];
  const lines: string[] = [];
  const clock = manualClock();
  const source = Object.assign(new EventEmitter(), { exit: (code: number) => void exits.push(code) });
  const write = (level: string) => (first: unknown, second?: string) => void lines.push(`${level}: ${second ?? first}`);
  const log = { info: write('info'), warn: write('warn'), error: write('error'), fatal: write('fatal') };
  const end = drainOnSignals(source, { drain, deadlineSeconds: 30, clock, unfinished: () => 'saving graphs', log });
  return { source, exits, lines, end, clock };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const never = () => new Promise<void>(() => {});

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'])('%s drains once and then ends the process', async (signal) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let drained = 0;
  const { source, exits, lines } = fakeProcess(() => {
    drained++;
    return promise;
  });
  source.emit(signal);
  await settled();
  expect(exits).toEqual([]);
  resolve();
  await settled();
  expect({ drained, exits, lines }).toEqual({ drained: 1, exits: [0], lines: ['info: stopping', 'info: stopped'] });
});

test('the end of the launcher drains too, and a signal after it is the second', async () => {
  const { source, exits, end } = fakeProcess(never);
  end('the launcher has ended');
  end('the launcher has ended');
  expect(exits).toEqual([]);
  source.emit('SIGTERM');
  expect(exits).toEqual([1]);
});

test('the second signal ends it at once and says what was still running', () => {
  const { source, exits, lines } = fakeProcess(never);
  source.emit('SIGINT');
  source.emit('SIGTERM');
  expect(exits).toEqual([1]);
  expect(lines.at(-1)).toBe('warn: stopped by a second signal; still running: saving graphs');
});

test('a terminal that closes may say so twice', () => {
  const { source, exits } = fakeProcess(never);
  source.emit('SIGHUP');
  source.emit('SIGHUP');
  expect(exits).toEqual([]);
});

test('at the deadline it ends with 1 and says what was still running', () => {
  const { source, exits, lines, clock } = fakeProcess(never);
  source.emit('SIGTERM');
  clock.advance(29_999);
  expect(exits).toEqual([]);
  clock.advance(1);
  expect(exits).toEqual([1]);
  expect(lines.at(-1)).toBe('error: stopped at the deadline; still running: saving graphs');
});

test('a drain that fails says why and exits with 1', async () => {
  const { source, exits, lines } = fakeProcess(() => Promise.reject(new Error('disk full')));
  source.emit('SIGTERM');
  await settled();
  expect(exits).toEqual([1]);
  expect(lines.at(-1)).toBe('fatal: the service could not stop cleanly');
});

test('what is waited for has a name until it has ended', async () => {
  const pending = new Pending();
  const { promise, resolve } = Promise.withResolvers<void>();
  const both = Promise.all([pending.until('requests', promise), pending.until('scans', never())]);
  void both;
  expect(pending.names).toBe('requests, scans');
  resolve();
  await settled();
  expect(pending.names).toBe('scans');
});
