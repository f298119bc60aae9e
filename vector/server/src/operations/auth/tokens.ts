/** The access tokens. */
import { operation } from '../operation.ts';

export const createToken = operation('create_token', ({ auth }, { body }) => auth.createToken(body));

export const listTokens = operation('list_tokens', ({ auth }) => auth.listTokens());

export const rotateToken = operation('rotate_token', ({ auth }, { params }) => auth.rotateToken({ id: params.token_id }));

export const deleteToken = operation('delete_token', ({ auth }, { params }) => auth.deleteToken({ id: params.token_id }));
