// SPDX-License-Identifier: Apache-2.0
/** Above every screen while a service refuses writes because its disk is full. */
import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { observabilityReadOnly, vectorReadOnly } from '../data/readiness.ts';
import { useServices } from '../data/services/services.ts';

export function ReadOnlyNotice() {
  const { vector, observability } = useServices();
  const vectorReason = useQuery(vectorReadOnly(vector));
  const observabilityReason = useQuery(observabilityReadOnly(observability));
  return (
    <>
      <Notice service="vector" reason={vectorReason.data} />
      <Notice service="observability" reason={observabilityReason.data} />
    </>
  );
}

function Notice({ service, reason }: { readonly service: string; readonly reason: string | null | undefined }) {
  // If a service does not answer, the screens that need it say so.
  if (reason === null || reason === undefined) return null;
  return (
    <Alert color="orange" icon={<IconAlertTriangle size={18} />} title={`The ${service} service is read-only`} mb="md" role="status">
      {reason}
    </Alert>
  );
}
