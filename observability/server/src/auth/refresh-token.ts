// SPDX-License-Identifier: Apache-2.0
/** Refresh tokens: used once, thirty days, each use gives the next one of its family. */
import { generateSecret, hashSecret } from '@sextant/foundation-service';

const PREFIX = 'sxr_';
export const REFRESH_TOKEN_LIFETIME_SECONDS = 30 * 24 * 60 * 60;

export type NewRefreshToken = { readonly secret: string; readonly hash: string; readonly expiresAt: string };

export function newRefreshToken(nowMs: number): NewRefreshToken {
  const secret = generateSecret(PREFIX);
  return { secret, hash: refreshTokenHash(secret), expiresAt: new Date(nowMs + REFRESH_TOKEN_LIFETIME_SECONDS * 1000).toISOString() };
}

export function refreshTokenHash(secret: string): string {
  return hashSecret(secret).toString('hex');
}
