/** The Authenticate API. */
import { DEFAULT_TENANT_ID } from '../auth/first-start.ts';
import { operation } from './operation.ts';

/** The schema has seen to it that each grant has what it needs. */
export const getToken = operation('get_token', ({ authentication }, { body, address }) => {
  const { grant_type, tenant, username = '', password = '', refresh_token = '' } = body;
  if (grant_type === 'refresh_token') return authentication.withRefreshToken({ secret: refresh_token, address });
  return authentication.withPassword({ tenantId: tenant ?? DEFAULT_TENANT_ID, username, password, address });
});
