/** Where an incident is read; null where the operator has not said how people reach the service. */
export function incidentLink(publicUrl: string | undefined, tenantId: string, incidentId: number): string | null {
  return publicUrl === undefined ? null : `${publicUrl.replace(/\/+$/, '')}/api/backend/${tenantId}/incidents/${incidentId}`;
}
