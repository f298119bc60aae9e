/** Tenants, the people in them and what they may do. */

/** From most to least: each role may do what the roles after it may. */
export type Role = 'admin' | 'editor' | 'operator' | 'viewer';

export type Tenant = { readonly id: string; readonly name: string; readonly created_at: string };

export type User = {
  readonly id: string;
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  /** The role in the whole tenant. */
  readonly role: Role;
  /** Roles in single projects, by project id; they can only add to the tenant role. */
  readonly project_roles: { readonly [projectId: string]: Exclude<Role, 'admin'> };
};

/** The secret is shown once, in the answer to creation. */
export type ApiKey = { readonly id: string; readonly name: string };
