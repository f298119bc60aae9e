// SPDX-License-Identifier: Apache-2.0
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openJwtSecret } from './jwt-secret.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'jwt-secret-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const path = () => join(directory, 'jwt-secret');
const opened = (configured?: string) => Buffer.from(openJwtSecret({ directory, configured }).signingKey).toString();

test('without any, one is generated, kept for its owner alone, and loaded the next time', () => {
  const first = opened();
  expect(first).toMatch(/^[\w-]{86}$/);
  expect(statSync(path()).mode & 0o777).toBe(0o600);
  expect(readdirSync(directory)).toEqual(['jwt-secret']);
  expect(opened()).toBe(first);
});

test('two servers generate two secrets', () => {
  const first = opened();
  rmSync(path());
  expect(opened()).not.toBe(first);
});

test('the configured one is used, and kept for the time when it is not configured any more', () => {
  opened();
  expect(opened('configured secret of some length')).toBe('configured secret of some length');
  expect(opened()).toBe('configured secret of some length');
  expect(opened('another')).toBe('another');
  expect(readFileSync(path(), 'utf8')).toBe('another');
  expect(statSync(path()).mode & 0o777).toBe(0o600);
});

test('a file that others could read is closed to them', () => {
  opened();
  chmodSync(path(), 0o644);
  opened();
  expect(statSync(path()).mode & 0o777).toBe(0o600);
});

test('an empty file is not a secret', () => {
  writeFileSync(path(), '');
  expect(() => opened()).toThrow('is empty');
  expect(opened('configured secret')).toBe('configured secret');
});

test('a file in which a bit has flipped is refused, or is another secret that is as long', () => {
  const sound = opened();
  const bytes = readFileSync(path());
  for (let byte = 0; byte < bytes.length; byte++) {
    const flipped = Buffer.from(bytes);
    flipped.writeUInt8(flipped.readUInt8(byte) ^ (1 << (byte & 7)), byte);
    writeFileSync(path(), flipped);
    let secret: string;
    try {
      secret = opened();
    } catch (error) {
      expect(String(error)).toContain('is damaged; delete it to have a new secret generated, or set SERVICE_JWT_SECRET');
      continue;
    }
    expect(secret).toHaveLength(sound.length);
    expect(secret).not.toBe(sound);
  }
});

test('a file of zeros, as a full disk or a crash may leave, is no secret', () => {
  writeFileSync(path(), Buffer.alloc(86));
  expect(() => opened()).toThrow('is damaged');
});

test('a short secret works, and is known to be weak', () => {
  expect(openJwtSecret({ directory, configured: 'short' }).isWeak).toBe(true);
  expect(openJwtSecret({ directory, configured: 'x'.repeat(32) }).isWeak).toBe(false);
});

test('of the secret that nodes share, each makes the same key, and no other one is kept', () => {
  const [one, other] = ['a', 'b'].map((name) =>
    openJwtSecret({ directory: join(directory, name), configured: undefined, shared: 'x'.repeat(16) }),
  );
  expect(one).toEqual(other);
  expect(one?.signingKey).toHaveLength(32);
  const differently = openJwtSecret({ directory, configured: undefined, shared: 'y'.repeat(16) });
  expect(differently.signingKey).not.toEqual(one?.signingKey);
  expect(Buffer.from(openJwtSecret({ directory, configured: 'configured', shared: 'x' }).signingKey).toString()).toBe('configured');
});
