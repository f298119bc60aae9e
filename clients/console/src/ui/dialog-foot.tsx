import { Button, Group } from '@mantine/core';

type DialogFootProps = {
  /** The word on the button that does it, such as "Save". */
  readonly verb: string;
  readonly isBusy: boolean;
  readonly isDisabled?: boolean;
  readonly onCancel: () => void;
  /** Without it, the button submits the form that it stands in. */
  readonly onAct?: () => void;
};

/** The end of a dialog: the way out and the way on. */
export function DialogFoot({ verb, isBusy, isDisabled = false, onCancel, onAct }: DialogFootProps) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <Button type={onAct === undefined ? 'submit' : 'button'} disabled={isDisabled} loading={isBusy} {...(onAct && { onClick: onAct })}>
        {verb}
      </Button>
    </Group>
  );
}
