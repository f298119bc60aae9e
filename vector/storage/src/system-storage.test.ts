import { AssertionError } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { openSystemStorage } from './system-storage.ts';

test('[S1] documents are kept across restarts, with exact integers', async () => {
  await using scratch = await temporaryDirectory();
  const first = openSystemStorage({ directory: scratch.path });
  first.put('collections/ä', { limit: 2n ** 64n - 1n, names: ['x'] });
  first.put('gone', 1);
  first.delete('gone');
  first.delete('never there');
  first.close();
  const second = openSystemStorage({ directory: scratch.path });
  expect(second.get('collections/ä')).toEqual({ limit: 2n ** 64n - 1n, names: ['x'] });
  expect(second.get('gone')).toBeUndefined();
  second.close();
});

test('documents are listed by prefix in byte order', async () => {
  await using scratch = await temporaryDirectory();
  const storage = openSystemStorage({ directory: scratch.path });
  for (const key of ['b/1', 'a/2', 'a/1', 'a', 'a0']) storage.put(key, key);
  expect(storage.list('a/')).toEqual([
    { key: 'a/1', value: 'a/1' },
    { key: 'a/2', value: 'a/2' },
  ]);
  expect(storage.list('').map(({ key }) => key)).toEqual(['a', 'a/1', 'a/2', 'a0', 'b/1']);
  expect(storage.list('c')).toEqual([]);
  storage.close();
});

test('[S15] a batch of which one change is refused changes nothing', async () => {
  await using scratch = await temporaryDirectory();
  const storage = openSystemStorage({ directory: scratch.path });
  storage.put('kept', 1);
  const cyclic: { self?: unknown } = {};
  cyclic.self = cyclic;
  const put = (key: string, value: unknown) => ({ kind: 'put' as const, key, value });
  expect(() => storage.write([put('a', 1), { kind: 'delete', key: 'kept' }, put('b', cyclic)])).toThrow();
  expect(() => storage.write([put('a', 1), put('x'.repeat(2000), 1)])).toThrow(AssertionError);
  expect(storage.list('')).toEqual([{ key: 'kept', value: 1 }]);
  storage.write([put('a', 1), { kind: 'delete', key: 'kept' }]);
  expect(storage.list('')).toEqual([{ key: 'a', value: 1 }]);
  storage.close();
  storage.close();
});
