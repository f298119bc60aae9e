// SPDX-License-Identifier: Apache-2.0
/** What one row of the endpoint table says. */

import type { TSchema } from 'typebox';
import type { ErrorCode } from '../errors.ts';
import type { Role } from '../tenancy-schemas.ts';
import { messageSchema } from '../value-schemas.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * What a caller needs: nothing; to be the operator of the platform; a role in the tenant of the path; or a role in the tenant or in the
 * project that the named path parameter leads to. `self` is the user of the path, or an admin. `projects` is a role in the tenant or in any project:
 * the operation asks again for the project of each thing that the body names.
 */
export type Requirement =
  | { readonly scope: 'public' }
  | { readonly scope: 'platform' }
  | { readonly scope: 'self' }
  | { readonly scope: 'tenant'; readonly role: Role }
  | { readonly scope: 'projects'; readonly role: Role }
  | { readonly scope: 'project'; readonly role: Role; readonly of: 'project_id' | 'asset_id' | 'job_id' | 'incident_id' };

/**
 * How a body arrives: as JSON; as parameters, which may come in the query string, a form or JSON, in snake case, camel case or with
 * hyphens (`readParameters`); or as a stream of bytes of any type.
 */
export type BodyKind = 'json' | 'parameters' | 'stream';

export type Endpoint = {
  readonly method: Method;
  /** With parameters in braces, as OpenAPI writes them. */
  readonly path: string;
  /** Other paths that answer the same, with the same parameters. */
  readonly aliases: readonly string[];
  readonly tag: string;
  readonly summary: string;
  readonly needs: Requirement;
  readonly bodyKind?: BodyKind;
  readonly body?: TSchema;
  /** Whether the body may be left out. */
  readonly bodyOptional?: boolean;
  /** Members of the query string, each as text; without it, any query string is ignored. */
  readonly query?: TSchema;
  readonly result: TSchema;
  /** How an answer is written; JSON unless it says otherwise. */
  readonly media?: 'text/plain' | 'text/html';
  /** What a caller can run into, beyond what follows from what the endpoint needs and reads (`errorsOf`). */
  readonly errors?: readonly ErrorCode[];
};

/** What the rows of the table share. */
export const needs = {
  public: { scope: 'public' },
  platform: { scope: 'platform' },
  self: { scope: 'self' },
  viewer: { scope: 'tenant', role: 'viewer' },
  editor: { scope: 'tenant', role: 'editor' },
  operator: { scope: 'tenant', role: 'operator' },
  admin: { scope: 'tenant', role: 'admin' },
  projectEditor: { scope: 'project', role: 'editor', of: 'project_id' },
  projectOperator: { scope: 'project', role: 'operator', of: 'project_id' },
  assetEditor: { scope: 'project', role: 'editor', of: 'asset_id' },
  assetOperator: { scope: 'project', role: 'operator', of: 'asset_id' },
  jobOperator: { scope: 'project', role: 'operator', of: 'job_id' },
  eachOperator: { scope: 'projects', role: 'operator' },
  incidentOperator: { scope: 'project', role: 'operator', of: 'incident_id' },
} as const satisfies { readonly [name: string]: Requirement };

export const read = { method: 'GET', needs: needs.viewer } as const;
export const removal = { method: 'DELETE', result: messageSchema } as const;
