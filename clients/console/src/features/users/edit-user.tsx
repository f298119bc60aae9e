// SPDX-License-Identifier: Apache-2.0
import { Group, Select, Stack, Text, TextInput } from '@mantine/core';
import type { User } from '@sextant/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { projectList } from '../../data/assets/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { isRole, ROLE_CHOICES } from '../../data/users.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { textField } from '../../ui/fields.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';

type ProjectRoles = User['project_roles'];
type ProjectRole = ProjectRoles[string];
type EditUserProps = { readonly user: User; readonly onClose: () => void; readonly onSaved: () => Promise<void> };

const NONE = 'none';
const PROJECT_ROLES: readonly ProjectRole[] = ['viewer', 'operator', 'editor'];

export function EditUser({ user, onClose, onSaved }: EditUserProps) {
  const { observability } = useServices();
  const [firstName, setFirstName] = useState(user.first_name);
  const [lastName, setLastName] = useState(user.last_name);
  const [role, setRole] = useState(user.role);
  const [inProjects, setInProjects] = useState<ProjectRoles>(user.project_roles);
  const projects = useQuery(projectList(observability));
  const saving = useMutation({
    mutationFn: async () => {
      await observability.updateUser({
        user_email: user.email,
        first_name: firstName.trim(),
        last_name: lastName.trim(),
        role,
      });
      if (inProjects !== user.project_roles) await observability.assignRole({ user_email: user.email, project_roles: inProjects });
    },
    onSuccess: onSaved,
  });
  return (
    <FormDialog title={user.email} verb="Save" saving={saving} doing="change the user" onSubmit={() => saving.mutate()} onClose={onClose}>
      <Group grow>
        <TextInput label="First name" {...textField(firstName, setFirstName)} />
        <TextInput label="Last name" {...textField(lastName, setLastName)} />
      </Group>
      <Select
        label="Role in the tenant"
        data={ROLE_CHOICES}
        value={role}
        onChange={(value) => isRole(value) && setRole(value)}
        allowDeselect={false}
      />
      {role !== 'admin' && projects.data !== undefined && projects.data.length > 0 && (
        <Stack gap="xs" component="fieldset" bd={0} p={0} m={0}>
          <Text component="legend" size="sm" fw={500}>
            Roles in projects
          </Text>
          <Dimmed size="xs">A role in a project adds to the role in the tenant within that project.</Dimmed>
          {projects.data.map(({ id, name }) => (
            <Group key={id} justify="space-between" wrap="nowrap">
              <Text size="sm" truncate>
                {name}
              </Text>
              <Select
                aria-label={`Role in ${name}`}
                data={[{ value: NONE, label: 'none' }, ...PROJECT_ROLES]}
                value={inProjects[id] ?? NONE}
                onChange={(value) => setInProjects(withRole(inProjects, id, value))}
                allowDeselect={false}
                w={130}
              />
            </Group>
          ))}
        </Stack>
      )}
      {projects.isError && <ErrorPanel error={projects.error} doing="list the projects" />}
    </FormDialog>
  );
}

function withRole(roles: ProjectRoles, projectId: number, word: string | null): ProjectRoles {
  const { [projectId]: _before, ...others } = roles;
  const role = PROJECT_ROLES.find((each) => each === word);
  return role === undefined ? others : { ...others, [projectId]: role };
}
