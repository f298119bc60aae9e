// SPDX-License-Identifier: Apache-2.0
/** Projects. */
import { operation } from './operation.ts';
import { numericId } from './parameters.ts';

export const listProjects = operation('list_projects', ({ tenant }) => tenant.projects.list());

export const createProject = operation('create_project', ({ tenant, member }, { body }) =>
  tenant.projects.create({ name: body.name, description: body.description ?? null, created_by: member.name }),
);

export const getProject = operation('get_project', ({ tenant }, { params }) =>
  tenant.projects.get(numericId('Project', params.project_id)),
);

export const updateProject = operation('update_project', ({ tenant }, { params, body }) =>
  tenant.projects.update(numericId('Project', params.project_id), body),
);

export const deleteProject = operation('delete_project', async ({ tenant }, { params }) => {
  await tenant.projects.delete(numericId('Project', params.project_id));
  return { message: `Project ${params.project_id} was deleted.` };
});
