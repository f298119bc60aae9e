// SPDX-License-Identifier: Apache-2.0
/** API keys: the secret is shown once, in the answer to creation. */
import { generateSecret, hashSecret } from '@sextant/foundation-service';
import { operation } from './operation.ts';

/** Lets scanners of leaked secrets find ours. */
const KEY_PREFIX = 'sxk_';

export const listApiKeys = operation('list_api_keys', async ({ tenant }) => ({ keys: await tenant.apiKeys.list() }));

/** The key may do what its maker may do now, and less when its maker may do less. */
export const createApiKey = operation('create_api_key', async ({ tenant, member }, { body }) => {
  const secret = generateSecret(KEY_PREFIX);
  const secret_hash = hashSecret(secret).toString('hex');
  const { id, name } = await tenant.apiKeys.create({ name: body.name, secret_hash, role: member.role, creator_id: member.creatorId });
  return { id, name, key: secret };
});

export const getApiKey = operation('get_api_key', ({ tenant }, { params }) => tenant.apiKeys.get(params.key_id));

export const deleteApiKey = operation('delete_api_key', async ({ tenant }, { params }) => {
  await tenant.apiKeys.delete(params.key_id);
  return { message: `API key ${params.key_id} was deleted.` };
});
