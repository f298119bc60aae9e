/** The parts of the settings, in the order of their tabs. Each has a lazy route of the same address in `app/router.tsx`. */
export const SETTINGS_TABS = [{ to: '/settings/api-keys', label: 'API keys' }] as const;
