// SPDX-License-Identifier: Apache-2.0
/** What a request for a new access token means, beyond what its schema says. */
import { type BodyOf, ServiceError } from '@sextant/contracts-vector';
import { PERMISSION } from './auth.ts';
import { parsePermission } from './permission.ts';

export type TokenRequest = {
  readonly name: string;
  readonly description: string;
  /** Null for a token that never expires. */
  readonly expiresInSeconds: number | null;
  readonly permission: number;
  /** Undefined for a token that is limited to none. */
  readonly collections: readonly string[] | undefined;
};

/** @throws ServiceError `invalid_request` that names the member and what it must be */
export function readTokenRequest(body: BodyOf<'create_token'>): TokenRequest {
  if (body.name.trim() === '') refuse('name must not be empty or only whitespace');
  const permission = parsePermission(body.permission);
  if (permission === undefined) refuse('permission must be one or more of read, write and admin, joined by commas');
  // Without `will_expire` a lifetime means nothing, as published.
  const expiresInSeconds = body.will_expire === true ? (body.expires_in_seconds ?? null) : null;
  if (body.will_expire === true && expiresInSeconds === null) refuse('Missing required field: expires_in_seconds (will_expire is true)');
  if (expiresInSeconds === 0) refuse('expires_in_seconds: expected an integer from 1 where will_expire is true, got 0');
  const collections = body.collections ?? undefined;
  if (collections !== undefined && (permission & PERMISSION.admin) !== 0) {
    refuse('collections: a token with the permission admin manages all collections; leave out collections, or admin');
  }
  return { name: body.name, description: body.description ?? '', expiresInSeconds, permission, collections };
}

function refuse(reason: string): never {
  throw new ServiceError('invalid_request', { reason });
}
