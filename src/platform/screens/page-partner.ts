import type { Request } from 'express';

/** A picture beside a name; its address changes with it. */
export interface PageLogo {
  readonly url: string;
  /** Of the picture, in its own pixels: the page keeps room for its shape. */
  readonly width: number;
  readonly height: number;
}

/** Whose applicant a page is for, as it names that partner. */
export interface PagePartner {
  readonly name: string;
  readonly logo: PageLogo | null;
  /** The page that says who has the applicant's data. */
  readonly dataHref: string;
}

type AskPartner = () => Promise<PagePartner | null>;

const partners = new WeakMap<Request, AskPartner>();

/**
 * Says which partner's applicant a request is of: its pages name that partner beside the brand.
 * @param partner asked only when a page is drawn
 */
export function nameOnPages(request: Request, partner: AskPartner): void {
  partners.set(request, partner);
}

/** Null where nobody has said it, and where it cannot be read: a page that says so must not need it. */
export async function partnerOf(request: Request): Promise<PagePartner | null> {
  try {
    return (await partners.get(request)?.()) ?? null;
  } catch {
    return null;
  }
}
