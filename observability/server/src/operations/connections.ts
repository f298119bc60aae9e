// SPDX-License-Identifier: Apache-2.0
/** Connections: global ones, and those of a project. Their secrets go in and never come out. */
import { ApiError, type BodyOf, type Connection } from '@sextant/contracts-observability';
import { sourceFailure } from '../sources/source-failure.ts';
import { operation, type TenantContext } from './operation.ts';
import { numericId, optionalNumber } from './parameters.ts';

const ITEMS_DEFAULT = 100;
const ITEMS_MAX = 10_000;
const GLOBAL_PROJECT_ID = 0;

type NewBody = BodyOf<'create_connection'>;
type ChangeBody = BodyOf<'update_connection'>;

export const listConnections = operation('list_connections', ({ tenant }) => tenant.connections.list());

export const createConnection = operation('create_connection', (context, { body }) => create(context, body, undefined));

export const getConnection = operation('get_connection', (context, { params }) => find(context, params));

export const updateConnection = operation('update_connection', async (context, { params, body }) =>
  update(context, await globalOne(context, params), body),
);

export const deleteConnection = operation('delete_connection', async (context, { params }) =>
  remove(context, await globalOne(context, params)),
);

export const testConnection = operation('test_connection', async (context, { params, signal }) =>
  test(context, await globalOne(context, params), signal),
);

export const listConnectionItems = operation('list_connection_items', async (context, { params, query, signal }) =>
  listItems(context, await globalOne(context, params), query, signal),
);

export const listProjectConnections = operation('list_project_connections', async ({ tenant }, { params }) => {
  const { id } = await tenant.projects.get(numericId('Project', params.project_id));
  return tenant.connections.list({ project_id: id, with_global: false });
});

export const createProjectConnection = operation('create_project_connection', async (context, { params, body }) => {
  const { id } = await context.tenant.projects.get(numericId('Project', params.project_id));
  return create(context, body, id);
});

export const getProjectConnection = operation('get_project_connection', (context, { params }) => ofProject(context, params));

export const updateProjectConnection = operation('update_project_connection', async (context, { params, body }) =>
  update(context, await ofProject(context, params), body),
);

export const deleteProjectConnection = operation('delete_project_connection', async (context, { params }) =>
  remove(context, await ofProject(context, params)),
);

export const testProjectConnection = operation('test_project_connection', async (context, { params, signal }) =>
  test(context, await ofProject(context, params), signal),
);

export const listProjectConnectionItems = operation('list_project_connection_items', async (context, { params, query, signal }) =>
  listItems(context, await ofProject(context, params), query, signal),
);

type ConnectionParams = { readonly connection_id: string };

function find({ tenant }: TenantContext, { connection_id }: ConnectionParams): Promise<Connection> {
  return tenant.connections.get(numericId('Connection', connection_id));
}

/** A connection of a project is changed on the project's path, where the roles of the project count. */
async function globalOne(context: TenantContext, params: ConnectionParams): Promise<Connection> {
  const connection = await find(context, params);
  if (connection.scope === 'GLOBAL') return connection;
  throw new ApiError('not_found', { what: 'Global connection', id: params.connection_id });
}

async function ofProject(context: TenantContext, params: ConnectionParams & { readonly project_id: string }): Promise<Connection> {
  const connection = await find(context, params);
  const isInProject = connection.scope === 'PROJECT' && connection.project_id === numericId('Project', params.project_id);
  if (isInProject) return connection;
  throw new ApiError('not_found', { what: `Connection of project ${params.project_id}`, id: params.connection_id });
}

async function create({ tenant, member, sources }: TenantContext, body: NewBody, projectId: number | undefined): Promise<Connection> {
  const { name, type, payload, credential = null } = body;
  await sources.validateConnection(type, payload, credential);
  return tenant.connections.create({
    name,
    type,
    payload,
    credential,
    scope: projectId === undefined ? 'GLOBAL' : 'PROJECT',
    project_id: projectId ?? GLOBAL_PROJECT_ID,
    db_type: databaseTypeOf(type, payload),
    created_by: member.name,
  });
}

async function update({ tenant, sources }: TenantContext, connection: Connection, body: ChangeBody): Promise<Connection> {
  const type = body.type ?? connection.type;
  const payload = body.payload ?? connection.payload;
  const stored = await tenant.connections.credential(connection.id);
  if (body.credential === undefined && stored !== null && leadsElsewhere(connection, type, payload)) {
    throw new ApiError('bad_request', { reason: 'credential: required again, because the address of the connection changes' });
  }
  const credential = body.credential === undefined ? stored : body.credential;
  await sources.validateConnection(type, payload, credential);
  return tenant.connections.update(connection.id, { ...body, db_type: databaseTypeOf(type, payload) });
}

const ADDRESS_MEMBERS = ['endpoint', 'api_endpoint', 'host', 'port', 'url', 'endpoint_prefix', 'storage_account', 'account', 'thrift_uri'];

/** Who may change a connection may not know its secret, and must not have it sent to a place of their own. */
function leadsElsewhere(connection: Connection, type: string, payload: Connection['payload']): boolean {
  return type !== connection.type || ADDRESS_MEMBERS.some((member) => payload[member] !== connection.payload[member]);
}

async function remove({ tenant }: TenantContext, connection: Connection): Promise<{ message: string }> {
  await tenant.connections.delete(connection.id);
  return { message: `Connection ${connection.id} was deleted.` };
}

/** What cannot be reached is an answer, not an error: the test did what it was asked for. */
async function test(
  { tenant, sources }: TenantContext,
  connection: Connection,
  signal: AbortSignal,
): Promise<{ success: boolean; message: string }> {
  if (!sources.isServed(connection.type))
    throw new ApiError('not_supported_yet', { feature: `Reaching sources of type ${connection.type}` });
  try {
    await sources.test(tenant, connection, signal);
    return { success: true, message: 'The source was reached.' };
  } catch (error) {
    return { success: false, message: sourceFailure(error) };
  }
}

async function listItems({ tenant, sources }: TenantContext, connection: Connection, query: { limit?: string }, signal: AbortSignal) {
  if (!sources.isServed(connection.type))
    throw new ApiError('not_supported_yet', { feature: `Listing sources of type ${connection.type}` });
  const limit = Math.min(ITEMS_MAX, Math.max(1, optionalNumber(query.limit) ?? ITEMS_DEFAULT));
  return sources.list(tenant, connection, { limit, signal });
}

function databaseTypeOf(type: string, payload: Connection['payload']): string | null {
  if (type === 'POSTGRESQL' || type === 'PGVECTOR') return 'postgresql';
  return typeof payload.db_type === 'string' ? payload.db_type : null;
}
