// SPDX-License-Identifier: Apache-2.0
/** A password for somebody who did not give one. */
import { randomBytes } from 'node:crypto';

/** 144 bits. */
const GENERATED_BYTES = 18;

/** Keeps every rule of passwords: the tail brings what base64url may lack. */
export function generatedPassword(): string {
  return `${randomBytes(GENERATED_BYTES).toString('base64url')}-Aa1`;
}
