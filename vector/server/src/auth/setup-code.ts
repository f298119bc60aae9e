// SPDX-License-Identifier: Apache-2.0
/**
 * The setup code: what proves that somebody may read the data directory of the service, or has seen it start. A page in a browser on this machine
 * comes from this machine too, so its address proves nothing. The code works once, for the first admin or for a new password of the admin.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashSecret, replaceSecretFile } from '@sextant/foundation-service';

const FILE = 'setup-code';
/** Crockford's base 32: no letter that looks like a digit. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** A hundred bits. */
const LENGTH = 20;
const CODE = /^(?:[0-9A-HJKMNP-TV-Z]{5}-){3}[0-9A-HJKMNP-TV-Z]{5}$/;

export class SetupCode {
  readonly #path: string;
  #code: string;

  /** @param directory the data directory, where the file of an earlier start may lie */
  constructor({ directory }: { readonly directory: string }) {
    this.#path = join(directory, FILE);
    this.#code = readCode(this.#path) ?? this.renew();
  }

  get text(): string {
    return this.#code;
  }

  /** Takes as long whatever is given, which may be in small letters and without the dashes. */
  matches(given: string): boolean {
    return timingSafeEqual(hashSecret(plain(given)), hashSecret(plain(this.#code)));
  }

  /** Makes the code worthless, and answers the next one, which is on disk by then. */
  renew(): string {
    // The alphabet has as many characters as five bits have values, so each is as likely.
    const characters = [...randomBytes(LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length] ?? '');
    const code = characters.join('').replaceAll(/.{5}(?=.)/g, '$&-');
    replaceSecretFile(this.#path, code);
    this.#code = code;
    return code;
  }
}

/** Undefined where there is no file yet, or none of ours. */
function readCode(path: string): string | undefined {
  try {
    const code = readFileSync(path, 'utf8').trim();
    return CODE.test(code) ? code : undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function plain(code: string): string {
  return code.toUpperCase().replaceAll(/[^0-9A-Z]/g, '');
}
