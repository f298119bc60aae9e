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
import { type Endpoint, needs, read, removal } from './endpoint.ts';
import { backend } from './paths.ts';

const PROJECTS = '/{tenant}/configuration/projects';
const PROJECT = `${PROJECTS}/{project_id}` as const;
const GLOBAL_CONNECTIONS = '/{tenant}/configuration/connections';
const GLOBAL_CONNECTION = `${GLOBAL_CONNECTIONS}/{connection_id}` as const;
const CONNECTIONS = `${PROJECT}/connections` as const;
const CONNECTION = `${CONNECTIONS}/{connection_id}` as const;
const projects = { tag: 'Projects', ...backend(PROJECTS), needs: needs.editor } as const;
const project = { ...projects, ...backend(PROJECT) } as const;

/** What is done with connections is the same for those of the tenant and those of a project. */
const ofTenant = { tag: 'Connections', needs: needs.admin } as const;
const ofProject = { tag: 'Connections', needs: needs.projectEditor } as const;
const list = { ...read, result: Type.Array(connectionSchema) } as const;
const create = {
  method: 'POST',
  body: createConnectionSchema,
  result: connectionSchema,
  errors: ['source_refused', 'conflict'],
} as const;
const get = { ...read, result: connectionSchema } as const;
const update = { ...create, method: 'PUT', body: updateConnectionSchema } as const;
const remove = { ...removal, errors: ['in_use'] } as const;
const test = { method: 'POST', result: connectionTestSchema, errors: ['not_supported_yet'] } as const;
const listItems = {
  method: 'GET',
  query: listItemsQuerySchema,
  result: listedItemsSchema,
  errors: ['not_supported_yet', 'source_refused'],
} as const;

export const projectEndpoints = {
  list_projects: {
    ...projects,
    ...read,
    summary: 'List the projects',
    result: Type.Array(projectSchema),
  },
  create_project: {
    ...projects,
    method: 'POST',
    summary: 'Create a project',
    body: createProjectSchema,
    result: projectSchema,
    errors: ['conflict'],
  },
  get_project: {
    ...project,
    ...read,
    summary: 'Read one project',
    result: projectSchema,
  },
  update_project: {
    ...project,
    method: 'PUT',
    summary: 'Change the name or the description',
    needs: needs.projectEditor,
    body: updateProjectSchema,
    result: projectSchema,
    errors: ['conflict'],
  },
  delete_project: {
    ...project,
    ...removal,
    summary: 'Delete an empty project',
    errors: ['conflict'],
  },
} as const satisfies { readonly [operation: string]: Endpoint };

export const connectionEndpoints = {
  list_connections: {
    ...ofTenant,
    ...backend(GLOBAL_CONNECTIONS),
    ...list,
    summary: 'List the connections of the tenant',
  },
  create_connection: {
    ...ofTenant,
    ...backend(GLOBAL_CONNECTIONS),
    ...create,
    summary: 'Create a global connection, which every project can use',
  },
  get_connection: {
    ...ofTenant,
    ...backend(GLOBAL_CONNECTION),
    ...get,
    summary: 'Read one connection',
  },
  update_connection: {
    ...ofTenant,
    ...backend(GLOBAL_CONNECTION),
    ...update,
    summary: 'Change the given members of a connection',
  },
  delete_connection: {
    ...ofTenant,
    ...backend(GLOBAL_CONNECTION),
    ...remove,
    summary: 'Delete an unused connection',
  },
  test_connection: {
    ...ofTenant,
    ...backend(`${GLOBAL_CONNECTION}/test`),
    ...test,
    summary: 'Test a connection',
  },
  list_connection_items: {
    ...ofTenant,
    ...backend(`${GLOBAL_CONNECTION}/items`),
    ...listItems,
    summary: 'List the files, tables or collections of a connection',
    needs: needs.editor,
  },
  list_project_connections: {
    ...ofProject,
    ...backend(CONNECTIONS),
    ...list,
    summary: 'List the connections of a project',
  },
  create_project_connection: {
    ...ofProject,
    ...backend(CONNECTIONS),
    ...create,
    summary: 'Create a connection of a project',
  },
  get_project_connection: {
    ...ofProject,
    ...backend(CONNECTION),
    ...get,
    summary: 'Read one connection of a project',
  },
  update_project_connection: {
    ...ofProject,
    ...backend(CONNECTION),
    ...update,
    summary: 'Change the given members of a connection of a project',
  },
  delete_project_connection: {
    ...ofProject,
    ...backend(CONNECTION),
    ...remove,
    summary: 'Delete an unused connection of a project',
  },
  test_project_connection: {
    ...ofProject,
    ...backend(`${CONNECTION}/test`),
    ...test,
    summary: 'Test a connection of a project',
  },
  list_project_connection_items: {
    ...ofProject,
    ...backend(`${CONNECTION}/items`),
    ...listItems,
    summary: 'List the files, tables or collections of a connection of a project',
  },
} as const satisfies { readonly [operation: string]: Endpoint };
