// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { isLoopback } from './loopback.ts';

describe('a caller on this machine', () => {
  test.each(['127.0.0.1', '127.255.3.4', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', '::FFFF:127.2.3.4', '::ffff:7f00:1'])(
    '%s',
    (address) => {
      expect(isLoopback(address)).toBe(true);
    },
  );
});

describe('a caller elsewhere, or no address at all', () => {
  test.each([
    '10.0.0.1',
    '128.0.0.1',
    '0.0.0.0',
    '::',
    '::2',
    '::ffff:10.0.0.1',
    '::127.0.0.1',
    '',
    'localhost',
    '127.0.0.1.example.com',
    '127.1',
  ])('%s', (address) => {
    expect(isLoopback(address)).toBe(false);
  });
});
