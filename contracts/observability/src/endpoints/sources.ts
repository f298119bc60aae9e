// SPDX-License-Identifier: Apache-2.0
/** Projects and connections. */
import Type from 'typebox';
import { listItemsQuerySchema } from '../query-schemas.ts';
import {
  connectionSchema,
  connectionTestSchema,
  createConnectionSchema,
  createProjectSchema,
  listedItemsSchema,
  projectSchema,
  updateConnectionSchema,
  updateProjectSchema,
} from '../source-schemas.ts';
import { messageSchema } from '../value-schemas.ts';
import { type Endpoint, needs } from './endpoint.ts';
import { backend } from './paths.ts';

const PROJECTS = '/{tenant}/configuration/projects';
const PROJECT = `${PROJECTS}/{project_id}` as const;
const GLOBAL_CONNECTIONS = '/{tenant}/configuration/connections';
const GLOBAL_CONNECTION = `${GLOBAL_CONNECTIONS}/{connection_id}` as const;
const CONNECTIONS = `${PROJECT}/connections` as const;
const CONNECTION = `${CONNECTIONS}/{connection_id}` as const;
const projects = { tag: 'Projects' } as const;
const connections = { tag: 'Connections' } as const;

export const projectEndpoints = {
  list_projects: {
    ...projects,
    ...backend(PROJECTS),
    method: 'GET',
    summary: 'List the projects',
    needs: needs.viewer,
    result: Type.Array(projectSchema),
    errors: [],
  },
  create_project: {
    ...projects,
    ...backend(PROJECTS),
    method: 'POST',
    summary: 'Create a project',
    needs: needs.editor,
    body: createProjectSchema,
    result: projectSchema,
    errors: ['conflict'],
  },
  get_project: {
    ...projects,
    ...backend(PROJECT),
    method: 'GET',
    summary: 'Read one project',
    needs: needs.viewer,
    result: projectSchema,
    errors: ['not_found'],
  },
  update_project: {
    ...projects,
    ...backend(PROJECT),
    method: 'PUT',
    summary: 'Change the name or the description',
    needs: needs.projectEditor,
    body: updateProjectSchema,
    result: projectSchema,
    errors: ['not_found', 'conflict'],
  },
  delete_project: {
    ...projects,
    ...backend(PROJECT),
    method: 'DELETE',
    summary: 'Delete an empty project',
    needs: needs.editor,
    result: messageSchema,
    errors: ['not_found', 'conflict'],
  },
} as const satisfies { readonly [operation: string]: Endpoint };

export const connectionEndpoints = {
  list_connections: {
    ...connections,
    ...backend(GLOBAL_CONNECTIONS),
    method: 'GET',
    summary: 'List the connections of the tenant',
    needs: needs.viewer,
    result: Type.Array(connectionSchema),
    errors: [],
  },
  create_connection: {
    ...connections,
    ...backend(GLOBAL_CONNECTIONS),
    method: 'POST',
    summary: 'Create a global connection, which every project can use',
    needs: needs.admin,
    body: createConnectionSchema,
    result: connectionSchema,
    errors: ['source_refused', 'conflict'],
  },
  get_connection: {
    ...connections,
    ...backend(GLOBAL_CONNECTION),
    method: 'GET',
    summary: 'Read one connection',
    needs: needs.viewer,
    result: connectionSchema,
    errors: ['not_found'],
  },
  update_connection: {
    ...connections,
    ...backend(GLOBAL_CONNECTION),
    method: 'PUT',
    summary: 'Change the given members of a connection',
    needs: needs.admin,
    body: updateConnectionSchema,
    result: connectionSchema,
    errors: ['not_found', 'source_refused', 'conflict'],
  },
  delete_connection: {
    ...connections,
    ...backend(GLOBAL_CONNECTION),
    method: 'DELETE',
    summary: 'Delete an unused connection',
    needs: needs.admin,
    result: messageSchema,
    errors: ['not_found', 'in_use'],
  },
  test_connection: {
    ...connections,
    ...backend(`${GLOBAL_CONNECTION}/test`),
    method: 'POST',
    summary: 'Test a connection',
    needs: needs.admin,
    result: connectionTestSchema,
    errors: ['not_found', 'not_supported_yet'],
  },
  list_connection_items: {
    ...connections,
    ...backend(`${GLOBAL_CONNECTION}/items`),
    method: 'GET',
    summary: 'List the files, tables or collections of a connection',
    needs: needs.editor,
    query: listItemsQuerySchema,
    result: listedItemsSchema,
    errors: ['not_found', 'not_supported_yet', 'source_refused'],
  },
  list_project_connections: {
    ...connections,
    ...backend(CONNECTIONS),
    method: 'GET',
    summary: 'List the connections of a project',
    needs: needs.viewer,
    result: Type.Array(connectionSchema),
    errors: ['not_found'],
  },
  create_project_connection: {
    ...connections,
    ...backend(CONNECTIONS),
    method: 'POST',
    summary: 'Create a connection of a project',
    needs: needs.projectEditor,
    body: createConnectionSchema,
    result: connectionSchema,
    errors: ['not_found', 'source_refused', 'conflict'],
  },
  get_project_connection: {
    ...connections,
    ...backend(CONNECTION),
    method: 'GET',
    summary: 'Read one connection of a project',
    needs: needs.viewer,
    result: connectionSchema,
    errors: ['not_found'],
  },
  update_project_connection: {
    ...connections,
    ...backend(CONNECTION),
    method: 'PUT',
    summary: 'Change the given members of a connection of a project',
    needs: needs.projectEditor,
    body: updateConnectionSchema,
    result: connectionSchema,
    errors: ['not_found', 'source_refused', 'conflict'],
  },
  delete_project_connection: {
    ...connections,
    ...backend(CONNECTION),
    method: 'DELETE',
    summary: 'Delete an unused connection of a project',
    needs: needs.projectEditor,
    result: messageSchema,
    errors: ['not_found', 'in_use'],
  },
  test_project_connection: {
    ...connections,
    ...backend(`${CONNECTION}/test`),
    method: 'POST',
    summary: 'Test a connection of a project',
    needs: needs.projectEditor,
    result: connectionTestSchema,
    errors: ['not_found', 'not_supported_yet'],
  },
  list_project_connection_items: {
    ...connections,
    ...backend(`${CONNECTION}/items`),
    method: 'GET',
    summary: 'List the files, tables or collections of a connection of a project',
    needs: needs.projectEditor,
    query: listItemsQuerySchema,
    result: listedItemsSchema,
    errors: ['not_found', 'not_supported_yet', 'source_refused'],
  },
} as const satisfies { readonly [operation: string]: Endpoint };
