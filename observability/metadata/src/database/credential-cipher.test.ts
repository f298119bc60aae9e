// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { credentialCipher } from './credential-cipher.ts';

const cipher = credentialCipher(new Uint8Array(32).fill(1));

test('a sealed credential opens where it belongs and shows nothing of itself', () => {
  const sealed = cipher.seal('secret ünï', 'place');
  expect(cipher.open(sealed, 'place')).toBe('secret ünï');
  expect(Buffer.from(sealed.text, 'base64').toString('latin1')).not.toContain('secret');
  expect(cipher.seal('secret ünï', 'place').text).not.toBe(sealed.text);
});

test('a credential does not open elsewhere, damaged or with another key', () => {
  const sealed = cipher.seal('secret', 'place');
  const bytes = Buffer.from(sealed.text, 'base64');
  const failures = [
    () => cipher.open(sealed, 'another place'),
    ...[0, 12, 28, bytes.length - 1].map((index) => () => {
      const damaged = Buffer.from(bytes);
      damaged.writeUInt8(damaged.readUInt8(index) ^ 1, index);
      return cipher.open({ ...sealed, text: damaged.toString('base64') }, 'place');
    }),
    () => cipher.open({ ...sealed, text: '' }, 'place'),
    () => cipher.open({ ...sealed, text: bytes.subarray(0, 20).toString('base64') }, 'place'),
    () => credentialCipher(new Uint8Array(32).fill(2)).open(sealed, 'place'),
  ];
  for (const open of failures) expect(open).toThrow(expect.objectContaining({ name: 'CredentialKeyError' }));
});

test('a key of another length is refused', () => {
  for (const bytes of [0, 16, 31, 33]) expect(() => credentialCipher(new Uint8Array(bytes))).toThrow('must have 32');
});
