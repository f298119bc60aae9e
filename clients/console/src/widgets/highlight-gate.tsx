// SPDX-License-Identifier: Apache-2.0
import { Alert, Button, Progress, Stack } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { HighlightedPoint } from '../data/points/highlighted-points.ts';
import { useHighlightedPoints } from '../data/points/highlighted-points.ts';
import { ErrorPanel } from '../ui/error-panel.tsx';
import { SignIn } from './sign-in.tsx';

const route = getRouteApi('/collections/$name');

type HighlightGateProps = {
  /** Of the address; without one, no point is highlighted. */
  readonly jobId: string | undefined;
  /** What can be done instead of signing in, such as "draw the map without them". */
  readonly without: string;
  readonly children: (points: readonly HighlightedPoint[]) => ReactNode;
};

/** Shows something with the points that a scan found fault with, once they are known. */
export function HighlightGate({ jobId, without, children }: HighlightGateProps) {
  const highlighted = useHighlightedPoints(jobId);
  if (highlighted.needsSignIn) {
    return (
      <Stack gap="sm">
        <Alert variant="light" title="Only members of the tenant can see the faulty points of its scans">
          Sign in to see these points, or <GoWithout words={without} />.
        </Alert>
        <SignIn why={undefined} />
      </Stack>
    );
  }
  if (highlighted.isPending) return <Progress value={100} animated aria-label="Reading the points of the scan" />;
  return (
    <Stack gap="sm">
      {highlighted.error !== null && <ErrorPanel error={highlighted.error} doing="read what the scan found" />}
      {jobId !== undefined && highlighted.error === null && highlighted.points.length === 0 && (
        <Alert variant="light" title="No points to show">
          The scan found no faulty points, or its points were already deleted.
        </Alert>
      )}
      {children(highlighted.points)}
    </Stack>
  );
}

function GoWithout({ words }: { readonly words: string }) {
  const navigate = route.useNavigate();
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      px={2}
      onClick={() => void navigate({ search: (before) => ({ ...before, highlight: undefined }) })}
    >
      {words}
    </Button>
  );
}
