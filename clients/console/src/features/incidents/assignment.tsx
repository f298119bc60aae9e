// SPDX-License-Identifier: Apache-2.0
import { Button, Group, Select } from '@mantine/core';
import type { IncidentActivity, IncidentDetail } from '@sextant/sdk';
import { useMutation } from '@tanstack/react-query';
import { refreshIncident } from '../../data/incidents/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { useRefusal, useUserEmails } from '../../data/users.ts';
import { messageOf } from '../../ui/error-panel.tsx';

type AssignmentProps = { readonly incident: IncidentDetail; readonly activity: IncidentActivity };

/** Who looks after the incident. Admins choose among all users; others among those who had to do with it, and themselves. */
export function Assignment({ incident, activity }: AssignmentProps) {
  const { observability, member } = useServices();
  const refusal = useRefusal('operator', incident.project_id);
  const users = useUserEmails();
  const { assignee } = activity;
  const assign = useMutation({
    mutationFn: (email: string | null) => observability.putIncidentAssignee({ incident_id: incident.id, assignee: email }),
    onSuccess: () => refreshIncident(incident.id),
  });
  const me = member?.username ?? '';
  const seen = [...activity.comments.map(({ author }) => author), ...activity.steps.map(({ actor }) => actor)].filter((each) =>
    each.includes('@'),
  );
  const emails = [...new Set([me, ...(assignee === null ? [] : [assignee]), ...(users ?? seen)])];
  return (
    <Group gap="xs" align="end" wrap="nowrap">
      <Select
        label="Assignee"
        placeholder="nobody"
        description={refusal ?? (users === undefined ? 'Admins can choose among all users.' : undefined)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={emails.map((email) => ({ value: email, label: email === me ? `${email} (you)` : email }))}
        value={assignee}
        onChange={(email) => assign.mutate(email)}
        error={assign.isError ? messageOf(assign.error) : undefined}
        disabled={refusal !== undefined || assign.isPending}
        nothingFoundMessage="No such user"
        clearButtonProps={{ 'aria-label': 'Unassign' }}
        clearable
        searchable
        style={{ flexGrow: 1 }}
      />
      {refusal === undefined && assignee !== me && (
        <Button variant="default" loading={assign.isPending} onClick={() => assign.mutate(me)} mb={users === undefined ? 22 : 0}>
          Assign to me
        </Button>
      )}
    </Group>
  );
}
