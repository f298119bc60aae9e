// SPDX-License-Identifier: Apache-2.0
/** Ids of points in a fixed number of bytes: a kind, then an unsigned integer of 64 bits or a UUID. Other ids, of which no service is known, are forgotten. */
export const ID_BYTES = 17;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const NUMBER = /^\d{1,20}$/;
const NUMBER_MAX = 2n ** 64n - 1n;
const OTHER = 0;
const IS_NUMBER = 1;
const IS_UUID = 2;

export function encodeId(id: string, target: Buffer): void {
  target.fill(0, 0, ID_BYTES);
  if (NUMBER.test(id) && BigInt(id) <= NUMBER_MAX) {
    target.writeUInt8(IS_NUMBER, 0);
    target.writeBigUInt64LE(BigInt(id), 1);
  } else if (UUID.test(id)) {
    target.writeUInt8(IS_UUID, 0);
    target.write(id.replaceAll('-', ''), 1, 'hex');
  }
}

/** Undefined for an id that was forgotten. */
export function decodeId(source: Buffer): string | undefined {
  const kind = source.readUInt8(0);
  if (kind === OTHER) return undefined;
  if (kind === IS_NUMBER) return source.readBigUInt64LE(1).toString();
  const digits = source.subarray(1, ID_BYTES).toString('hex');
  return [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)].join('-');
}
