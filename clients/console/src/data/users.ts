import type { ObservabilityClient, User } from '@sextant/sdk';
import { queryOptions } from '@tanstack/react-query';

export const ROLE_CHOICES: readonly { readonly value: User['role']; readonly label: string }[] = [
  { value: 'viewer', label: 'viewer: reads' },
  { value: 'operator', label: 'operator: also runs scans and works on incidents' },
  { value: 'editor', label: 'editor: also changes assets, monitors and channels' },
  { value: 'admin', label: 'admin: everything' },
];

export function allUsers(client: ObservabilityClient) {
  return queryOptions({ queryKey: ['observability', 'users'], queryFn: ({ signal }) => client.listUsers({ signal }) });
}

export function isRole(word: string | null): word is User['role'] {
  return ROLE_CHOICES.some(({ value }) => value === word);
}

/** As people say it: the name where there is one. */
export function nameOf({ email, first_name, last_name }: Pick<User, 'email' | 'first_name' | 'last_name'>): string {
  return `${first_name} ${last_name}`.trim() || email;
}
