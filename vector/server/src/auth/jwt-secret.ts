/**
 * The secret that signs admin JWTs: the configured one is used and kept; without one the kept one is loaded; without either, one is
 * generated and kept. Another secret than before makes every older JWT worthless.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SECRET_FILE = 'jwt-secret';
const OWNER_ONLY = 0o600;
/** RFC 7518 section 3.2: an HS256 key has at least the size of the hash. */
const SECRET_BYTES_MIN = 32;
const GENERATED_BYTES = 64;

export type JwtSecret = {
  readonly signingKey: Uint8Array;
  /** Shorter than RFC 7518 asks for: it works, but it can be guessed from a JWT with less effort than it should take. */
  readonly isWeak: boolean;
};

/** @param configured the value of SERVICE_JWT_SECRET */
export function openJwtSecret({ directory, configured }: { directory: string; configured: string | undefined }): JwtSecret {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, SECRET_FILE);
  const kept = readSecret(path);
  const secret = configured ?? kept ?? randomBytes(GENERATED_BYTES).toString('base64url');
  if (secret !== kept) keepSecret(directory, path, secret);
  const signingKey = new TextEncoder().encode(secret);
  return { signingKey, isWeak: signingKey.length < SECRET_BYTES_MIN };
}

function readSecret(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  chmodSync(path, OWNER_ONLY);
  const secret = readFileSync(path, 'utf8');
  if (secret === '') throw new Error(`${path} is empty; delete it to have a new secret generated, or set SERVICE_JWT_SECRET`);
  return secret;
}

/** Whole or not at all: the file is complete on disk before it gets its name, and the name is on disk before we return. */
function keepSecret(directory: string, path: string, secret: string): void {
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
  const folder = openSync(directory, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
