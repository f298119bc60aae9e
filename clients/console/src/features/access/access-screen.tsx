// SPDX-License-Identifier: Apache-2.0
import { Badge, Stack, Switch } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { adminExists, enforced } from '../../data/access.ts';
import { queryClient } from '../../data/services/query-client.ts';
import { useServices } from '../../data/services/services.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { checkField } from '../../ui/fields.ts';
import { Page } from '../../ui/page.tsx';
import { Section } from '../../ui/section.tsx';
import { AccessTokens } from './access-tokens.tsx';
import { AdminLogin, FirstAdmin, TokenLogin } from './sign-in-forms.tsx';

/** Who may do what at the vector service: the admin, whether credentials are asked for, and the tokens of programs. */
export function AccessScreen() {
  const { vector, vectorSession } = useServices();
  const hasAdmin = useQuery(adminExists(vector));
  const isAdmin = vectorSession.kind === 'admin';
  return (
    <Page title="Access" beside={isAdmin && <Badge variant="dot">signed in as admin</Badge>}>
      {hasAdmin.isError && (
        <ErrorPanel error={hasAdmin.error} doing="check whether an admin exists" onRetry={() => void hasAdmin.refetch()} />
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

function Enforcement() {
  const { vector } = useServices();
  const state = useQuery(enforced(vector));
  const change = useMutation({
    mutationFn: (enabled: boolean) => vector.setEnforced(enabled),
    onSuccess: (enabled) => queryClient.setQueryData(enforced(vector).queryKey, enabled),
  });
  return (
    <Section id="enforcement" title="Enforcement">
      <Stack gap="xs">
        <Switch
          label="Require a credential for every request"
          {...checkField(state.data ?? false, change.mutate)}
          disabled={state.data === undefined || change.isPending}
        />
        <Dimmed>Takes effect at once.</Dimmed>
        {state.isError && <ErrorPanel error={state.error} doing="read whether credentials are required" />}
        {change.isError && <ErrorPanel error={change.error} doing="change the enforcement" />}
      </Stack>
    </Section>
  );
}
