/** What a key may be allowed to do. */
export const SCOPES = [
  'products:read',
  'journeys:write',
  'journeys:read',
  'instant-loans:write',
  'leads:read',
  'webhooks:manage',
  'events:read',
  'workbench:open',
  'sandbox:travel',
] as const;

export type Scope = (typeof SCOPES)[number];
