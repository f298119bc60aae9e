// SPDX-License-Identifier: Apache-2.0
/** Tokens, users and API keys. */
import Type from 'typebox';
import {
  apiKeySchema,
  apiKeysSchema,
  assignRoleSchema,
  changePasswordSchema,
  createApiKeySchema,
  createUserSchema,
  newApiKeySchema,
  revokeTokenSchema,
  tokenReplySchema,
  tokenRequestSchema,
  updateUserSchema,
  userSchema,
  userWrittenSchema,
} from '../tenancy-schemas.ts';
import { messageSchema } from '../value-schemas.ts';
import { type Endpoint, needs } from './endpoint.ts';
import { auth } from './paths.ts';

const keys = { tag: 'API keys', needs: needs.admin } as const;
const users = { tag: 'Users', needs: needs.admin } as const;

/** The published API writes some paths of one user with `user`, others with `users`; both answer. */
function user<const Rest extends string>(rest: Rest) {
  const paths = auth(`/auth/{tenant}/users/{user_email}${rest}`);
  const singular = auth(`/auth/{tenant}/user/{user_email}${rest}`);
  return { path: paths.path, aliases: [...paths.aliases, singular.path, ...singular.aliases] };
}

export const authEndpoints = {
  get_token: {
    ...auth('/auth/token'),
    method: 'POST',
    tag: 'Authentication',
    summary: 'Get an access token with a password or a refresh token; the refresh token can be used once and is replaced by a new one',
    needs: needs.public,
    bodyKind: 'parameters',
    body: tokenRequestSchema,
    result: tokenReplySchema,
    errors: ['bad_request', 'login_failed', 'refresh_token_invalid', 'origin_not_known', 'rate_limited'],
  },
  revoke_token: {
    ...auth('/auth/token/revoke'),
    method: 'POST',
    tag: 'Authentication',
    summary: 'End a session: all refresh tokens of its sign-in become invalid',
    needs: needs.public,
    bodyKind: 'parameters',
    body: revokeTokenSchema,
    result: messageSchema,
    errors: ['bad_request', 'origin_not_known'],
  },
  list_api_keys: {
    ...keys,
    ...auth('/auth/{tenant}/apiKeys'),
    method: 'GET',
    summary: 'List the API keys',
    result: apiKeysSchema,
    errors: [],
  },
  create_api_key: {
    ...keys,
    ...auth('/auth/{tenant}/apiKeys'),
    method: 'POST',
    summary: 'Create an API key; its secret is shown this once',
    body: createApiKeySchema,
    result: newApiKeySchema,
    errors: [],
  },
  get_api_key: {
    ...keys,
    ...auth('/auth/{tenant}/apiKeys/{key_id}'),
    method: 'GET',
    summary: 'Read one API key',
    result: apiKeySchema,
    errors: ['not_found'],
  },
  delete_api_key: {
    ...keys,
    ...auth('/auth/{tenant}/apiKeys/{key_id}'),
    method: 'DELETE',
    summary: 'Delete an API key; it stops working at once',
    result: messageSchema,
    errors: ['not_found'],
  },
  list_users: {
    ...users,
    ...auth('/auth/{tenant}/users'),
    method: 'GET',
    summary: 'List the users',
    result: Type.Array(userSchema),
    errors: [],
  },
  create_user: {
    ...users,
    ...auth('/auth/{tenant}/users'),
    method: 'POST',
    summary: 'Create a user; a password that is not given is chosen and shown this once',
    bodyKind: 'parameters',
    body: createUserSchema,
    result: userWrittenSchema,
    errors: ['conflict'],
  },
  get_user: {
    ...users,
    ...user(''),
    method: 'GET',
    summary: 'Read one user',
    needs: needs.self,
    result: userSchema,
    errors: ['not_found'],
  },
  update_user: {
    ...users,
    ...user(''),
    method: 'PUT',
    summary: 'Change the names and the role of a user',
    bodyKind: 'parameters',
    body: updateUserSchema,
    result: messageSchema,
    errors: ['not_found', 'conflict'],
  },
  delete_user: {
    ...users,
    ...user(''),
    method: 'DELETE',
    summary: 'Delete a user and the tokens of that user',
    result: messageSchema,
    errors: ['not_found', 'conflict'],
  },
  assign_role: {
    ...users,
    ...user('/assign'),
    method: 'PUT',
    summary: 'Set the role of a user in the tenant, or the roles in projects, which replace the previous ones',
    bodyKind: 'parameters',
    body: assignRoleSchema,
    result: messageSchema,
    errors: ['not_found', 'conflict'],
  },
  change_password: {
    ...users,
    ...user('/password'),
    method: 'PUT',
    summary: 'Change the password; ends the sessions of that user',
    needs: needs.self,
    bodyKind: 'parameters',
    body: changePasswordSchema,
    result: messageSchema,
    errors: ['not_found', 'login_failed', 'rate_limited'],
  },
  reset_password: {
    ...users,
    ...user('/password'),
    method: 'DELETE',
    summary: 'Generate a new password, which is not shown again; ends the sessions of that user',
    result: userWrittenSchema,
    errors: ['not_found'],
  },
} as const satisfies { readonly [operation: string]: Endpoint };
