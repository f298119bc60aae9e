// SPDX-License-Identifier: Apache-2.0
/**
 * A secret in a file that only its owner can read: the configured one is used and kept; without one the kept one is loaded; without either,
 * one is generated and kept.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const OWNER_ONLY = 0o600;
const GENERATED_BYTES = 64;
/** What no secret has that somebody typed or that was generated: control characters, and what stands for bytes that are no UTF-8. */
const DAMAGE = /[^\P{Cc}\t\r\n]|\ufffd/u;

export type SecretFileOptions = {
  readonly path: string;
  /** What the operator has set, if anything. */
  readonly configured: string | undefined;
  /** The name of the setting, for the sentence that asks for it. */
  readonly setting: string;
};

/**
 * A file whose bits have flipped is refused or is another secret, which is worth as much.
 *
 * @throws Error when the file is there and empty, or damaged
 */
export function openSecretFile({ path, configured, setting }: SecretFileOptions): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const kept = readSecret(path);
  if (configured === undefined && kept !== undefined) requireSound(kept, { path, setting });
  const secret = configured ?? kept ?? randomBytes(GENERATED_BYTES).toString('base64url');
  if (secret !== kept) replaceSecretFile(path, secret);
  return secret;
}

function readSecret(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  chmodSync(path, OWNER_ONLY);
  return readFileSync(path, 'utf8');
}

function requireSound(secret: string, { path, setting }: Pick<SecretFileOptions, 'path' | 'setting'>): void {
  const problem = secret === '' ? 'empty' : DAMAGE.test(secret) ? 'damaged' : undefined;
  if (problem !== undefined) throw new Error(`${path} is ${problem}; delete it to have a new secret generated, or set ${setting}`);
}

/** Whole or not at all: the file is complete on disk before it gets its name, and the name is on disk before we return. */
export function replaceSecretFile(path: string, secret: string): void {
  const draft = `${path}.new`;
  const file = openSync(draft, 'w', OWNER_ONLY);
  try {
    writeFileSync(file, secret);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  chmodSync(draft, OWNER_ONLY);
  renameSync(draft, path);
  // Windows cannot open a folder, and needs no sync of it.
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
