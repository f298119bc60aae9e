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
import { type Endpoint, needs, removal } from './endpoint.ts';
import { auth } from './paths.ts';

const keys = { tag: 'API keys', ...auth('/auth/{tenant}/apiKeys'), needs: needs.admin } as const;
const key = { ...keys, ...auth('/auth/{tenant}/apiKeys/{key_id}') } as const;
const users = { tag: 'Users', ...auth('/auth/{tenant}/users'), needs: needs.admin } as const;

/** The published API writes some paths of one user with `user`, others with `users`; both answer. */
function pathsOfUser<const Rest extends string>(rest: Rest) {
  const paths = auth(`/auth/{tenant}/users/{user_email}${rest}`);
  const singular = auth(`/auth/{tenant}/user/{user_email}${rest}`);
  return { path: paths.path, aliases: [...paths.aliases, singular.path, ...singular.aliases] };
}

const user = { ...users, ...pathsOfUser('') } as const;
const password = { ...users, ...pathsOfUser('/password') } as const;

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
    method: 'GET',
    summary: 'List the API keys',
    result: apiKeysSchema,
  },
  create_api_key: {
    ...keys,
    method: 'POST',
    summary: 'Create an API key; its secret is shown this once',
    body: createApiKeySchema,
    result: newApiKeySchema,
  },
  get_api_key: {
    ...key,
    method: 'GET',
    summary: 'Read one API key',
    result: apiKeySchema,
  },
  delete_api_key: {
    ...key,
    ...removal,
    summary: 'Delete an API key; it stops working at once',
  },
  list_users: {
    ...users,
    method: 'GET',
    summary: 'List the users',
    result: Type.Array(userSchema),
  },
  create_user: {
    ...users,
    method: 'POST',
    summary: 'Create a user; a password that is not given is chosen and shown this once',
    bodyKind: 'parameters',
    body: createUserSchema,
    result: userWrittenSchema,
    errors: ['conflict'],
  },
  get_user: {
    ...user,
    method: 'GET',
    summary: 'Read one user',
    needs: needs.self,
    result: userSchema,
  },
  update_user: {
    ...user,
    method: 'PUT',
    summary: 'Change the names and the role of a user',
    bodyKind: 'parameters',
    body: updateUserSchema,
    result: messageSchema,
    errors: ['conflict'],
  },
  delete_user: {
    ...user,
    ...removal,
    summary: 'Delete a user and the tokens of that user',
    errors: ['conflict'],
  },
  assign_role: {
    ...users,
    ...pathsOfUser('/assign'),
    method: 'PUT',
    summary: 'Set the role of a user in the tenant, or the roles in projects, which replace the previous ones',
    bodyKind: 'parameters',
    body: assignRoleSchema,
    result: messageSchema,
    errors: ['conflict'],
  },
  change_password: {
    ...password,
    method: 'PUT',
    summary: 'Change the password; ends the sessions of that user',
    needs: needs.self,
    bodyKind: 'parameters',
    body: changePasswordSchema,
    result: messageSchema,
    errors: ['login_failed', 'rate_limited'],
  },
  reset_password: {
    ...password,
    method: 'DELETE',
    summary: 'Generate a new password, which is not shown again; ends the sessions of that user',
    result: userWrittenSchema,
  },
} as const satisfies { readonly [operation: string]: Endpoint };
