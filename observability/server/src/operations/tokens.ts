// SPDX-License-Identifier: Apache-2.0
/** The Authenticate API. */
import { DEFAULT_TENANT_ID } from '../auth/first-start.ts';
import { operation } from './operation.ts';

/** The schema has seen to it that each grant has what it needs, and the adapter puts in what a cookie holds. */
export const getToken = operation('get_token', ({ authentication }, { body, address }) => {
  const { grant_type, tenant: tenantId = DEFAULT_TENANT_ID, username = '', password = '', refresh_token: secret = '' } = body;
  if (grant_type === 'password') return authentication.withPassword({ tenantId, username, password, address });
  return authentication.withRefreshToken({
    secret,
    address,
    ...(body.refresh_token_in === 'cookie' && { sharedBy: { tenantId, username } }),
  });
});

export const revokeToken = operation('revoke_token', async ({ authentication }, { body }) => {
  await authentication.revoke(body.refresh_token ?? '');
  return { message: 'The session has ended' };
});
