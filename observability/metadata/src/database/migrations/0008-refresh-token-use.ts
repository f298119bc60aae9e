// SPDX-License-Identifier: Apache-2.0
/** When a refresh token was used, in place of whether. */
import type { Migration } from '../migration.ts';

export const refreshTokenUse: Migration = [
  'alter table refresh_tokens add column used_ms bigint',
  // Long ago: a second use of these is one.
  'update refresh_tokens set used_ms = 0 where is_used = 1',
  'alter table refresh_tokens drop column is_used',
];
