// SPDX-License-Identifier: Apache-2.0
export { COMPONENT_TYPES, type ComponentType } from './component-type.ts';
export { type Layout, LayoutError, readBytes } from './layout.ts';
export { npyLayout } from './npy.ts';
