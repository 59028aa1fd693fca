import type { Request } from 'express';

/** The address changes with the picture. */
export interface PageLogo {
  readonly url: string;
  /** In its own pixels. */
  readonly width: number;
  readonly height: number;
}

export interface PagePartner {
  readonly name: string;
  readonly logo: PageLogo | null;
  /** The page on who has the applicant's data. */
  readonly dataHref: string;
}

type AskPartner = () => Promise<PagePartner | null>;

const partners = new WeakMap<Request, AskPartner>();

/**
 * Shows the partner beside the brand on this request's pages.
 * @param partner called only when a page is rendered
 */
export function nameOnPages(request: Request, partner: AskPartner): void {
  partners.set(request, partner);
}

/** Null on a failure too: error pages must not need it. */
export async function partnerOf(request: Request): Promise<PagePartner | null> {
  try {
    return (await partners.get(request)?.()) ?? null;
  } catch {
    return null;
  }
}
