// SPDX-License-Identifier: Apache-2.0
/** Ids made of random bytes. */
const LETTERS_AND_DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const ASSET_ID_LENGTH = 12;
/** The largest multiple of 36 in a byte's range: bytes from here on would favour some characters, and are left out. */
const FAIR_BOUND = 252;

type RandomBytes = (count: number) => Uint8Array;

/** A letter for the kind and 32 hexadecimal digits. */
export function hexId(randomBytes: RandomBytes, letter: string): string {
  return `${letter}${Buffer.from(randomBytes(16)).toString('hex')}`;
}

/** 12 lower-case letters and digits. */
export function assetId(randomBytes: RandomBytes): string {
  let id = '';
  while (id.length < ASSET_ID_LENGTH) {
    for (const byte of randomBytes(ASSET_ID_LENGTH)) {
      if (byte < FAIR_BOUND && id.length < ASSET_ID_LENGTH) id += LETTERS_AND_DIGITS.charAt(byte % LETTERS_AND_DIGITS.length);
    }
  }
  return id;
}
