// SPDX-License-Identifier: Apache-2.0
/** The secret of an access token: shown once, kept only as a hash. */
import { generateSecret } from '@sextant/foundation-service';

/** Tells an access token from a JWT, and lets scanners of leaked secrets find ours. */
export const TOKEN_PREFIX = 'vdai_';

export function generateTokenSecret(): string {
  return generateSecret(TOKEN_PREFIX);
}
