// SPDX-License-Identifier: Apache-2.0
/**
 * UUIDs as their 16 bytes. A spelling other than lower case with hyphens follows its bytes, so that it stays a string of its own
 * for filters, beside its like for facets.
 */

/** The spellings that RFC 9562 and its predecessors know: hyphenated, without hyphens, as URN; any case. */
const UUID = /^(?:urn:uuid:)?([0-9a-f]{8})(-?)([0-9a-f]{4})\2([0-9a-f]{4})\2([0-9a-f]{4})\2([0-9a-f]{12})$/i;
const UUID_BYTES = 16;

/** Undefined where the text is no UUID. */
export function encodeUuid(text: string): Uint8Array | undefined {
  const parts = UUID.exec(text);
  if (parts === null) return undefined;
  const [, a = '', , b = '', c = '', d = '', e = ''] = parts;
  const bytes = Buffer.from(a + b + c + d + e, 'hex');
  return decodeUuid(bytes) === text ? bytes : Buffer.concat([bytes, Buffer.from(text, 'latin1')]);
}

export function decodeUuid(bytes: Uint8Array): string {
  const hex = Buffer.from(uuidBytes(bytes)).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** The UUID of an encoding, whatever its spelling. */
export function uuidBytes(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, UUID_BYTES);
}
