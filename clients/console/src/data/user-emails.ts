import { useQuery } from '@tanstack/react-query';
import { useOwnUser } from '../widgets/needs-role.tsx';
import { useServices } from './services/services.tsx';

const STILL_MS = 60_000;

/** The addresses of all users; undefined to those who may not know them. */
export function useUserEmails(): readonly string[] | undefined {
  const { observability } = useServices();
  const isAdmin = useOwnUser().data?.role === 'admin';
  const users = useQuery({
    queryKey: ['observability', 'users'],
    queryFn: ({ signal }) => observability.listUsers({ signal }),
    staleTime: STILL_MS,
    enabled: isAdmin,
  });
  return users.data?.map(({ email }) => email);
}
