// SPDX-License-Identifier: Apache-2.0
/** The screen of an asset, with its monitors and its lineage, which are features of their own. The graph loads when it is opened. */
import { lazy } from 'react';
import { type AssetParts, AssetScreen } from '../features/assets/asset-screen.tsx';
import { MonitorList } from '../features/monitors/monitor-list.tsx';

const PARTS: AssetParts = {
  Monitors: MonitorList,
  Lineage: lazy(async () => ({ default: (await import('../features/lineage/asset-lineage.tsx')).AssetLineage })),
};

export function AssetPage() {
  return <AssetScreen parts={PARTS} />;
}
