// SPDX-License-Identifier: Apache-2.0
/** Schemas of tenants, users, credentials. */
import { maybe, oneOf, type Static, strict } from '@sextant/foundation-contract';
import Type from 'typebox';
import { RESERVED_TENANT_IDS } from './reserved.ts';
import { answer, email, name, password, text, timestamp } from './value-schemas.ts';

const role = oneOf('admin', 'editor', 'operator', 'viewer');
/** From most to least: each role may do what the roles after it may. */
export type Role = Static<typeof role>;
const projectRole = oneOf('editor', 'operator', 'viewer');
const projectRoles = Type.Record(Type.String({ pattern: '^(?:0|[1-9][0-9]{0,14})$' }), projectRole, {
  additionalProperties: false,
  maxProperties: 10_000,
  'x-names': 'the id of a project',
});

/** Stands in paths beside fixed words, which it therefore cannot be. */
export const tenantIdSchema = Type.Refine(
  Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,62}$', 'x-expected': '1 to 63 of a-z, 0-9, _ and -, beginning with a letter or digit' }),
  (id) => !RESERVED_TENANT_IDS.includes(id),
  (id) => `"${id}" is reserved; choose another id`,
);

export const tenantSchema = answer('Tenant', { id: Type.String(), name: Type.String(), created_at: timestamp });
export type Tenant = Static<typeof tenantSchema>;

export const createTenantSchema = strict(
  { id: tenantIdSchema, name: maybe(name), admin_email: email, admin_password: maybe(password) },
  { title: 'CreateTenant' },
);

export const restoreAdminSchema = strict(
  { tenant: tenantIdSchema, admin_email: email, admin_password: maybe(password) },
  { title: 'RestoreAdmin' },
);

/** `password` is there only where the service chose it; it is shown this once. */
export const createdTenantSchema = answer('CreatedTenant', {
  id: Type.String(),
  name: Type.String(),
  created_at: timestamp,
  admin: Type.Object({ email: Type.String(), password: Type.Optional(Type.String()) }),
});

/** A page of the service may have its refresh token in a cookie that no script reads. */
const refreshTokenIn = Type.Optional(oneOf('body', 'cookie'));

/** Members in snake case; the parameters may also come in camel case, and in the query string, a form or JSON. */
export const tokenRequestSchema = Type.Refine(
  strict(
    {
      grant_type: oneOf('password', 'refresh_token'),
      username: Type.Optional(text),
      password: Type.Optional(password),
      refresh_token: Type.Optional(text),
      refresh_token_in: refreshTokenIn,
      tenant: Type.Optional(text),
      client_id: Type.Optional(text),
      code: Type.Optional(text),
      redirect_url: Type.Optional(text),
      redirect_uri: Type.Optional(text),
      transaction_id: Type.Optional(text),
    },
    { title: 'TokenRequest' },
  ),
  (request) => problemOfGrant(request) === undefined,
  (request) => problemOfGrant(request) ?? '',
);

type GrantMembers = RefreshTokenPlace & { grant_type: string; username?: string; password?: string };
type RefreshTokenPlace = { refresh_token?: string; refresh_token_in?: string };

function problemOfGrant(request: GrantMembers): string | undefined {
  if (request.grant_type === 'refresh_token') return problemOfPlace(request);
  const missing = (['username', 'password'] as const).find((member) => request[member] === undefined);
  return missing && `\`${missing}\` is missing, which grant_type ${request.grant_type} needs`;
}

/** A refresh token comes in one of the two places. */
function problemOfPlace({ refresh_token, refresh_token_in }: RefreshTokenPlace): string | undefined {
  if (refresh_token_in === 'cookie')
    return refresh_token === undefined ? undefined : '`refresh_token` cannot be combined with `refresh_token_in` cookie';
  return refresh_token === undefined ? '`refresh_token` is missing; give it, or `refresh_token_in` cookie' : undefined;
}

export const revokeTokenSchema = Type.Refine(
  strict({ refresh_token: Type.Optional(text), refresh_token_in: refreshTokenIn }, { title: 'RevokeToken' }),
  (request) => problemOfPlace(request) === undefined,
  (request) => problemOfPlace(request) ?? '',
);

export const tokenReplySchema = answer('Token', {
  expires: Type.Integer({ description: 'Seconds.' }),
  access_token: Type.String(),
  refresh_token: Type.Optional(Type.String({ description: 'Missing where it is in a cookie.' })),
  token_type: Type.Literal('Bearer'),
});

export const userSchema = answer('User', {
  id: Type.String(),
  email: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  /** The role in the whole tenant. */
  role,
  /** Roles in single projects, by project id; they can only add to the tenant role. */
  project_roles: Type.Record(Type.String(), projectRole),
});
export type User = Static<typeof userSchema>;

export const createUserSchema = strict(
  { email, first_name: text, last_name: text, role, password: Type.Optional(password) },
  { title: 'CreateUser' },
);

export const updateUserSchema = strict({ first_name: text, last_name: text, role }, { title: 'UpdateUser' });

export const assignRoleSchema = Type.Refine(
  strict({ role: Type.Optional(role), project_roles: Type.Optional(projectRoles) }, { title: 'AssignRole' }),
  (body) => body.role !== undefined || body.project_roles !== undefined,
  () => 'give `role`, the role in the tenant, `project_roles`, or both',
);

export const changePasswordSchema = strict({ old_password: password, new_password: password }, { title: 'ChangePassword' });

/** `password` is there only where the service chose it; it is shown this once. */
export const userWrittenSchema = answer('UserWritten', { message: Type.String(), password: Type.Optional(Type.String()) });

export const apiKeySchema = answer('ApiKey', { id: Type.String(), name: Type.String() });
/** The secret is shown once, in the answer to creation. */
export type ApiKey = Static<typeof apiKeySchema>;
export const apiKeysSchema = answer('ApiKeys', { keys: Type.Array(apiKeySchema) });
export const createApiKeySchema = strict({ name }, { title: 'CreateApiKey' });
export const newApiKeySchema = answer('CreatedApiKey', {
  id: Type.String(),
  name: Type.String(),
  key: Type.String({ description: 'The secret; it is not shown again.' }),
});

export const backgroundErrorsSchema = Type.Array(
  answer('BackgroundError', {
    timestamp,
    error_class: Type.String(),
    message: Type.String(),
    exception_type: Type.String(),
    stack_trace: Type.String(),
  }),
);
export type BackgroundError = Static<typeof backgroundErrorsSchema>[number];
