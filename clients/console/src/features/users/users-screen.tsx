import { Stack } from '@mantine/core';
import { useRefusal } from '../../data/users.ts';
import { OwnAccount } from './own-account.tsx';
import { UserList } from './user-list.tsx';

/** Who is in the tenant, for its admins; everybody's own password. */
export function UsersScreen() {
  const refusal = useRefusal('admin');
  return (
    <Stack gap="xl">
      {refusal === undefined && <UserList />}
      <OwnAccount listRefusal={refusal} />
    </Stack>
  );
}
