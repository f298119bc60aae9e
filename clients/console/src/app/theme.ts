// SPDX-License-Identifier: Apache-2.0
import { createTheme, type MantineColorsTuple } from '@mantine/core';

/** A calm blue for what can be acted on; the hues of states are those of ui/tones.ts. */
const chart: MantineColorsTuple = [
  '#eef4fb',
  '#dbe6f3',
  '#b3cbe7',
  '#88aedb',
  '#6596d1',
  '#4f87cb',
  '#4380c9',
  '#346db2',
  '#2b619f',
  '#1b538c',
];

/** Dense: tables and forms are what one looks at all day. */
export const theme = createTheme({
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  headings: { fontFamily: "'Inter Variable', system-ui, sans-serif", fontWeight: '600' },
  primaryColor: 'chart',
  primaryShade: 7,
  autoContrast: true,
  respectReducedMotion: true,
  defaultRadius: 'sm',
  colors: { chart },
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  cursorType: 'pointer',
  components: {
    Table: { defaultProps: { verticalSpacing: 6, horizontalSpacing: 'sm', fz: 'sm' } },
    Button: { defaultProps: { size: 'xs' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    Autocomplete: { defaultProps: { size: 'xs' } },
    Checkbox: { defaultProps: { size: 'xs' } },
    FileInput: { defaultProps: { size: 'xs' } },
    JsonInput: { defaultProps: { size: 'xs' } },
    TagsInput: { defaultProps: { size: 'xs' } },
    TextInput: { defaultProps: { size: 'xs' } },
    NumberInput: { defaultProps: { size: 'xs' } },
    Select: { defaultProps: { size: 'xs' } },
    MultiSelect: { defaultProps: { size: 'xs' } },
    Textarea: { defaultProps: { size: 'xs' } },
    PasswordInput: { defaultProps: { size: 'xs' } },
    SegmentedControl: { defaultProps: { size: 'xs' } },
    Switch: { defaultProps: { size: 'xs' } },
    TableScrollContainer: { defaultProps: { scrollAreaProps: { viewportProps: { tabIndex: 0 } } } },
    Badge: { defaultProps: { tt: 'none', fw: 600 } },
    Modal: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true } },
  },
});
