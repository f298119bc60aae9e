/** The admin user, the switch of enforcement, and the access tokens. */
import Type from 'typebox';
import {
  accessTokenSchema,
  authMessageSchema,
  createTokenSchema,
  enabledSchema,
  loginReplySchema,
  newAccessTokenSchema,
  passwordSchema,
} from '../auth-schemas.ts';
import type { Endpoint } from './endpoint.ts';
import { noQuery } from './query-strings.ts';

const shared = { tag: 'Authentication', envelope: 'auth', thread: 'writer', query: noQuery, failure: 'internal' } as const;
const tokens = { ...shared, needs: 'admin' } as const;

export const authEndpoints = {
  create_admin: {
    ...shared,
    method: 'POST',
    path: '/auth/admin',
    summary: 'Create the admin user; only from the machine that the server runs on',
    needs: 'none',
    body: passwordSchema,
    result: authMessageSchema,
    errors: ['unauthorized', 'forbidden'],
  },
  login: {
    ...shared,
    method: 'POST',
    path: '/auth/admin/login',
    summary: 'Log in as admin; answers a JWT',
    needs: 'none',
    body: passwordSchema,
    result: loginReplySchema,
    errors: ['rate_limited'],
  },
  reset_password: {
    ...shared,
    method: 'POST',
    path: '/auth/admin/reset-password',
    summary: 'Set a new password; only from the machine that the server runs on',
    needs: 'none',
    body: passwordSchema,
    result: authMessageSchema,
    errors: ['unauthorized', 'forbidden'],
  },
  admin_exists: {
    ...shared,
    method: 'GET',
    path: '/auth/admin/exists',
    summary: 'Say whether the admin user has been created',
    needs: 'none',
    envelope: 'result',
    result: Type.Boolean(),
    errors: [],
  },
  set_enforced: {
    ...shared,
    method: 'PATCH',
    path: '/auth/enabled',
    summary: 'Switch enforcement on or off; needs the admin JWT in both states',
    needs: 'none',
    envelope: 'result',
    body: enabledSchema,
    result: Type.Boolean(),
    errors: ['unauthorized', 'forbidden'],
  },
  create_token: {
    ...tokens,
    method: 'POST',
    path: '/auth/api_key',
    summary: 'Create an access token',
    body: createTokenSchema,
    result: newAccessTokenSchema,
    errors: ['unauthorized', 'forbidden'],
  },
  list_tokens: {
    ...tokens,
    method: 'GET',
    path: '/auth/api_keys',
    summary: 'List access tokens, without their secrets',
    result: Type.Array(accessTokenSchema),
    errors: ['unauthorized', 'forbidden'],
  },
  rotate_token: {
    ...tokens,
    method: 'POST',
    path: '/auth/api_key/{token_id}/rotate',
    summary: 'Give an access token a new secret; the old one stops working at once',
    result: newAccessTokenSchema,
    errors: ['unauthorized', 'forbidden'],
  },
  delete_token: {
    ...tokens,
    method: 'DELETE',
    path: '/auth/api_key/{token_id}',
    summary: 'Delete an access token; it stops working at once',
    result: authMessageSchema,
    errors: ['unauthorized', 'forbidden'],
  },
} as const satisfies Record<string, Endpoint>;
