import { Badge, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { adminExists } from '../../data/access.ts';
import { useServices } from '../../data/services/services.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { Page } from '../../ui/page.tsx';
import { AccessTokens } from './access-tokens.tsx';
import { Enforcement } from './enforcement.tsx';
import { AdminLogin, FirstAdmin, TokenLogin } from './sign-in-forms.tsx';

/** Who may do what at the vector service: the admin, whether credentials are asked for, and the tokens of programs. */
export function AccessScreen() {
  const { vector, vectorSession } = useServices();
  const hasAdmin = useQuery(adminExists(vector));
  const isAdmin = vectorSession.kind === 'admin';
  return (
    <Page title="Access" beside={isAdmin && <Badge variant="dot">signed in as admin</Badge>}>
      {hasAdmin.isError && (
        <ErrorPanel error={hasAdmin.error} doing="ask whether there is an admin" onRetry={() => void hasAdmin.refetch()} />
      )}
      {hasAdmin.data === false && <FirstAdmin />}
      {hasAdmin.data === true && !isAdmin && <AdminLogin />}
      {isAdmin && (
        <Stack gap="lg">
          <Enforcement />
          <AccessTokens />
        </Stack>
      )}
      {hasAdmin.data === true && !isAdmin && <TokenLogin />}
    </Page>
  );
}
