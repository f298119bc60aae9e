// SPDX-License-Identifier: Apache-2.0
/** The console's page of an incident; null where the operator has not said how people reach the service. */
export function incidentLink(publicUrl: string | undefined, incidentId: number): string | null {
  return publicUrl === undefined ? null : `${publicUrl.replace(/\/+$/, '')}/console/#/incidents/${incidentId}`;
}
