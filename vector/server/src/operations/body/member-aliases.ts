// SPDX-License-Identifier: Apache-2.0
/** Bodies of clients that speak another revision of the API family: other names of members. */
import { MEMBER_ALIASES, ServiceError } from '@sextant/contracts-vector';

/** Gives members the names that the schemas know them by, in place. */
export function renameAliases(operation: string, body: unknown): void {
  const aliases = MEMBER_ALIASES[operation];
  if (aliases === undefined || typeof body !== 'object' || body === null || Array.isArray(body)) return;
  const members = body as { [name: string]: unknown };
  for (const [alias, name] of Object.entries(aliases)) {
    if (!Object.hasOwn(members, alias)) continue;
    if (Object.hasOwn(members, name)) {
      throw new ServiceError('invalid_request', { reason: `${alias}: it is another name of ${name}; give only one of the two` });
    }
    members[name] = members[alias];
    delete members[alias];
  }
}
