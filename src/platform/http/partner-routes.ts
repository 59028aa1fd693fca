/**
 * Where a partner controller is served: with the `/api` prefix and without it. A signature covers
 * the path as it was sent.
 */
export function partnerRoutes(resource = ''): string[] {
  const suffix = resource === '' ? '' : `/${resource}`;
  return [`api/v1/partner${suffix}`, `v1/partner${suffix}`];
}

/** Where lenders tell us what they were not asked at that moment. */
const LENDER_PATH = /^\/lender-api\/v1\//i;

const PARTNER_PATH = /^\/(api\/)?v1\/partner(\/|$)/i;

/** Whether a path is one of the partner API's, served or not. */
export function isPartnerPath(path: string): boolean {
  return PARTNER_PATH.test(path);
}

/** Whether a path is one of those that lenders call. */
export function isLenderPath(path: string): boolean {
  return LENDER_PATH.test(path);
}
