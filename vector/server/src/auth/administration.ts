// SPDX-License-Identifier: Apache-2.0
/**
 * The admin, the switch and the access tokens, on the one thread that owns them. A change is first on disk, then known to every
 * thread, and only then acknowledged; changes go one after the other.
 *
 * Bodies have passed their schemas, and `authorise` has let the caller through on the serving thread; what could have changed since then,
 * and what must never go wrong, is checked here again.
 */
import { randomInt } from 'node:crypto';
import { type BodyOf, ServiceError } from '@sextant/contracts-vector';
import { hashPassword, isPassword, LoginLimiter, passwordProblem } from '@sextant/foundation-service';
import type { Clock } from '@sextant/foundation-std';
import { ADMIN_USERNAME, JWT_LIFETIME_SECONDS, signAdminJwt } from './admin-jwt.ts';
import type { AuthReply, AuthSnapshot, Caller, Principal } from './auth.ts';
import { failure, success, tooMany } from './auth-reply.ts';
import { AuthState, type AuthStateOptions } from './auth-state.ts';
import { openJwtSecret } from './jwt-secret.ts';
import { refusalElsewhere, Setup } from './setup.ts';
import { TokenAdministration } from './token-administration.ts';

/** Hears of every change; the change is acknowledged once its promise is settled. */
export type SnapshotListener = (snapshot: AuthSnapshot) => Promise<void> | void;

export type AuthAdministrationOptions = Omit<AuthStateOptions, 'signingKey'> & {
  /** Where the secret that signs JWTs is kept. */
  readonly dataDirectory: string;
  /** The configured secret; without one, the kept one or a new one. */
  readonly jwtSecret: string | undefined;
  readonly clock: Clock;
};

/** The largest password version; JSON and JWTs carry integers up to 2^53 exactly, `randomInt` gives up to 2^48. */
const PASSWORD_VERSION_MAX = 2 ** 48 - 1;

export class AuthAdministration {
  /** Whether the secret is shorter than RFC 7518 section 3.2 asks for; worth a warning at the start. */
  readonly hasWeakSecret: boolean;
  readonly #clock: Clock;
  readonly #state: AuthState;
  readonly #limiter: LoginLimiter;
  readonly #setup: Setup;
  readonly #tokens: TokenAdministration;
  readonly #listeners: SnapshotListener[] = [];
  #lastChange: Promise<unknown> = Promise.resolve();

  constructor({ clock, dataDirectory, jwtSecret, ...options }: AuthAdministrationOptions) {
    const { signingKey, isWeak } = openJwtSecret({ directory: dataDirectory, configured: jwtSecret });
    this.hasWeakSecret = isWeak;
    this.#clock = clock;
    this.#state = new AuthState({ ...options, signingKey });
    this.#limiter = new LoginLimiter(clock);
    this.#setup = new Setup({ directory: dataDirectory, clock });
    this.#tokens = new TokenAdministration({ state: this.#state, clock });
  }

  /** What a browser has to send to create the first admin; undefined once there is one. */
  get setupCode(): string | undefined {
    return this.#state.admin === undefined ? this.#setup.code : undefined;
  }

  snapshot(): AuthSnapshot {
    return this.#state.snapshot();
  }

  onChange(listener: SnapshotListener): void {
    this.#listeners.push(listener);
  }

  /** POST /auth/admin */
  async createAdmin({ password, ...proof }: BodyOf<'create_admin'> & { readonly caller: Caller }): Promise<AuthReply> {
    const elsewhere = refusalElsewhere(proof.caller);
    if (elsewhere !== undefined) return elsewhere;
    if (this.#state.admin !== undefined) return failure(409, USERNAME_EXISTS);
    const needsCode = proof.caller.sender !== 'program';
    const unproven = this.#setup.refusalOf(proof, needsCode);
    if (unproven !== undefined) return unproven;
    const problem = passwordProblem({ password, username: ADMIN_USERNAME });
    if (problem !== undefined) return failure(400, problem);
    const record = await hashPassword(password);
    return this.#change(() => {
      // Another request may have created it while this one was hashing.
      if (this.#state.admin !== undefined) return failure(409, USERNAME_EXISTS);
      const used = this.#setup.use(proof);
      if (used !== undefined) return used;
      this.#state.setAdmin({ password: record, passwordVersion: newPasswordVersion() });
      return success('User registered successfully');
    });
  }

  /** POST /auth/admin/login */
  async login({ password, address }: { password: string; address: string }): Promise<AuthReply> {
    if (password.trim() === '') return failure(400, MISSING_PASSWORD);
    const seconds = this.#limiter.take({ address });
    if (seconds > 0) return tooMany(seconds);
    const { admin } = this.#state;
    if (!(await isPassword(password, admin?.password))) {
      return { status: 401, body: { token: null, message: 'Invalid username or password', expires_in: 0 } };
    }
    this.#limiter.release({ address });
    // Signed for the password that was checked, even where it has been reset meanwhile.
    const { signingKey } = this.#state;
    const token = await signAdminJwt({ signingKey, passwordVersion: admin?.passwordVersion ?? 0 }, this.#clock.nowMs());
    return { status: 200, body: { token, message: 'Login successful', expires_in: JWT_LIFETIME_SECONDS } };
  }

  /** POST /auth/admin/reset-password */
  async resetPassword({
    password,
    principal,
    ...proof
  }: BodyOf<'reset_password'> & { readonly caller: Caller; readonly principal: Principal }): Promise<AuthReply> {
    const elsewhere = refusalElsewhere(proof.caller);
    if (elsewhere !== undefined) return elsewhere;
    // An access token proves nothing here: it can be taken back, and a password that it had set would outlive it.
    const needsCode = principal.kind !== 'admin' && (this.#state.enforced || proof.caller.sender !== 'program');
    const unproven = this.#setup.refusalOf(proof, needsCode);
    if (unproven !== undefined) return unproven;
    const problem = passwordProblem({ password, username: ADMIN_USERNAME });
    if (problem !== undefined) return failure(400, problem);
    if (this.#state.admin === undefined) return failure(404, 'User not found');
    const record = await hashPassword(password);
    return this.#change(() => {
      const used = this.#setup.use(proof);
      if (used !== undefined) return used;
      this.#state.setAdmin({ password: record, passwordVersion: newPasswordVersion() });
      return success('Password reset successfully');
    });
  }

  /** GET /auth/admin/exists */
  adminExists(): Promise<AuthReply> {
    return this.#measured(() => this.#state.admin !== undefined);
  }

  /** GET /auth/enabled */
  enforced(): Promise<AuthReply> {
    return this.#measured(() => this.#state.enforced);
  }

  /** PATCH /auth/enabled */
  async setEnforced({ enabled, principal }: { enabled: boolean; principal: Principal }): Promise<AuthReply> {
    if (principal.kind !== 'admin') return failure(401, new ServiceError('unauthorized').message);
    return this.#measured(async () => {
      await this.#change(() => this.#state.setEnforced(enabled));
      return enabled;
    });
  }

  /** POST /auth/api_key */
  createToken(body: BodyOf<'create_token'>, principal: Principal): Promise<AuthReply> {
    return this.#change(() => this.#tokens.create(body, principal));
  }

  /** GET /auth/api_keys */
  async listTokens(): Promise<AuthReply> {
    return this.#tokens.list();
  }

  /** POST /auth/api_key/{token_id}/rotate */
  rotateToken({ id, principal }: { id: string; principal: Principal }): Promise<AuthReply> {
    return this.#change(() => this.#tokens.rotate(id, principal));
  }

  /** DELETE /auth/api_key/{token_id} */
  deleteToken({ id, principal }: { id: string; principal: Principal }): Promise<AuthReply> {
    return this.#change(() => this.#tokens.delete(id, principal));
  }

  /** Runs a change when those before it are known everywhere, and resolves when it is. */
  #change<Result>(change: () => Result): Promise<Result> {
    const run = this.#lastChange.then(async () => {
      const { revision } = this.#state;
      const result = change();
      // A request that was refused changed nothing that others would have to hear of.
      if (this.#state.revision === revision) return result;
      const snapshot = this.#state.snapshot();
      await Promise.all(this.#listeners.map(async (listener) => listener(snapshot)));
      return result;
    });
    // A change that failed does not hold up the next.
    this.#lastChange = run.catch(() => {});
    return run;
  }

  /** The service's usual envelope, which these two endpoints have unlike the other ones of authentication. */
  async #measured(run: () => boolean | Promise<boolean>): Promise<AuthReply> {
    const startedMs = this.#clock.monotonicMs();
    const result = await run();
    const time = (this.#clock.monotonicMs() - startedMs) / 1000;
    return { status: 200, body: { usage: { hardware: null }, time, status: 'ok', result } };
  }
}

const USERNAME_EXISTS = 'Username already exists';
const MISSING_PASSWORD = 'Missing required field: password';

function newPasswordVersion(): number {
  return randomInt(1, PASSWORD_VERSION_MAX);
}
