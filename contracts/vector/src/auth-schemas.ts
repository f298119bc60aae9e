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
          'The one-time code in the file setup-code of the data directory, which the service prints at its start while there is no admin. A browser has to send it, and so does whoever resets the password while authentication is enforced and has no JWT of the admin.',
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
    permission: Type.String({ description: 'Any of read, write and admin, joined by commas.', maxLength: 64 }),
    collections: maybe(
      Type.Array(collectionNameSchema, {
        description: 'Collections and aliases that the token is limited to; without it, all. Not for tokens with the permission admin.',
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
  description: Type.String({ description: 'Empty where none was given.' }),
  created_at: Type.String({ format: 'date-time' }),
  expired_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
  will_expire: Type.Boolean(),
  permission: Type.String(),
  collections: Type.Optional(Type.Array(Type.String(), { description: 'Of a token that is limited to some collections.' })),
};

export const accessTokenSchema = Type.Object(tokenMembers, { title: 'AccessToken' });
export const newAccessTokenSchema = Type.Object(
  { ...tokenMembers, api_key: Type.String({ description: 'The secret; shown this once.' }) },
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
