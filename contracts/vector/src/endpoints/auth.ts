// SPDX-License-Identifier: Apache-2.0
/** The admin user, the switch of enforcement, and the access tokens. */
import Type from 'typebox';
import {
  accessTokenSchema,
  authMessageSchema,
  createTokenSchema,
  enabledSchema,
  loginRefusalSchema,
  loginReplySchema,
  newAccessTokenSchema,
  newPasswordSchema,
  passwordSchema,
} from '../auth-schemas.ts';
import type { Endpoint } from './endpoint.ts';
import { noQuery } from './query-strings.ts';

const shared = {
  tag: 'Authentication',
  envelope: 'auth',
  thread: 'writer',
  query: noQuery,
  failure: 'internal',
  refusal: 'message',
} as const;
const refusal = (description: string) => ({ description, schema: authMessageSchema });
const noToken = refusal('There is no access token with this id');
const tokens = { ...shared, needs: 'tokens' } as const;

export const authEndpoints = {
  create_admin: {
    ...shared,
    method: 'POST',
    path: '/auth/admin',
    summary: 'Create the admin user; only from the machine that the server runs on',
    needs: 'create_admin',
    body: newPasswordSchema,
    result: authMessageSchema,
    errors: ['rate_limited'],
    refusals: { 409: refusal('An admin already exists') },
  },
  login: {
    ...shared,
    method: 'POST',
    path: '/auth/admin/login',
    summary: 'Log in as admin and get a JWT',
    needs: 'none',
    body: passwordSchema,
    result: loginReplySchema,
    errors: ['rate_limited'],
    refusals: { 401: { description: 'The password is wrong, or there is no admin', schema: loginRefusalSchema } },
  },
  reset_password: {
    ...shared,
    method: 'POST',
    path: '/auth/admin/reset-password',
    summary: 'Set a new admin password; only from the machine on which the server runs, and not with an access token',
    needs: 'reset_password',
    body: newPasswordSchema,
    result: authMessageSchema,
    errors: ['rate_limited'],
    refusals: { 404: refusal('There is no admin yet') },
  },
  admin_exists: {
    ...shared,
    method: 'GET',
    path: '/auth/admin/exists',
    summary: 'Check whether an admin exists',
    needs: 'none',
    envelope: 'result',
    result: Type.Boolean(),
  },
  enforced: {
    ...shared,
    method: 'GET',
    path: '/auth/enabled',
    summary: 'Check whether authentication is enforced',
    needs: 'none',
    envelope: 'result',
    result: Type.Boolean(),
  },
  set_enforced: {
    ...shared,
    method: 'PATCH',
    path: '/auth/enabled',
    summary: 'Switch enforcement on or off; needs the admin JWT in both states',
    needs: 'admin_jwt',
    envelope: 'result',
    body: enabledSchema,
    result: Type.Boolean(),
  },
  create_token: {
    ...tokens,
    method: 'POST',
    path: '/auth/api_key',
    summary: 'Create an access token',
    body: createTokenSchema,
    result: newAccessTokenSchema,
  },
  list_tokens: {
    ...tokens,
    method: 'GET',
    path: '/auth/api_keys',
    summary: 'List access tokens, without their secrets',
    result: Type.Array(accessTokenSchema),
  },
  rotate_token: {
    ...tokens,
    method: 'POST',
    path: '/auth/api_key/{token_id}/rotate',
    summary: 'Rotate the secret of an access token; the old secret stops working at once',
    result: newAccessTokenSchema,
    refusals: { 404: noToken },
  },
  delete_token: {
    ...tokens,
    method: 'DELETE',
    path: '/auth/api_key/{token_id}',
    summary: 'Delete an access token; it stops working at once',
    result: authMessageSchema,
    refusals: { 404: noToken },
  },
} as const satisfies Record<string, Endpoint>;
