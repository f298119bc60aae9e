// SPDX-License-Identifier: Apache-2.0
import type { PointId } from '@sextant/sdk';

/** Digits are a number, exact to 64 bits; anything else is a UUID, which the service validates. */
export function pointId(text: string): PointId {
  const trimmed = text.trim();
  if (!/^\d+$/.test(trimmed)) return trimmed;
  return Number.isSafeInteger(Number(trimmed)) ? Number(trimmed) : BigInt(trimmed);
}
