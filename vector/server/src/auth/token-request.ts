/** The body of a request for a new access token, checked member by member. */
import { ServiceError } from '@sextant/contracts-vector';
import { parsePermission } from './permission.ts';

export type TokenRequest = {
  readonly name: string;
  readonly description: string | null;
  /** Null for a token that never expires. */
  readonly expiresInSeconds: number | null;
  readonly permission: number;
};

const NAME_LENGTH_MAX = 255;
const DESCRIPTION_LENGTH_MAX = 4096;
/** A hundred years; what is to last longer should say that it does not expire. */
const LIFETIME_SECONDS_MAX = 100 * 365 * 24 * 3600;

/** @throws ServiceError `invalid_request` that names the member and what it must be */
export function parseTokenRequest(fields: { readonly [name: string]: unknown }): TokenRequest {
  const { name, description, will_expire: willExpire, expires_in_seconds: lifetime, permission } = fields;
  demand(name !== undefined && name !== null, 'Missing required field: name');
  demand(
    typeof name === 'string' && name.trim() !== '' && name.length <= NAME_LENGTH_MAX,
    `name must be text of 1 to ${NAME_LENGTH_MAX} characters`,
  );
  const hasDescription = description !== undefined && description !== null;
  demand(
    !hasDescription || (typeof description === 'string' && description.length <= DESCRIPTION_LENGTH_MAX),
    `description must be text of at most ${DESCRIPTION_LENGTH_MAX} characters`,
  );
  demand(willExpire === undefined || typeof willExpire === 'boolean', 'will_expire must be true or false');
  demand(permission !== undefined && permission !== null, 'Missing required field: permission');
  const bits = typeof permission === 'string' ? parsePermission(permission) : undefined;
  demand(bits !== undefined, 'permission must be one or more of read, write and admin, joined by commas');
  return {
    name,
    description: hasDescription ? description : null,
    expiresInSeconds: willExpire === true ? parseLifetime(lifetime) : null,
    permission: bits,
  };
}

function parseLifetime(lifetime: unknown): number {
  demand(lifetime !== undefined && lifetime !== null, 'Missing required field: expires_in_seconds (will_expire is true)');
  demand(
    typeof lifetime === 'number' && Number.isInteger(lifetime) && lifetime >= 1 && lifetime <= LIFETIME_SECONDS_MAX,
    `expires_in_seconds must be an integer from 1 to ${LIFETIME_SECONDS_MAX}`,
  );
  return lifetime;
}

function demand(condition: boolean, reason: string): asserts condition {
  if (!condition) throw new ServiceError('invalid_request', { reason });
}
