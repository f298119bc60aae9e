// SPDX-License-Identifier: Apache-2.0
/** The admin user and the switch of enforcement. */
import { operation } from '../operation.ts';

export const createAdmin = operation('create_admin', ({ auth }, { body, caller }) => auth.createAdmin({ ...body, caller }));

export const login = operation('login', ({ auth }, { body, caller }) => auth.login({ ...body, address: caller.address }));

export const resetPassword = operation('reset_password', ({ auth }, { body, caller, principal }) =>
  auth.resetPassword({ ...body, caller, principal }),
);

export const adminExists = operation('admin_exists', ({ auth }) => auth.adminExists());

export const enforced = operation('enforced', ({ auth }) => auth.enforced());

export const setEnforced = operation('set_enforced', ({ auth }, { body, principal }) => auth.setEnforced({ ...body, principal }));
