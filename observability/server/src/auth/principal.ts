// SPDX-License-Identifier: Apache-2.0
/** Who calls, once a credential has been checked. */
import type { Role, User } from '@sextant/contracts-observability';

/** Someone with a place in a tenant. */
export type Member = {
  readonly kind: 'user' | 'api_key' | 'outside';
  readonly tenantId: string;
  /** The id of the user or API key, or the subject of an outside token. */
  readonly id: string;
  /** What `created_by` says: an e-mail address, or the name of the key. */
  readonly name: string;
  /** The user whose rights bound those of API keys that the member makes; null for somebody whom an outside issuer vouches for. */
  readonly creatorId: string | null;
  readonly role: Role;
  readonly projectRoles: User['project_roles'];
};

/** Whoever holds the token of the platform: creates and lists tenants, and has no place in any. */
export type PlatformOperator = { readonly kind: 'platform' };

/** Somebody whom an outside issuer vouches for, and who has no place in any tenant. */
export type Stranger = { readonly kind: 'stranger' };

export type Principal = Member | PlatformOperator | Stranger;
