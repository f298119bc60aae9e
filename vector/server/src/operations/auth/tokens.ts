// SPDX-License-Identifier: Apache-2.0
/** The access tokens. */
import { operation } from '../operation.ts';

export const createToken = operation('create_token', ({ auth }, { body, principal }) => auth.createToken(body, principal));

export const listTokens = operation('list_tokens', ({ auth }) => auth.listTokens());

export const rotateToken = operation('rotate_token', ({ auth }, { params, principal }) =>
  auth.rotateToken({ id: params.token_id, principal }),
);

export const deleteToken = operation('delete_token', ({ auth }, { params, principal }) =>
  auth.deleteToken({ id: params.token_id, principal }),
);
