/** With and without `/api`; the signature covers the path as sent. */
export function partnerRoutes(resource = ''): string[] {
  const suffix = resource === '' ? '' : `/${resource}`;
  return [`api/v1/partner${suffix}`, `v1/partner${suffix}`];
}

/** Where lenders send messages of their own. */
const LENDER_PATH = /^\/lender-api\/v1\//i;

const PARTNER_PATH = /^\/(api\/)?v1\/partner(\/|$)/i;

/** Served or not. */
export function isPartnerPath(path: string): boolean {
  return PARTNER_PATH.test(path);
}

export function isLenderPath(path: string): boolean {
  return LENDER_PATH.test(path);
}
