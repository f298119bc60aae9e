/** Above every screen while a service refuses writes because its disk is full. */
import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useServices } from '../data/services/services.tsx';

const LOOK_MS = 15_000;
/** The vector service says so in a text that begins with its readiness. */
const READ_ONLY = /; read-only: (.*)$/;

export function ReadOnlyNotice() {
  const { vector, observability } = useServices();
  const vectorReason = useQuery({
    queryKey: ['readiness', 'vector'],
    queryFn: async () => READ_ONLY.exec(await vector.ready())?.[1] ?? null,
    refetchInterval: LOOK_MS,
  });
  const observabilityReason = useQuery({
    queryKey: ['readiness', 'observability'],
    queryFn: async () => (await observability.readyz()).read_only ?? null,
    refetchInterval: LOOK_MS,
  });
  return (
    <>
      <Notice service="vector" reason={vectorReason.data} />
      <Notice service="observability" reason={observabilityReason.data} />
    </>
  );
}

function Notice({ service, reason }: { readonly service: string; readonly reason: string | null | undefined }) {
  // A service that does not answer is told by the screens that ask it.
  if (reason === null || reason === undefined) return null;
  return (
    <Alert color="orange" icon={<IconAlertTriangle size={18} />} title={`The ${service} service can only be read`} mb="md" role="status">
      {reason}
    </Alert>
  );
}
