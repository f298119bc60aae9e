// SPDX-License-Identifier: Apache-2.0
/** Passwords: what they must be like, and how they are kept. */
import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const LENGTH_MIN = 12;
/** Enough for any passphrase, and little enough that hashing it costs what hashing any other costs. */
const LENGTH_MAX = 1024;

const RULES: readonly (readonly [isKept: (password: string) => boolean, demand: string])[] = [
  [(password) => Array.from(password).length >= LENGTH_MIN, `have at least ${LENGTH_MIN} characters`],
  [(password) => password.length <= LENGTH_MAX, `have at most ${LENGTH_MAX} characters`],
  [(password) => /\p{Lu}/u.test(password), 'contain an uppercase letter'],
  [(password) => /\p{Ll}/u.test(password), 'contain a lowercase letter'],
  [(password) => /\p{Nd}/u.test(password), 'contain a digit'],
  [(password) => /[^\p{L}\p{N}\s]/u.test(password), 'contain a special character'],
];

/** A sentence that names every rule that the password breaks, or undefined when it keeps them all. */
export function passwordProblem({ password, username }: { readonly password: string; readonly username: string }): string | undefined {
  if (password.trim() === '') return 'The password must not be empty or only whitespace';
  if (password.trim().toLowerCase() === username.toLowerCase()) return 'The password must not equal the username';
  const demands = RULES.filter(([isKept]) => !isKept(password)).map(([, demand]) => demand);
  return demands.length === 0 ? undefined : `The password must ${demands.join(', ')}`;
}

/** What a hash costs whoever guesses. */
export type PasswordCost = {
  readonly memoryKiB: number;
  readonly passes: number;
  readonly parallelism: number;
};

/** A password as it is stored, with its parameters, so that raising them keeps older ones valid. */
export type PasswordRecord = PasswordCost & {
  /** base64 */
  readonly nonce: string;
  /** base64 */
  readonly hash: string;
};

/** OWASP Password Storage Cheat Sheet, Argon2id: 19 MiB of memory, 2 passes, 1 lane. */
const COST: PasswordCost = { memoryKiB: 19_456, passes: 2, parallelism: 1 };
/** RFC 9106 section 4: a salt of 128 bits and a tag of 256 bits. */
const NONCE_BYTES = 16;
const HASH_BYTES = 32;

const argon2Async = promisify<'argon2id', Argon2Parameters, Buffer>(argon2);

export async function hashPassword(password: string, cost = COST): Promise<PasswordRecord> {
  const record = { ...cost, nonce: randomBytes(NONCE_BYTES).toString('base64') };
  const hash = await derive(password, record);
  return { ...record, hash: hash.toString('base64') };
}

/** Whether it is the password. Without a record it is not, and finding that out takes as long. */
export async function isPassword(password: string, record: PasswordRecord | undefined, cost = COST): Promise<boolean> {
  if (password.length > LENGTH_MAX) return false;
  const compared = record ?? { ...DECOY, ...cost };
  const hash = await derive(password, compared);
  return timingSafeEqual(hash, Buffer.from(compared.hash, 'base64')) && record !== undefined;
}

const DECOY = {
  nonce: Buffer.alloc(NONCE_BYTES).toString('base64'),
  hash: Buffer.alloc(HASH_BYTES).toString('base64'),
};

/** NFC first (RFC 8265 section 4.2.2), since keyboards differ in how they compose the same letter. */
function derive(password: string, { memoryKiB, passes, parallelism, nonce }: Omit<PasswordRecord, 'hash'>): Promise<Buffer> {
  return argon2Async('argon2id', {
    message: password.normalize('NFC'),
    nonce: Buffer.from(nonce, 'base64'),
    memory: memoryKiB,
    passes,
    parallelism,
    tagLength: HASH_BYTES,
  });
}
