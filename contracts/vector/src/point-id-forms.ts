// SPDX-License-Identifier: Apache-2.0
/** Point ids: unsigned 64-bit integers and UUIDs, each with one canonical form. */
import type { PointId } from './points.ts';

export const UINT64_MAX = 18_446_744_073_709_551_615n;

/** In the document. Its bound is the exclusive one, since generators of clients read `maximum` into 64 bits with a sign. */
export const UINT64 = { type: 'integer', format: 'uint64', minimum: 0, exclusiveMaximum: UINT64_MAX + 1n } as const;

const HEX = '[0-9a-fA-F]';
/** The three spellings of RFC 9562: hyphenated, simple (32 digits) and URN. */
export const UUID_PATTERN = `^(?:(?:urn:uuid:)?${HEX}{8}-${HEX}{4}-${HEX}{4}-${HEX}{4}-${HEX}{12}|${HEX}{32})$`;
const UUID = new RegExp(UUID_PATTERN);
const CANONICAL_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The canonical form: a `number` up to 2^53 - 1 and a `bigint` above, or a hyphenated UUID in lower case. */
export function normalisePointId(id: PointId): PointId {
  if (typeof id === 'number') return id;
  if (typeof id === 'bigint') return id <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(id) : id;
  if (CANONICAL_UUID.test(id)) return id;
  const digits = id
    .replace(/^urn:uuid:/, '')
    .replaceAll('-', '')
    .toLowerCase();
  return [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)].join('-');
}

/** Reads an id out of a path; undefined when it is neither an unsigned 64-bit integer nor a UUID. */
export function parsePointId(text: string): PointId | undefined {
  if (UUID.test(text)) return normalisePointId(text);
  if (!/^[0-9]{1,20}$/.test(text)) return undefined;
  const id = BigInt(text);
  return id <= UINT64_MAX ? normalisePointId(id) : undefined;
}
