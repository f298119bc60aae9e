// SPDX-License-Identifier: Apache-2.0
/** Permissions on the wire: `read`, `write` and `admin`, joined by commas. */
import { PERMISSION } from './auth.ts';

type PermissionName = keyof typeof PERMISSION;
const NAMES: readonly PermissionName[] = ['read', 'write', 'admin'];

/** The bits of a permission text; undefined when it names nothing, or something that is not one. */
export function parsePermission(text: string): number | undefined {
  const words = text.split(',').map((word) => word.trim());
  const names = NAMES.filter((name) => words.includes(name));
  const areAllKnown = words.every((word) => NAMES.some((name) => name === word));
  return areAllKnown && names.length > 0 ? names.reduce((bits, name) => bits | PERMISSION[name], 0) : undefined;
}

export function formatPermission(bits: number): string {
  return NAMES.filter((name) => (bits & PERMISSION[name]) !== 0).join(',');
}
