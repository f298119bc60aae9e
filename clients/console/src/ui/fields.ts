// SPDX-License-Identifier: Apache-2.0
/** What the fields of forms have in common: the value that they show, and where what is put in goes. */

export function textField(value: string, onText: (text: string) => void) {
  return { value, onChange: (event: { readonly currentTarget: { readonly value: string } }) => onText(event.currentTarget.value) };
}

/** A switch, or a box with a check mark. */
export function checkField(checked: boolean, onChecked: (isChecked: boolean) => void) {
  return {
    checked,
    onChange: (event: { readonly currentTarget: { readonly checked: boolean } }) => onChecked(event.currentTarget.checked),
  };
}
