// SPDX-License-Identifier: Apache-2.0
/** A password as a user's row keeps it. */
import { hashPassword, isPassword, type PasswordRecord } from '@sextant/foundation-service';

export async function storedPassword(password: string): Promise<string> {
  return JSON.stringify(await hashPassword(password));
}

/** Takes as long for a user who does not exist, or has no password. */
export function matchesStored(password: string, stored: string | null | undefined): Promise<boolean> {
  // `storedPassword` wrote it.
  const record = stored === null || stored === undefined ? undefined : (JSON.parse(stored) as PasswordRecord);
  return isPassword(password, record);
}
