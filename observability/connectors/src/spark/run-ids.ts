// SPDX-License-Identifier: Apache-2.0
/** Ids of sessions and statements, as they follow from what asked for them: who takes up a job that died knows what it left running. */
import { createHash } from 'node:crypto';

/** As Spark wants it, a UUID; version 8 is for those that are made in a way of one's own (RFC 9562, section 5.8). */
export function uuidOf(...parts: readonly (string | number)[]): string {
  const hex = createHash('sha256').update(parts.join('\n')).digest('hex');
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
