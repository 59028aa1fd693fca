/**
 * Where a partner controller is served: with the `/api` prefix and without it. A signature covers
 * the path as it was sent.
 */
export function partnerRoutes(resource = ''): string[] {
  const suffix = resource === '' ? '' : `/${resource}`;
  return [`api/v1/partner${suffix}`, `v1/partner${suffix}`];
}

const PARTNER_PATH = /^\/(api\/)?v1\/partner(\/|$)/i;

/** Whether a path is one of the partner API's, served or not. */
export function isPartnerPath(path: string): boolean {
  return PARTNER_PATH.test(path);
}
