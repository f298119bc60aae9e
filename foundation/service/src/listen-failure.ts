// SPDX-License-Identifier: Apache-2.0
const LISTEN_FAULTS = ['EADDRINUSE', 'EADDRNOTAVAIL', 'EACCES', 'ENOTFOUND'];

/** Why a service cannot listen, and the settings to change; undefined for any other error. */
export function listenFailure(
  error: unknown,
  address: { readonly host: string; readonly hostSetting: string; readonly port: number; readonly portSetting: string },
): string | undefined {
  const { host, hostSetting, port, portSetting } = address;
  if (!(error instanceof Error && 'code' in error && LISTEN_FAULTS.some((code) => code === error.code))) return undefined;
  if (error.code === 'EADDRINUSE')
    return `port ${port} of ${host} is in use; stop the process that uses it, or set ${portSetting} to another port`;
  return `cannot use ${host}:${port} (${error.message}); set ${hostSetting} and ${portSetting}`;
}
