import type { Role, User } from '@sextant/contracts-observability';

/** A user with what proves who they are. Never leaves the server. */
export type Account = User & {
  readonly password_hash: string | null;
  /** Grows with every change of the password; tokens of older versions are dead. */
  readonly password_version: number;
};

export type NewUser = Pick<User, 'email' | 'first_name' | 'last_name' | 'role'> & { readonly password_hash: string | null };

export type UserStore = {
  /** @throws MetadataConflict when the e-mail address is taken, whatever its case */
  readonly create: (user: NewUser) => Promise<User>;
  readonly list: () => Promise<readonly User[]>;
  readonly find: (id: string) => Promise<Account | undefined>;
  readonly findByEmail: (email: string) => Promise<Account | undefined>;
  /** @throws MetadataMissing; MetadataConflict when the last admin would lose the role */
  readonly update: (id: string, change: Partial<Pick<User, 'first_name' | 'last_name' | 'role'>>) => Promise<User>;
  /** Also ends all refresh tokens of the user. @throws MetadataMissing */
  readonly setPassword: (id: string, passwordHash: string) => Promise<void>;
  /** A null role takes the project role away. @throws MetadataMissing for an unknown user or project */
  readonly setProjectRole: (id: string, projectId: number, role: Exclude<Role, 'admin'> | null) => Promise<User>;
  /** Also removes the user's tokens and API keys. @throws MetadataMissing; MetadataConflict for the last admin */
  readonly delete: (id: string) => Promise<void>;
};
