import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { drainOnSignals } from './shutdown.ts';

function fakeProcess() {
  const exits: number[] = [];
  const source = Object.assign(new EventEmitter(), { exit: (code: number) => void exits.push(code) });
  return { source, exits };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('the first signal drains once and then ends the process', async () => {
  const { source, exits } = fakeProcess();
  const { promise, resolve } = Promise.withResolvers<void>();
  let drained = 0;
  drainOnSignals(
    source,
    () => {
      drained++;
      return promise;
    },
    () => {},
  );
  source.emit('SIGTERM');
  await settled();
  expect(exits).toEqual([]);
  resolve();
  await settled();
  expect({ drained, exits }).toEqual({ drained: 1, exits: [0] });
});

test('the second signal ends it at once', () => {
  const { source, exits } = fakeProcess();
  drainOnSignals(
    source,
    () => new Promise(() => {}),
    () => {},
  );
  source.emit('SIGINT');
  source.emit('SIGTERM');
  expect(exits).toEqual([1]);
});

test('a drain that fails says why and exits with 1', async () => {
  const { source, exits } = fakeProcess();
  const errors: unknown[] = [];
  drainOnSignals(
    source,
    () => Promise.reject(new Error('disk full')),
    (error) => errors.push(error),
  );
  source.emit('SIGTERM');
  await settled();
  expect(exits).toEqual([1]);
  expect(errors).toEqual([new Error('disk full')]);
});
