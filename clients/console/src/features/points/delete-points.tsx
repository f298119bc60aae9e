// SPDX-License-Identifier: Apache-2.0
import type { PointId } from '@sextant/sdk';
import { queryClient, VECTOR_KEY } from '../../data/services/query-client.ts';
import { useServices } from '../../data/services/services.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { countText } from '../../ui/figures.ts';

type DeletePointsProps = {
  readonly name: string;
  readonly ids: readonly PointId[];
  readonly onClose: () => void;
  readonly onDeleted: () => void;
};

export function DeletePoints({ name, ids, onClose, onDeleted }: DeletePointsProps) {
  const { vector } = useServices();
  const isOne = ids.length === 1;
  return (
    <Confirm
      title={isOne ? `Delete point ${ids[0]}?` : `Delete ${countText(ids.length)} points?`}
      verb="Delete"
      doing={isOne ? 'delete the point' : 'delete the points'}
      act={async () => {
        await vector.collection(name).deletePoints(ids);
        onDeleted();
        await queryClient.invalidateQueries({ queryKey: VECTOR_KEY });
      }}
      onClose={onClose}
    >
      {isOne
        ? 'Its vectors and its payload are deleted. This cannot be undone.'
        : 'Their vectors and their payloads are deleted. This cannot be undone.'}
    </Confirm>
  );
}
