// SPDX-License-Identifier: Apache-2.0
/** Schemas of the admin user, the switch and the access tokens. */
import { count, maybe, oneOf, strict } from '@sextant/foundation-contract';
import Type from 'typebox';
import { collectionNameSchema } from './collection-schemas.ts';

const TOKEN_COLLECTIONS_MAX = 100;

export const passwordSchema = strict({ password: Type.String({ maxLength: 1024 }) }, { title: 'Login' });

export const newPasswordSchema = strict(
  {
    password: Type.String({ maxLength: 1024 }),
    setup_code: maybe(
      Type.String({
        description:
          'The one-time code in the file setup-code of the data directory, which the service prints at each start until an admin exists. Browsers must send it, and so must callers who reset the password without an admin JWT while authentication is enforced.',
        maxLength: 100,
      }),
    ),
  },
  { title: 'NewPassword' },
);

export const enabledSchema = strict({ enabled: Type.Boolean() }, { title: 'AuthEnabled' });

export const createTokenSchema = strict(
  {
    name: Type.String({ minLength: 1, maxLength: 255 }),
    description: maybe(Type.String({ maxLength: 4096 })),
    will_expire: maybe(Type.Boolean()),
    /** At most a hundred years; clients send 0 for a token that does not expire. */
    expires_in_seconds: maybe(Type.Integer({ minimum: 0, maximum: 3_155_760_000 })),
    permission: Type.String({ description: 'One or more of read, write and admin, separated by commas.', maxLength: 64 }),
    collections: maybe(
      Type.Array(collectionNameSchema, {
        description:
          'Collections and aliases that the token is limited to; by default all. Not allowed for tokens with the permission admin.',
        minItems: 1,
        maxItems: TOKEN_COLLECTIONS_MAX,
        uniqueItems: true,
      }),
    ),
  },
  { title: 'CreateAccessToken' },
);

const tokenMembers = {
  id: count,
  name: Type.String(),
  description: Type.String({ description: 'Empty if no description was given.' }),
  created_at: Type.String({ format: 'date-time' }),
  expired_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  will_expire: Type.Boolean(),
  permission: Type.String(),
  collections: Type.Optional(Type.Array(Type.String(), { description: 'Present if the token is limited to some collections.' })),
};

export const accessTokenSchema = Type.Object(tokenMembers, { title: 'AccessToken' });
export const newAccessTokenSchema = Type.Object(
  { ...tokenMembers, api_key: Type.String({ description: 'The secret; it is not shown again.' }) },
  { title: 'IssuedAccessToken' },
);

export const loginReplySchema = Type.Object(
  { token: Type.String({ description: 'The JWT.' }), message: Type.String(), expires_in: count },
  { title: 'LoginReply' },
);

export const loginRefusalSchema = Type.Object(
  { token: Type.Null(), message: Type.String(), expires_in: Type.Literal(0) },
  { title: 'LoginRefusal' },
);

export const authMessageSchema = Type.Object({ status: oneOf('success', 'error'), message: Type.String() }, { title: 'AuthMessage' });
