import type { Request } from 'express';

type PartnerName = () => Promise<string | null>;

const names = new WeakMap<Request, PartnerName>();

/**
 * Says which partner's applicant a request is of: its pages name that partner beside the brand.
 * @param name asked only when a page is drawn
 */
export function nameOnPages(request: Request, name: PartnerName): void {
  names.set(request, name);
}

/** Null where nobody has said it, and where it cannot be read: a page that says so must not need it. */
export async function partnerNameOf(request: Request): Promise<string | null> {
  try {
    return (await names.get(request)?.()) ?? null;
  } catch {
    return null;
  }
}
